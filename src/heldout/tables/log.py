"""What a reader found, before anyone decided what a repeated pair means."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heldout.errors import InputError
from heldout.tables.arrays import Float64, Int32, Int64, Ints
from heldout.tables.display import ROWS_SHOWN, Displayed
from heldout.tables.interactions import Interactions, repeated_pairs
from heldout.tables.ordering import pair_order, repeated, taken
from heldout.tables.vocabulary import Vocabulary, id_column
from heldout.words import counted

Keep = Literal["latest", "sum", "max", "error"]
MergedTime = Literal["first", "latest"]
_BLOCK = 1 << 22
_MANY = 1 << 20


@dataclass(frozen=True)
class Skipped:
    """Rows that a reader left out, and why."""

    reason: str
    count: int


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Log(Displayed):
    """Rows as they were written: external ids, a value, perhaps a time and a utility; pairs may repeat."""

    user_id: pl.Series
    item_id: pl.Series
    value: Float64
    time: Int64 | None = None
    utility: Float64 | None = None
    merged_time: Int64 | None = None
    """Of rows that were merged before: the other end in time of each, as in `Interactions`."""
    source: str = "data"
    skipped: tuple[Skipped, ...] = ()
    """Bad rows that were left out because the reader was told to."""
    columns_read: str = ""
    """Which columns were taken for what, and why, where that had to be found out."""

    def __len__(self) -> int:
        return len(self.value)

    def headline(self) -> str:
        """How many rows there are, of which source."""
        skipped = sum(bad.count for bad in self.skipped)
        left_out = f", {counted(skipped, 'bad row')} left out" if skipped else ""
        return f"{counted(len(self), 'row')} of {self.source}{left_out}"

    def first_rows(self) -> pl.DataFrame:
        """The first rows as they were written."""
        columns = {name: column for name, column in self.columns().items() if column is not None}
        return pl.DataFrame({name: pl.Series(column[:ROWS_SHOWN]) for name, column in columns.items()})

    def interactions(
        self,
        keep: Keep = "error",
        *,
        users: Vocabulary | None = None,
        items: Vocabulary | None = None,
        merged: MergedTime | None = None,
    ) -> Interactions:
        """One row per pair: repeated pairs keep the latest, the sum, the maximum, or are an error.

        `latest` takes the largest time, and the later row where times are equal or absent. Sums add utilities too;
        `max` keeps the row of the highest value. `merged` is the time that such a pair carries, that of its first or its
        latest row: without it the latest under `latest`, the first under `sum` and `max`.
        """
        return merge_pairs(self.columns(), self.source, keep, users=users, items=items, merged=merged)

    def columns(self) -> dict[str, Any]:
        """The columns by name, for `merge_pairs`."""
        return {name: getattr(self, name) for name in ("user_id", "item_id", "value", "time", "utility", "merged_time")}


def _narrow(ids: pl.Series) -> pl.Series:
    """Whole-number ids in 4 bytes each, where all of them fit: large data are mostly ids."""
    if ids.dtype != pl.Int64:
        return ids
    fit = len(ids) == 0 or (int(ids.min()) >= -(2**31) and int(ids.max()) < 2**31)  # type: ignore[arg-type]
    return ids.cast(pl.Int32) if fit else ids


def concat_logs(logs: Iterable[Log], source: str) -> Log:
    """The rows of several logs as one; a time or a utility that only some have is an InputError.

    Each log is let go before the next is asked for, and columns grow in place: no more than one log stands beside them.
    From a million rows on, ids that fit take 4 bytes.
    """
    ids: dict[str, list[pl.Series]] = {"user_id": [], "item_id": []}
    columns: dict[str, GrowingColumn] = {name: GrowingColumn() for name in ("value", "time", "utility")}
    lacking: dict[str, list[str]] = {name: [] for name in columns}
    skipped: dict[str, int] = {}
    columns_read: dict[str, None] = {}
    first_wide = 0
    for log in logs:
        ids["user_id"].append(log.user_id)
        ids["item_id"].append(log.item_id)
        for name, column in columns.items():
            part = getattr(log, name)
            if part is None:
                lacking[name].append(log.source)
            else:
                column.extend(part)
        for rows in log.skipped:
            skipped[rows.reason] = skipped.get(rows.reason, 0) + rows.count
        if log.columns_read:
            columns_read[log.columns_read] = None
        if len(columns["value"].rows) >= _MANY:
            for parts in ids.values():
                parts[first_wide:] = map(_narrow, parts[first_wide:])
            first_wide = len(ids["user_id"])
    for name, sources in lacking.items():
        if sources and len(sources) < len(ids["user_id"]):
            raise InputError(f"there is no {name} here, but in other files there is", file=sources[0])
    if len(ids["user_id"]) == 1:
        return replace(log, user_id=ids["user_id"][0], item_id=ids["item_id"][0], source=source)
    return Log(
        user_id=_concat_ids(ids["user_id"]),
        item_id=_concat_ids(ids["item_id"]),
        value=columns["value"].rows,
        time=None if lacking["time"] else columns["time"].rows,
        utility=None if lacking["utility"] else columns["utility"].rows,
        source=source,
        skipped=tuple(Skipped(reason, count) for reason, count in skipped.items()),
        columns_read="; ".join(columns_read),
    )


class GrowingColumn:
    """An array that grows at its end. The system enlarges a large one in place, so that there are never two of them."""

    def __init__(self) -> None:
        self.rows: NDArray[Any] = np.empty(0)
        self._parts = 0

    def extend(self, part: NDArray[Any]) -> None:
        """Add rows; the first part is taken as it is."""
        self._parts += 1
        if self._parts == 1:
            self.rows = part
            return
        length = len(self.rows)
        if self._parts == 2:
            self.rows = np.concatenate([self.rows, part])
            return
        self.rows.resize(length + len(part), refcheck=False)
        self.rows[length:] = part


def _concat_ids(columns: list[pl.Series]) -> pl.Series:
    """Ids of several files as one column: numbers of the widest type, or texts as soon as one has texts."""
    kinds = {column.dtype for column in columns}
    if len(kinds) > 1:
        kind = pl.Int64 if all(kind.is_integer() for kind in kinds) else pl.String
        columns = [column.cast(kind) for column in columns]
    return pl.concat(columns)


def merge_pairs(
    columns: dict[str, Any],
    source: str,
    keep: Keep = "error",
    *,
    users: Vocabulary | None = None,
    items: Vocabulary | None = None,
    merged: MergedTime | None = None,
) -> Interactions:
    """One row per pair, as `Log.interactions`; `columns` is emptied on the way.

    Each column is let go as soon as it is used, so a caller who holds no other reference to it needs half the memory.
    """
    if len(columns["value"]) == 0:
        raise InputError("no ratings", file=source)
    users, user = _coded(_ids(columns.pop("user_id"), source, "user"), users)
    items, item = _coded(_ids(columns.pop("item_id"), source, "item"), items)
    order = pair_order(user, item, len(users), len(items))
    if order is None:
        return Interactions.build(users, items, user, item, **columns)
    chosen, group = order, None
    if keep != "error":
        chosen, group = _chosen(user, item, order, columns["value"] if keep == "max" else columns["time"])
    else:
        count, first = repeated(user, item, order)
        if count:
            raise repeated_pairs(count, users.ids[user[first]], items.ids[item[first]]).within(source)
    user, item = taken(user, chosen), taken(item, chosen)
    value, utility = columns.pop("value"), columns.pop("utility")
    if keep == "sum" and group is not None:
        value = np.bincount(group, taken(value, order))
        utility = np.bincount(group, taken(utility, order)) if utility is not None else None
    else:
        value = taken(value, chosen)
        utility = taken(utility, chosen) if utility is not None else None
    time, merged_time = columns.pop("time"), columns.pop("merged_time")
    if time is not None and group is not None and len(chosen) < len(order):
        earliest, latest = _ends(taken(time, order), group)
        carried = merged or ("latest" if keep == "latest" else "first")
        time, merged_time = (earliest, latest) if carried == "first" else (latest, earliest)
    elif time is not None:
        time = taken(time, chosen)
        merged_time = taken(merged_time, chosen) if merged_time is not None else None
    return Interactions.build(users, items, user, item, value, time=time, utility=utility, merged_time=merged_time)


def _ids(column: pl.Series, source: str, name: str) -> pl.Series:
    """Ids as `id_column` has them; those that `narrowed` made stay as narrow."""
    return column if column.dtype == pl.Int32 and not column.null_count() else id_column(column, file=source, name=name)


def _coded(ids: pl.Series, vocabulary: Vocabulary | None) -> tuple[Vocabulary, Int32]:
    """Codes of ids and their vocabulary, those of a column if none is given; numbers are coded a block at a time, since a
    wide copy of all would be the largest array there is."""
    if not ids.dtype.is_integer():
        vocabulary = vocabulary or Vocabulary.of(ids)
        return vocabulary, vocabulary.encode(ids)
    blocks = [ids.slice(start, _BLOCK) for start in range(0, len(ids), _BLOCK)]
    vocabulary = vocabulary or Vocabulary.of(*blocks)
    codes = np.empty(len(ids), dtype=np.int32)
    for number, block in enumerate(blocks):
        codes[number * _BLOCK : number * _BLOCK + len(block)] = vocabulary.encode(block)
    return vocabulary, codes


def _ends(time: Int64, group: Ints) -> tuple[Int64, Int64]:
    """The first and the latest time of every pair, of times in the order of pairs."""
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    return np.minimum.reduceat(time, starts), np.maximum.reduceat(time, starts)


def _chosen(user: Ints, item: Ints, order: Ints, by: Any) -> tuple[Ints, Ints]:
    """The row kept of every distinct pair, and the pair of every place of the order."""
    from heldout.kernels.grouping import merge_latest

    last, group = np.empty_like(order), np.empty_like(order)
    n = merge_latest(user, item, order, by if by is not None else np.empty(0), last, group)
    return last[:n], group
