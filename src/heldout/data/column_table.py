"""Turn columns into ids, numbers and times. The first bad row is an error that names it, or bad rows are skipped."""

from __future__ import annotations

from abc import ABC
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import polars as pl

from heldout.data.columns import columns_sentence
from heldout.data.mixed_up_columns import refuse_swapped, refuse_unnamed_times
from heldout.data.times import TwoUnits, dates_of, in_one_unit, number_of_date, times_of_numbers, times_of_texts
from heldout.errors import UNKNOWN, InputError
from heldout.tables import Log, Skipped, id_column
from heldout.tables.arrays import Float64, Int64
from heldout.tables.time_units import IN_WORDS, TimeUnit
from heldout.tables.vocabulary import distinct_rows

BadRows = Literal["error", "skip"]
"""What becomes of a row that cannot be read: an error that names it, or it is left out and counted."""
BAD_ROWS = "what becomes of a bad row: an error, or it is skipped and counted"

LARGEST_EXACT = 2**53
"""Whole numbers below this are exact in float64; from here on several of them are the same float64."""
EXACT_DIGITS = 15
"""Numbers with so many decimal digits are different in float64 if they differ."""
_IDS = {"user": "a user id", "item": "an item id"}
_TIME = (
    "seconds (or milliseconds, microseconds, nanoseconds) since 1970, or a date such as 2004-05-31 or 2004-05-31T12:00:00",
    'other dates are read with time_format="%d.%m.%Y"',
)
"""The expected form of times, and how to read others."""


@dataclass(frozen=True)
class BadLine:
    """A line of a text that is not a row; `reason` counts such lines, the rest are parts of the error."""

    line: int
    reason: str
    what: str = ""
    found: object = UNKNOWN
    expected: str = ""
    hint: str = ""
    column: str | None = None


class _Bad(NamedTuple):
    """Rows of one column that cannot be read."""

    rows: pl.Series
    reason: str
    expected: str
    hint: str = ""


class Origin(ABC):
    """Where rows came from, so that an error can point at one."""

    name: str
    empty: ClassVar[str | None] = None
    """The text of an empty field, if fields are texts."""

    def line(self, row: int) -> int | None:
        """The line of a 0-based row, where there are lines."""
        return None

    def error(self, what: str = "", *, row: int, column: str, **parts: Any) -> InputError:
        """The error for a 0-based row and a column; `parts` are `found`, `expected` and `hint`."""
        line = self.line(row)
        numbered = row + 1 if line is None else None
        return InputError(what, file=self.name, line=line, row=numbered, column=column, **parts)


@dataclass(frozen=True)
class FrameOrigin(Origin):
    """A table in memory, or a file without lines."""

    name: str = "frame"


