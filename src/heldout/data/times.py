"""Times as whole numbers or dates, in the unit that a column is in; and what of a column is not a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import polars as pl

from heldout.tables.arrays import Float64, Int64
from heldout.tables.time_units import PER_SECOND, UNITS, TimeUnit, coarsest, times_of_series

_DATE = r"^(\d{4})[-/](\d{2})[-/](\d{2})"
_HOUR = r"(?:[T ](\d{2}:\d{2})(:\d{2})?(?:[.,](\d+))?"
_ZONE = r" ?(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d)?)?)?$"
ISO = _DATE + _HOUR + _ZONE
"""A date such as 2004-05-31, perhaps with a time of day, that perhaps with a zone; without one it is UTC."""
_YEARS = -62_135_596_800, 253_402_300_799
"""Seconds from the year 1 to the end of the year 9999, beyond which no date can be shown."""
_NANOSECONDS = 9_223_372_035
"""Seconds before and after 1970 that fit 64 bits in nanoseconds."""
_MINUTES, _SECONDS = 12, 14
"""Digits of dates up to the minute and up to the second."""
_WRITTEN = {4: "%Y", 6: "%Y%m", 8: "%Y%m%d", _MINUTES: "%Y%m%d%H%M", _SECONDS: "%Y%m%d%H%M%S"}
"""How dates that are written as one number are, by their digits."""


def times_of_texts(column: pl.Series, time_format: str | None) -> pl.Series:
    """Texts as dates if most of them are dates, otherwise as numbers; null for a text that is not a time."""
    if time_format is not None:
        return _dates_as_written(column, time_format)
    whole = column.cast(pl.Int64, strict=False)
    if not whole.null_count():
        return whole
    number = column.cast(pl.Float64, strict=False)
    if int(column.str.contains(ISO).sum()) > int(number.is_not_null().sum()):
        return _dates_of_iso(column)
    return times_of_numbers(number)


def times_of_numbers(column: pl.Series, time_format: str | None = None) -> pl.Series:
    """Numbers as whole numbers, or as fractions if one has a fraction; null if a number is not finite or exceeds 64 bits."""
    if column.dtype.is_integer() or column.dtype == pl.Null:
        whole = column.cast(pl.Int64, strict=False)
    else:
        finite = column.is_finite().fill_null(False) & (column.abs() < 2.0**63).fill_null(False)
        number = pl.select(pl.when(finite).then(column)).to_series().cast(pl.Float64)
        if time_format is None and not (number == number.floor()).all():
            return number
        whole = pl.select(pl.when(number == number.floor()).then(number)).to_series().cast(pl.Int64)
    if time_format is None:
        return whole
    digits = datetime(2004, 10, 10, 10, 10, 10, 100_000, UTC).strftime(time_format.replace("%s", ""))
    texts = whole.cast(pl.String)
    return _dates_as_written(texts.str.zfill(len(digits)) if digits.isdecimal() else texts, time_format)


def dates_of(column: pl.Series) -> pl.Series:
    """Dates, with or without a time of day, in their own unit; null where the year has not four digits."""
    unit = getattr(column.dtype, "time_unit", None)
    physical = column.to_physical().cast(pl.Int64)
    seconds = physical * 86_400 if unit is None else physical // PER_SECOND[unit]
    inside = seconds.is_between(*_YEARS).fill_null(False)
    time = pl.select(pl.when(inside).then(seconds * 1000 if unit is None else physical)).to_series()
    return time.cast(pl.Datetime(unit or "ms"))


@dataclass(frozen=True)
class TwoUnits:
    """A time that would be in seconds among times of a finer unit."""

    row: int
    rows: int
    """Number of such rows."""
    largest: int


_IN_SECONDS = (1e8, 1e10)
"""Whole numbers that are seconds of 1973 to 2286; as milliseconds they would all be of early 1970."""


def in_one_unit(times: pl.Series) -> tuple[Int64, TimeUnit] | TwoUnits:
    """Times without nulls as whole numbers of the coarsest unit that loses nothing.

    Numbers are seconds, or milliseconds, micro- or nanoseconds if the largest is beyond any plausible second: 1e11
    seconds is the year 5138, 1e11 milliseconds 1973. Fractions are kept to the nanosecond, as far as 64 bits allow.
    """
    if isinstance(times.dtype, pl.Datetime):
        return coarsest(*times_of_series(times))
    number = times.to_numpy()
    unit, largest = unit_of(number)
    if unit != "s":
        other = (number >= _IN_SECONDS[0]) & (number < _IN_SECONDS[1])
        if other.any():
            return TwoUnits(int(other.argmax()), int(other.sum()), largest)
    return coarsest(number, unit) if times.dtype == pl.Int64 else coarsest(*_whole(number, unit))


def unit_of(number: Int64 | Float64) -> tuple[TimeUnit, int]:
    """The unit of times that are written as numbers, by the largest of them; and that one."""
    largest = max(int(number.max(initial=0)), -int(number.min(initial=0)))
    return UNITS[sum(largest >= limit for limit in (1e11, 1e14, 1e17))], largest


def number_of_date(times: pl.Series) -> str | None:
    """How dates are written, if all of these whole numbers look like dates, such as 20040531, or years since 1900.

    Months are looked at from 6 digits on, days from 8 on, hours and minutes from 12 on.
    """
    if times.dtype != pl.Int64 or len(times) == 0:
        return None
    low, high = int(times.min()), int(times.max())  # type: ignore[arg-type]
    digits = len(str(low))
    if digits not in _WRITTEN or not 1900 <= low // 10 ** (digits - 4) <= high // 10 ** (digits - 4) <= 2100:
        return None
    parts = times.to_numpy() % 10 ** (digits - 4)
    limits = ((6, 1, 12), (8, 1, 31), (10, 0, 23), (_MINUTES, 0, 59), (_SECONDS, 0, 59))
    for place, least, most in limits:
        if place <= digits:
            part = parts // 10 ** (digits - place) % 100
            if part.min() < least or part.max() > most:
                return None
    return _WRITTEN[digits]


def _whole(number: Float64, unit: TimeUnit) -> tuple[Int64, TimeUnit]:
    """Fractions as whole numbers of the coarsest unit in which all are whole, or else of the finest that fits 64 bits."""
    finer = [(PER_SECOND[u] // PER_SECOND[unit], u) for u in UNITS[UNITS.index(unit) :]]
    largest = float(np.abs(number).max())
    fitting = [(factor, u) for factor, u in finer if largest * factor < 2.0**63]
    for factor, u in fitting:
        scaled = np.rint(number * factor)
        if (scaled / factor == number).all():
            return scaled.astype(np.int64), u
    return scaled.astype(np.int64), fitting[-1][1]


def _dates_as_written(column: pl.Series, time_format: str) -> pl.Series:
    """Dates in texts, to the microsecond, and to the nanosecond if the form has fractions and all years allow it."""
    dates = column.str.to_datetime(time_format, strict=False, time_unit="us")
    seconds = dates.to_physical() // PER_SECOND["us"]
    if "f" in time_format and seconds.is_between(-_NANOSECONDS, _NANOSECONDS).all():
        dates = column.str.to_datetime(time_format, strict=False, time_unit="ns")
    return dates_of(dates)


def _dates_of_iso(column: pl.Series) -> pl.Series:
    """ISO dates in the unit of their finest fraction; null where one is not a date or does not fit 64 bits."""
    part = column.str.extract_groups(ISO).struct
    year, month, day, minute, second, fraction, sign, hours, minutes = (part.field(str(k)) for k in range(1, 10))
    text = year + "-" + month + "-" + day + " " + minute.fill_null("00:00") + second.fill_null(":00")
    local = text.str.to_datetime("%Y-%m-%d %H:%M:%S", strict=False, time_unit="ms")
    if sign.null_count() < len(sign):
        away = hours.cast(pl.Int64).fill_null(0) * 3_600_000 + minutes.cast(pl.Int64).fill_null(0) * 60_000
        east = np.where((sign == "-").fill_null(False).to_numpy(), -1, 1)
        local = (local.to_physical() - away * pl.Series(east)).cast(pl.Datetime("ms"))
    if fraction.null_count() == len(fraction):
        return dates_of(local)
    nano = fraction.fill_null("").str.slice(0, 9).str.pad_end(9, "0").cast(pl.Int64)
    _, unit = coarsest(nano.to_numpy(), "ns")
    unit = unit if unit != "s" else "ms"
    seconds, per_second = local.to_physical() // 1000, PER_SECOND[unit]
    if unit == "ns":
        seconds = pl.select(pl.when(seconds.is_between(-_NANOSECONDS, _NANOSECONDS)).then(seconds)).to_series()
    return dates_of((seconds * per_second + nano // (PER_SECOND["ns"] // per_second)).cast(pl.Datetime(unit)))
