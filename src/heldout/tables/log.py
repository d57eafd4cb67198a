"""What a reader found, before anyone decided what a repeated pair means."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import polars as pl

from heldout.errors import InputError
from heldout.tables.arrays import Float64, Int32, Int64, Ints
from heldout.tables.display import ROWS_SHOWN, Displayed
from heldout.tables.growing import GrowingColumn, GrowingIds
from heldout.tables.interactions import Interactions, repeated_pairs
from heldout.tables.ordering import is_ascending, pair_order, repeated, taken
from heldout.tables.time_units import TimeUnit, converted, finest, time_series
from heldout.tables.vocabulary import Vocabulary, coded, id_column
from heldout.text.numbers import counted

Keep = Literal["latest", "sum", "max", "error"]
MergedTime = Literal["first", "latest"]
_BLOCK = 1 << 22
_COLUMNS = ("user_id", "item_id", "value", "time", "utility", "merged_time")


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
    """Times since 1970, as whole numbers of `time_unit`."""
    utility: Float64 | None = None
    merged_time: Int64 | None = None
    """Of rows that were merged before: the other end in time of each, as in `Interactions`."""
    source: str = "data"
    skipped: tuple[Skipped, ...] = ()
    """Bad rows that were left out because the reader was told to."""
    columns_read: str = ""
    """Which columns were taken for what, and why, where that had to be found out."""
    time_unit: TimeUnit = "s"
    """Unit of `time` and `merged_time`: s, or ms, us or ns if the rows have finer times."""

    def __len__(self) -> int:
        return len(self.value)

    def _headline(self) -> str:
        """How many rows there are, of which source."""
        skipped = sum(bad.count for bad in self.skipped)
        left_out = f", {counted(skipped, 'bad row')} left out" if skipped else ""
        return f"{counted(len(self), 'row')} of {self.source}{left_out}"

    def _first_rows(self) -> pl.DataFrame:
        """The first rows as they were written."""
        columns = {name: getattr(self, name) for name in _COLUMNS}
        shown = {name: column[:ROWS_SHOWN] for name, column in columns.items() if column is not None}
        times = {name: time_series(shown[name], self.time_unit) for name in ("time", "merged_time") if name in shown}
        return pl.DataFrame({name: pl.Series(column) for name, column in shown.items()} | times)

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
        """The columns by name and the unit of times, for `merge_pairs`."""
        return {name: getattr(self, name) for name in (*_COLUMNS, "time_unit")}


def concat_logs(logs: Iterable[Log], source: str) -> Log:
    """The rows of several logs as one, with times in the finest unit of all.

    A time or a utility that only some have is an InputError.

    Each log is let go before the next is asked for, and columns grow in place: no more than one log stands beside them.
    """
    users, items = GrowingIds(), GrowingIds()
    columns = {name: GrowingColumn() for name in ("value", "time", "utility")}
    lacking: dict[str, list[str]] = {name: [] for name in columns}
    skipped: dict[str, int] = {}
    columns_read: dict[str, None] = {}
    count = 0
    unit: TimeUnit = "s"
    for log in logs:
        count += 1
        users.extend(log.user_id)
        items.extend(log.item_id)
        for name, column in columns.items():
            part = getattr(log, name)
            if part is None:
                lacking[name].append(log.source)
            else:
                if name == "time":
                    wanted = finest((unit, log.time_unit))
                    column.rows = converted(column.rows, unit, wanted, source=source)
                    part, unit = converted(part, log.time_unit, wanted, source=log.source), wanted
                column.extend(part)
        for rows in log.skipped:
            skipped[rows.reason] = skipped.get(rows.reason, 0) + rows.count
        if log.columns_read:
            columns_read[log.columns_read] = None
    for name, sources in lacking.items():
        if sources and len(sources) < count:
            raise InputError("this column is missing, but other files have it", file=sources[0], column=name)
    if count == 1:
        return replace(log, user_id=users.series(), item_id=items.series(), source=source)
    return Log(
        user_id=users.series(),
        item_id=items.series(),
        value=columns["value"].rows,
        time=None if lacking["time"] else columns["time"].rows,
        utility=None if lacking["utility"] else columns["utility"].rows,
        source=source,
        skipped=tuple(Skipped(reason, count) for reason, count in skipped.items()),
        columns_read="; ".join(columns_read),
        time_unit=unit,
    )


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
    return coded_rows(columns, source, users=users, items=items).merged(keep, merged)


def coded_rows(
    columns: dict[str, Any], source: str, *, users: Vocabulary | None = None, items: Vocabulary | None = None
) -> CodedRows:
    """The rows with ids as numbers; takes the ids out of `columns`."""
    if len(columns["value"]) == 0:
        raise InputError(file=source, found=0, expected="at least one rating")
    users, user = _coded(_ids(columns.pop("user_id"), source, "user"), users)
    items, item = _coded(_ids(columns.pop("item_id"), source, "item"), items)
    order = pair_order(user, item, len(users), len(items))
    return CodedRows(users=users, items=items, user=user, item=item, order=order, columns=columns, source=source)


@dataclass(frozen=True, eq=False, kw_only=True)
class CodedRows:
    """Rows as they were written, with ids as numbers; pairs may repeat."""

    users: Vocabulary
    items: Vocabulary
    user: Int32
    item: Int32
    order: Ints | None
    """Row numbers by user, then item; None if rows are distinct and sorted already."""
    columns: dict[str, Any]
    """Values, times and so on; merging takes them out."""
    source: str

    @property
    def repeats(self) -> int:
        """Number of rows whose pair has an earlier row."""
        return 0 if self.order is None else repeated(self.user, self.item, self.order)[0]

    def copy(self) -> CodedRows:
        """The same rows, to be merged once more."""
        return replace(self, columns=dict(self.columns))

    def merged(self, keep: Keep = "error", merged: MergedTime | None = None) -> Interactions:
        """One row per pair, as `Log.interactions`; `columns` is emptied on the way."""
        users, items, user, item, order, columns = self.users, self.items, self.user, self.item, self.order, self.columns
        if order is None:
            return Interactions.build(users, items, user, item, **columns)
        chosen, group = order, None
        if keep != "error":
            chosen, group = _chosen(user, item, order, columns["value"] if keep == "max" else columns["time"])
        written_user, written_item = user, item
        user, item = taken(user, chosen), taken(item, chosen)
        if keep == "error" and not is_ascending(user, item):
            count, first = repeated(written_user, written_item, order)
            error = repeated_pairs(count, users.ids[written_user[first]], items.ids[written_item[first]])
            raise error.within(self.source)
        del written_user, written_item
        value, utility = columns.pop("value"), columns.pop("utility")
        if keep == "sum" and group is not None:
            value = np.bincount(group, taken(value, order))
            utility = np.bincount(group, taken(utility, order)) if utility is not None else None
        else:
            value = taken(value, chosen)
            utility = taken(utility, chosen) if utility is not None else None
        time, merged_time, unit = columns.pop("time"), columns.pop("merged_time"), columns.pop("time_unit")
        if time is not None and group is not None and len(chosen) < len(order):
            earliest, latest = _ends(taken(time, order), group)
            carried = merged or ("latest" if keep == "latest" else "first")
            time, merged_time = (earliest, latest) if carried == "first" else (latest, earliest)
        elif time is not None:
            time = taken(time, chosen)
            merged_time = taken(merged_time, chosen) if merged_time is not None else None
        return Interactions.build(
            users, items, user, item, value, time=time, utility=utility, merged_time=merged_time, time_unit=unit
        )


def _ids(column: pl.Series, source: str, name: str) -> pl.Series:
    """Ids as `id_column` has them; those that `narrowed` made stay as narrow."""
    return column if column.dtype == pl.Int32 and not column.null_count() else id_column(column, file=source, name=name)


def _coded(ids: pl.Series, vocabulary: Vocabulary | None) -> tuple[Vocabulary, Int32]:
    """Codes of ids and their vocabulary, those of a column if none is given; numbers are coded a block at a time, since a
    wide copy of all would be the largest array there is."""
    if not ids.dtype.is_integer():
        return coded(ids) if vocabulary is None else (vocabulary, vocabulary.encode(ids))
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