@dataclass(frozen=True, kw_only=True)
class Table:
    """Columns by role (user, item, value, …), the names they had, and where they came from."""

    columns: Mapping[str, pl.Series]
    labels: dict[str, str]
    origin: Origin
    guessed: bool = False
    """Whether the value (or the score) is the third column only because nothing says otherwise."""
    header: tuple[str, ...] = ()
    """The names of all columns, also of those without a role, where they are known."""
    time_format: str | None = None
    """How dates are written, such as `%m/%d/%Y`, where they are neither numbers nor ISO."""
    skipped: tuple[Skipped, ...] = ()
    """Rows that were left out already."""
    broken: tuple[BadLine, ...] = ()
    """Lines that are no rows, in their order: an error, unless bad rows are skipped."""

    def ids(self, role: str) -> pl.Series:
        """A column of ids: whole numbers where all are plainly such, else texts."""
        column, label = self.columns[role], self.labels[role]
        if self.broken:
            raise self._first_bad()
        if len(column) == 0:
            raise InputError(file=self.origin.name, expected="at least one row", found=0)
        if _missing(column).any():
            raise self._first_bad()
        return id_column(column, file=self.origin.name, name=label).alias(role)

    def numbers(self, role: str) -> Float64:
        """A column of finite numbers; InputError if float64 would make different ones equal."""
        column = self._as_numbers(self.columns[role], role)
        numbers = column.to_numpy()  # NaN where it is null
        if not np.isfinite(numbers).all():
            raise self._first_bad()
        self._refuse_merged(numbers, role)
        return numbers

    def times(self, role: str) -> tuple[Int64, TimeUnit]:
        """A column of times since 1970 in UTC, in the coarsest unit that loses nothing, and that unit."""
        column, label = self.columns[role], self.labels[role]
        times = self._as_times(column, role)
        if times.null_count():
            raise self._first_bad()
        if self.time_format is None and (written := number_of_date(times)):
            raise InputError(
                "all numbers look like dates",
                file=self.origin.name,
                column=label,
                found=str(times[0]),
                expected="seconds since 1970",
                hint=f'pass time_format="{written}"' + (', or "%s" if they are seconds' if times[0] < 1e9 else ""),
            )
        read = in_one_unit(times)
        if isinstance(read, TwoUnits):
            raise self.origin.error(
                "the times are in two units",
                row=read.row,
                column=label,
                found=str(times[read.row]),
                expected=f"the unit of {read.largest}",
                hint=joined_hints("give all times in seconds, or all in milliseconds", correct_all(read.rows)),
            )
        return read

    def without_bad_rows(self) -> Table:
        """The table without rows that lack an id or hold no number or time where there must be one; they are counted."""
        rows = len(self.columns["user"])
        counts = Counter(bad.reason for bad in self.broken)
        if len(self.broken) > rows:
            raise InputError(
                f"{len(self.broken):,} of {len(self.broken) + rows:,} lines are bad",
                file=self.origin.name,
                found=counted_reasons(counts),
                hint="check the separator and the format, since only a few bad rows are skipped",
            )
        gone = pl.Series(np.zeros(rows, dtype=np.bool_))
        for role, label in self.labels.items():
            bad = self._bad(role)
            fresh = int((bad.rows & ~gone).sum())
            if fresh:
                counts[f"column '{label}': {bad.reason}"] += fresh
                gone = gone | bad.rows
        if not counts:
            return self
        if gone.all():
            raise InputError(
                file=self.origin.name,
                found=counted_reasons(counts),
                expected=f"at least one good row of {rows + len(self.broken):,}",
            )
        columns = {role: self.columns[role].filter(~gone) for role in self.labels}
        skipped = (*self.skipped, *(Skipped(reason, n) for reason, n in counts.items()))
        return replace(self, columns=columns, skipped=skipped, broken=())

    def _bad(self, role: str) -> _Bad:
        """The rows whose field in a column cannot be read."""
        column = self.columns[role]
        if role in ("user", "item"):
            return _Bad(_missing(column), "the id is missing", _IDS[role])
        if role == "time":
            return _Bad(self._as_times(column, role).is_null(), "not a time", *self._expected_time())
        finite = self._as_numbers(column, role).is_finite().fill_null(False)
        return _Bad(~finite, "not a finite number", "a finite number")

    def _first_bad(self) -> InputError:
        """The error for the first bad row or line, whatever is wrong with it, and how many there are in all."""
        bad_roles = {role: bad for role in self.labels if (bad := self._bad(role)).rows.any()}
        gone = np.zeros(len(self.columns["user"]), dtype=np.bool_)
        for bad in bad_roles.values():
            gone |= bad.rows.to_numpy()
        total, kinds = int(gone.sum()) + len(self.broken), len(bad_roles) + len({bad.reason for bad in self.broken})
        count = correct_all(total, alike=kinds == 1)
        row = int(gone.argmax()) if bad_roles else 0
        line = self.origin.line(row) if bad_roles else None
        if self.broken and (line is None or self.broken[0].line < line):
            first = self.broken[0]
            return InputError(
                first.what,
                file=self.origin.name,
                line=first.line,
                column=first.column,
                found=first.found,
                expected=first.expected,
                hint=joined_hints(first.hint, count),
            )
        role = next(role for role, bad in bad_roles.items() if bad.rows[row])
        column = self.columns[role]
        value = (column.to_physical() if column.dtype.is_temporal() else column)[row]
        return self.origin.error(
            row=row,
            column=self.labels[role],
            found=self.origin.empty if value is None else value,
            expected=bad_roles[role].expected,
            hint=joined_hints(bad_roles[role].hint, count),
        )

    def _as_numbers(self, column: pl.Series, role: str) -> pl.Series:
        """The column as floats, null where it holds no number."""
        if column.dtype == pl.String:
            return column.str.strip_chars().cast(pl.Float64, strict=False)
        if column.dtype.is_numeric() or column.dtype in (pl.Boolean, pl.Null):
            return column.cast(pl.Float64)
        raise InputError(file=self.origin.name, column=self.labels[role], found=column.dtype, expected="numbers")

    def _refuse_merged(self, numbers: Float64, role: str) -> None:
        """Raise InputError if different numbers of a column are the same float64.

        That happens to whole numbers from 2**53 on, and to others with more than 15 digits. Scores of different users are
        compared too, since a table does not know whether a metric will compare them (`scores="comparable"`). Texts that
        print one float64 with different numbers of digits are the same number.
        """
        column = self.columns[role]
        if column.dtype.is_float():
            return
        inexact = np.abs(numbers) >= LARGEST_EXACT
        as_text, many_digits = column.dtype == pl.String, False
        if as_text:
            many_digits = bool(column.str.len_bytes().max() > EXACT_DIGITS)  # type: ignore[operator]
        elif isinstance(column.dtype, pl.Decimal):
            many_digits = column.dtype.precision > EXACT_DIGITS
        if not many_digits and not inexact.any():
            return
        number, firsts = distinct_rows((numbers + 0.0).view(np.int64))  # 0.0 and -0.0 are equal
        row, first = np.arange(len(number)), firsts[number]
        again = (row != first) & (many_digits | inexact)
        again[again] = (column.gather(row[again]) != column.gather(first[again])).to_numpy()
        rows = pl.DataFrame({"row": row[again], "first": first[again], "written": column.gather(row[again])})
        for at, at_first, written in rows.unique(("first", "written"), keep="first", maintain_order=True).iter_rows():
            exact, of_first = (Decimal(one.strip() if as_text else one) for one in (written, column[at_first]))
            value = numbers[at]
            if exact != of_first and not (as_text and _is_print_of(value, exact) and _is_print_of(value, of_first)):
                raise self.origin.error(
                    f"two {role}s are equal in double precision, and would tie",
                    row=at,
                    column=self.labels[role],
                    found=written,
                    expected=f"a clear difference from {column[at_first]}",
                    hint="subtract a constant from all of them, or give ranks",
                )

    def _as_times(self, column: pl.Series, role: str) -> pl.Series:
        """The column as whole numbers or datetimes, null where it holds no time."""
        if column.dtype == pl.String:
            return times_of_texts(column.str.strip_chars(), self.time_format)
        if column.dtype in (pl.Date, pl.Datetime):
            return dates_of(column)
        if column.dtype.is_float() or column.dtype.is_integer() or column.dtype == pl.Null:
            return times_of_numbers(column, self.time_format)
        expected, hint = self._expected_time()
        raise InputError(file=self.origin.name, column=self.labels[role], found=column.dtype, expected=expected, hint=hint)

    def _expected_time(self) -> tuple[str, str]:
        return _TIME if self.time_format is None else (f"a date written {self.time_format}", "")


