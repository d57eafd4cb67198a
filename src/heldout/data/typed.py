"""Columns become ids, numbers and seconds; the first bad row is named by where it came from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import polars as pl

from heldout.errors import InputError
from heldout.tables import Log, id_column
from heldout.tables.arrays import Bool, Float64, Int64

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

    columns: dict[str, pl.Series]
    labels: dict[str, str]
    origin: Origin
    named: bool = True
    """Whether columns were found by name; without a header they are known by position only."""
    header: tuple[str, ...] = ()
    """The names of all columns, also of those without a role, where they are known."""

    def ids(self, role: str) -> pl.Series:
        """A column of ids: whole numbers where all are plainly such, else texts."""
        column, label = self.columns[role], self.labels[role]
        missing = column.is_null() | (column == "") if column.dtype == pl.String else column.is_null()
        if missing.any():
            self._refuse(missing.to_numpy(), role, f"the {role} id is missing")
        return id_column(column, file=self.origin.name, name=label).alias(role)

    def numbers(self, role: str) -> Float64:
        """A column of finite numbers."""
        column, label = self.columns[role], self.labels[role]
        if column.dtype == pl.String:
            found = column.str.strip_chars().cast(pl.Float64, strict=False)
        elif column.dtype.is_numeric() or column.dtype in (pl.Boolean, pl.Null):
            found = column.cast(pl.Float64)
        else:
            raise InputError(f"numbers are expected, found {column.dtype}", file=self.origin.name, column=label)
        bad = ~found.is_finite().fill_null(False)
        if bad.any():
            self._refuse(bad.to_numpy(), role, "{} is not a finite number")
        return found.to_numpy()

    def seconds(self, role: str) -> Int64:
        """A column of times as whole seconds since 1970, in UTC.

        Whole numbers are seconds, or milliseconds, micro- or nanoseconds when the largest is beyond any plausible
        second: 1e11 seconds is the year 5138, 1e11 milliseconds 1973.
        """
        column = self.columns[role]
        if column.dtype == pl.String:
            column = self._times_of_texts(column.str.strip_chars(), role)
        if column.dtype.is_temporal() and column.dtype in (pl.Date, pl.Datetime):
            if column.null_count():
                self._refuse(column.is_null().to_numpy(), role, "{} is not a time", _TIMES)
            return (column.cast(pl.Datetime("us")).to_physical().to_numpy() // 1_000_000).astype(np.int64)
        if column.dtype.is_float():
            bad = ~column.is_finite().fill_null(False)
            if bad.any():
                self._refuse(bad.to_numpy(), role, "{} is not a time", _TIMES)
            column = column.floor()
        elif not column.dtype.is_integer():
            raise InputError(
                f"times are expected, found {column.dtype}", file=self.origin.name, column=self.labels[role], hint=_TIMES
            )
        if column.null_count():
            self._refuse(column.is_null().to_numpy(), role, "{} is not a time", _TIMES)
        found = column.cast(pl.Int64).to_numpy()
        largest = int(np.abs(found).max(initial=0))
        power = sum(largest >= limit for limit in (1e11, 1e14, 1e17))
        return found if power == 0 else found // 1000**power

    def _times_of_texts(self, column: pl.Series, role: str) -> pl.Series:
        whole = column.cast(pl.Int64, strict=False)
        if not whole.null_count():
            return whole
        number = column.cast(pl.Float64, strict=False)
        bad = number.is_null()
        if column.str.contains(_ISO)[0]:
            bad = ~column.str.contains(_ISO).fill_null(False)
            if not bad.any():
                zoned = column.str.contains(r"(Z|[+-]\d{2}:?\d{2})$").any()
                made = column.str.to_datetime(strict=False, time_unit="us", time_zone="UTC" if zoned else None)
                bad = made.is_null()
                if not bad.any():
                    return made
        elif not bad.any():
            return number
        self._refuse(bad.to_numpy(), role, "{} is not a time", _TIMES)
        raise AssertionError("unreachable")

    def _refuse(self, bad: Bool, role: str, what: str, hint: str = "") -> None:
        first, count = int(bad.argmax()), int(bad.sum())
        found = self.columns[role][first]
        text = what.format("an empty field" if found is None or found == "" else f"'{found}'")
        if count > 1:
            text += f" ({count} such rows)"
        raise self.origin.error(text, row=first, column=self.labels[role], hint=hint)


def log_of(table: Table) -> Log:
    """Rows of ratings; without a value column every value is 1."""
    n = len(table.columns["user"])
    return Log(
        table.ids("user"),
        table.ids("item"),
        table.numbers("value") if "value" in table.columns else np.ones(n),
        table.seconds("time") if "time" in table.columns else None,
        table.numbers("utility") if "utility" in table.columns else None,
        table.origin.name,
    )
