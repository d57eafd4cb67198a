"""What a reader found, before anyone decided what a repeated pair means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import polars as pl

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


def narrowed(log: Log) -> Log:
    """Many rows with whole-number ids in 4 bytes each, where all of them fit: large data are mostly ids."""
    if len(log) < _MANY:
        return log
    return replace(log, user_id=_narrow(log.user_id), item_id=_narrow(log.item_id))


def _narrow(ids: pl.Series) -> pl.Series:
    if ids.dtype != pl.Int64:
        return ids
    low, high = ids.min(), ids.max()
    return ids.cast(pl.Int32) if low >= -(2**31) and high < 2**31 else ids  # type: ignore[operator]


def concat_logs(logs: Sequence[Log], source: str) -> Log:
    """The rows of several logs as one; a time or a utility that only some have is an InputError."""
    if len(logs) == 1:
        return replace(logs[0], source=source)
    for name in ("time", "utility"):
        lacking = [log.source for log in logs if getattr(log, name) is None]
        if lacking and len(lacking) < len(logs):
            raise InputError(f"there is no {name} here, but in other files there is", file=lacking[0])
    skipped: dict[str, int] = {}
    for rows in (s for log in logs for s in log.skipped):
        skipped[rows.reason] = skipped.get(rows.reason, 0) + rows.count
    return Log(
        user_id=_concat_ids([log.user_id for log in logs]),
        item_id=_concat_ids([log.item_id for log in logs]),
        value=np.concatenate([log.value for log in logs]),
        time=None if logs[0].time is None else np.concatenate([log.time for log in logs if log.time is not None]),
        utility=None
        if logs[0].utility is None
        else np.concatenate([log.utility for log in logs if log.utility is not None]),
        source=source,
        skipped=tuple(Skipped(reason, count) for reason, count in skipped.items()),
        columns_read="; ".join(dict.fromkeys(log.columns_read for log in logs if log.columns_read)),
    )


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