def log_of(table: Table, bad_rows: BadRows = "error") -> Log:
    """Rows of ratings; without a value column every value is 1.

    Columns are read one by one, so that of a file of columns no two are in memory before they are typed.
    """
    if bad_rows == "skip":
        table = table.without_bad_rows()
    users = table.ids("user")
    items = table.ids("item")
    values = table.numbers("value") if "value" in table.labels else np.ones(len(users))
    time: Int64 | None = None
    unit: TimeUnit = "s"
    if "time" in table.labels:
        time, unit = table.times("time")
    columns_read = columns_sentence(table.labels, table.header)
    if columns_read and unit != "s":
        columns_read += f"; times in {IN_WORDS[unit]}"
    log = Log(
        user_id=users,
        item_id=items,
        value=values,
        time=time,
        utility=table.numbers("utility") if "utility" in table.labels else None,
        source=table.origin.name,
        skipped=table.skipped,
        columns_read=columns_read,
        time_unit=unit,
    )
    refuse_swapped(log, table.labels)
    if table.guessed and "value" in table.labels:
        refuse_unnamed_times(log)
    return log


def typed(column: pl.Series, role: str) -> pl.Series | None:
    """A column of texts as ids, exact numbers or whole-number times; None if only the whole table tells what it is."""
    if _missing(column).any():
        return None
    if role in _IDS:
        return id_column(column)
    if role == "time":
        times = column.str.strip_chars().cast(pl.Int64, strict=False)
        return None if times.null_count() else times
    numbers = column.str.strip_chars().cast(pl.Float64, strict=False)
    if numbers.null_count() or column.str.len_bytes().max() > EXACT_DIGITS:  # type: ignore[operator]
        return None
    return numbers if (numbers.abs() < LARGEST_EXACT).all() and not numbers.is_nan().any() else None


def _is_print_of(number: float, exact: Decimal) -> bool:
    """True if a decimal is a float64 rounded to its digits, as programs print it: 0.1 and 0.10000000000000001 both are."""
    return Context(prec=len(exact.as_tuple().digits)).create_decimal_from_float(number) == exact


def correct_all(count: int, rows: str = "rows", *, alike: bool = True) -> str:
    """Hint for the other rows that are bad, `alike` if for the same reason; empty for a single row."""
    return "" if count == 1 else f"correct these {count:,} {rows}" if alike else f"correct all {count:,} bad {rows}"


def joined_hints(*hints: str) -> str:
    """The hints that are not empty, as one."""
    return "; ".join(filter(None, hints))


def counted_reasons(counts: Mapping[str, int]) -> list[str]:
    """Reasons why rows are bad, with their counts."""
    return [f"{reason} ({count:,})" for reason, count in counts.items()]


def _missing(column: pl.Series) -> pl.Series:
    return column.is_null() | (column == "") if column.dtype == pl.String else column.is_null()
