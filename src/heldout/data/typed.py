"""Columns become ids, numbers and seconds; the first bad row is named by where it came from, or all are left out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import polars as pl

from heldout.data.swapped import refuse_swapped
from heldout.errors import InputError
from heldout.tables import Log, Skipped, id_column
from heldout.tables.arrays import Float64, Int64

BadRows = Literal["error", "skip"]
"""What becomes of a row that cannot be read: an error that names it, or it is left out and counted."""
BAD_ROWS = "what becomes of a bad row: an error, or it is skipped and counted"

_ISO = r"^\d{4}[-/]\d{2}[-/]\d{2}([T ]\d{2}:\d{2}.*)?$"
_TIMES = "expected seconds or milliseconds since 1970, or a date such as 2004-05-31 or 2004-05-31T12:00:00"


class Origin(ABC):
    """Where rows came from, so that an error can point at one."""

    name: str

    @abstractmethod
    def error(self, what: str, *, row: int, column: str, hint: str = "") -> InputError:
        """The error for a 0-based row and a column."""


@dataclass(frozen=True)
class FrameOrigin(Origin):
    """A table in memory, or a file without lines: rows are counted from 1."""

    name: str = "frame"

    def error(self, what: str, *, row: int, column: str, hint: str = "") -> InputError:
        return InputError(f"row {row + 1}: {what}", file=self.name, column=column, hint=hint)


@dataclass(frozen=True)
class Table:
    """Columns by role (user, item, value, …), the names they had, and where they came from."""

    columns: Mapping[str, pl.Series]
    labels: dict[str, str]
    origin: Origin
    named: bool = True
    """Whether columns were found by name; without a header they are known by position only."""
    header: tuple[str, ...] = ()
    """The names of all columns, also of those without a role, where they are known."""
    time_format: str | None = None
    """How dates are written, such as `%m/%d/%Y`, where they are neither numbers nor ISO."""
    skipped: tuple[Skipped, ...] = ()
    """Rows that were left out already."""

    def ids(self, role: str) -> pl.Series:
        """A column of ids: whole numbers where all are plainly such, else texts."""
        column, label = self.columns[role], self.labels[role]
        if len(column) == 0:
            raise InputError("this file has no rows", file=self.origin.name)
        missing = _missing(column)
        if missing.any():
            raise self._refused(missing, column, role, f"the {role} id is missing")
        return id_column(column, file=self.origin.name, name=label).alias(role)

    def numbers(self, role: str) -> Float64:
        """A column of finite numbers."""
        column = self.columns[role]
        found = self._as_numbers(column, role)
        bad = ~found.is_finite().fill_null(False)
        if bad.any():
            raise self._refused(bad, column, role, "{} is not a finite number")
        return found.to_numpy()

    def seconds(self, role: str) -> Int64:
        """A column of times as whole seconds since 1970, in UTC.

        Whole numbers are seconds, or milliseconds, micro- or nanoseconds when the largest is beyond any plausible
        second: 1e11 seconds is the year 5138, 1e11 milliseconds 1973.
        """
        column = self.columns[role]
        found = self._as_times(column, role)
        if found.null_count():
            raise self._refused(found.is_null(), column, role, "{} is not a time", self._expected_times())
        if found.dtype.is_temporal():
            return (found.cast(pl.Datetime("us")).to_physical().to_numpy() // 1_000_000).astype(np.int64)
        whole = found.to_numpy()
        largest = int(np.abs(whole).max(initial=0))
        power = sum(largest >= limit for limit in (1e11, 1e14, 1e17))
        return whole if power == 0 else whole // 1000**power

    def without_bad_rows(self) -> Table:
        """The table without rows that lack an id or hold no number or time where there must be one; they are counted."""
        reasons: list[tuple[str, pl.Series]] = []
        for role, label in self.labels.items():
            column = self.columns[role]
            if role in ("user", "item"):
                bad, what = _missing(column), "the id is missing"
            elif role == "time":
                bad, what = self._as_times(column, role).is_null(), "not a time"
            else:
                bad, what = ~self._as_numbers(column, role).is_finite().fill_null(False), "not a finite number"
            reasons.append((f"column '{label}': {what}", bad))
        gone = pl.Series(np.zeros(len(reasons[0][1]), dtype=np.bool_))
        skipped = list(self.skipped)
        for reason, bad in reasons:
            fresh = int((bad & ~gone).sum())
            if fresh:
                skipped.append(Skipped(reason, fresh))
                gone = gone | bad
        if not gone.any():
            return self
        if gone.all():
            raise InputError(f"all {len(gone):,} rows are bad ({reasons[0][0]}, …)", file=self.origin.name)
        columns = {role: self.columns[role].filter(~gone) for role in self.labels}
        return replace(self, columns=columns, skipped=tuple(skipped))

    def _as_numbers(self, column: pl.Series, role: str) -> pl.Series:
        """The column as floats, null where it holds no number."""
        if column.dtype == pl.String:
            return column.str.strip_chars().cast(pl.Float64, strict=False)
        if column.dtype.is_numeric() or column.dtype in (pl.Boolean, pl.Null):
            return column.cast(pl.Float64)
        raise InputError(f"numbers are expected, found {column.dtype}", file=self.origin.name, column=self.labels[role])

    def _as_times(self, column: pl.Series, role: str) -> pl.Series:
        """The column as whole numbers or datetimes, null where it holds no time."""
        if column.dtype == pl.String:
            return self._times_of_texts(column.str.strip_chars())
        if column.dtype in (pl.Date, pl.Datetime):
            return column
        if column.dtype.is_float():
            finite = column.is_finite().fill_null(False)
            return pl.select(pl.when(finite).then(column.floor())).to_series().cast(pl.Int64)
        if column.dtype.is_integer():
            return column.cast(pl.Int64)
        raise InputError(
            f"times are expected, found {column.dtype}",
            file=self.origin.name,
            column=self.labels[role],
            hint=self._expected_times(),
        )

    def _times_of_texts(self, column: pl.Series) -> pl.Series:
        if self.time_format is not None:
            return column.str.to_datetime(self.time_format, strict=False, time_unit="us")
        whole = column.cast(pl.Int64, strict=False)
        if not whole.null_count():
            return whole
        number = column.cast(pl.Float64, strict=False)
        dates = column.str.contains(_ISO).fill_null(False)
        if int(dates.sum()) > int(number.is_not_null().sum()):
            dates = pl.select(pl.when(dates).then(column)).to_series()
            zoned = dates.str.contains(r"(Z|[+-]\d{2}:?\d{2})$").fill_null(False).any()
            return dates.str.to_datetime(strict=False, time_unit="us", time_zone="UTC" if zoned else None)
        finite = number.is_finite().fill_null(False)
        return pl.select(pl.when(finite).then(number.floor())).to_series().cast(pl.Int64, strict=False)

    def _expected_times(self) -> str:
        return _TIMES if self.time_format is None else f"expected a date written {self.time_format}"

    def _refused(self, bad: pl.Series, column: pl.Series, role: str, what: str, hint: str = "") -> InputError:
        first, count = int(bad.arg_max() or 0), int(bad.sum())
        found = column[first]
        text = what.format("an empty field" if found is None or found == "" else f"'{found}'")
        if count > 1:
            text += f" ({count} such rows)"
        return self.origin.error(text, row=first, column=self.labels[role], hint=hint)


def log_of(table: Table, bad_rows: BadRows = "error") -> Log:
    """Rows of ratings; without a value column every value is 1.

    Columns are read one by one, so that of a file of columns no two are in memory before they are typed.
    """
    if bad_rows == "skip":
        table = table.without_bad_rows()
    users = table.ids("user")
    log = Log(
        users,
        table.ids("item"),
        table.numbers("value") if "value" in table.labels else np.ones(len(users)),
        table.seconds("time") if "time" in table.labels else None,
        table.numbers("utility") if "utility" in table.labels else None,
        table.origin.name,
        table.skipped,
    )
    refuse_swapped(log, table.labels)
    return log


def _missing(column: pl.Series) -> pl.Series:
    return column.is_null() | (column == "") if column.dtype == pl.String else column.is_null()
