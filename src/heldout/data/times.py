"""Times as whole numbers or dates, and what of them is none."""

from __future__ import annotations

import numpy as np
import polars as pl

from heldout.tables.arrays import Int64

_DATE = r"^(\d{4})[-/](\d{2})[-/](\d{2})"
_HOUR = r"(?:[T ](\d{2}:\d{2})(:\d{2})?(?:[.,]\d+)?"
_ZONE = r" ?(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d)?)?)?$"
ISO = _DATE + _HOUR + _ZONE
"""A date such as 2004-05-31, perhaps with a time of day, that perhaps with a zone; without one it is UTC."""
_YEARS = -62_135_596_800, 253_402_300_799
"""Seconds from the year 1 to the end of the year 9999, beyond which no date can be shown."""
_PARTS = {"ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}


def times_of_texts(column: pl.Series, time_format: str | None) -> pl.Series:
    """Texts as dates or as whole numbers, null where one is no time: as dates where more of them are dates than numbers."""
    if time_format is not None:
        return dates_of(column.str.to_datetime(time_format, strict=False, time_unit="us"))
    whole = column.cast(pl.Int64, strict=False)
    if not whole.null_count():
        return whole
    number = column.cast(pl.Float64, strict=False)
    if int(column.str.contains(ISO).sum()) > int(number.is_not_null().sum()):
        return _dates_of_iso(column)
    return whole_numbers(number)


def whole_numbers(column: pl.Series) -> pl.Series:
    """Numbers rounded down, null where one is not finite or does not fit 64 bits."""
    if column.dtype.is_integer() or column.dtype == pl.Null:
        return column.cast(pl.Int64, strict=False)
    finite = column.is_finite().fill_null(False)
    return pl.select(pl.when(finite).then(column.floor())).to_series().cast(pl.Int64, strict=False)


def dates_of(column: pl.Series) -> pl.Series:
    """Dates, with or without a time of day, to the second; null where the year has not four digits."""
    physical = column.to_physical().cast(pl.Int64)
    unit = getattr(column.dtype, "time_unit", None)
    seconds = physical * 86_400 if unit is None else physical // _PARTS[unit]
    inside = seconds.is_between(*_YEARS).fill_null(False)
    return pl.select(pl.when(inside).then(seconds * 1000)).to_series().cast(pl.Datetime("ms"))


def power_of(whole: Int64) -> tuple[int, int]:
    """How many thousands a unit has in a second (seconds 0, milliseconds 1, …), by the largest time; and that one."""
    largest = max(int(whole.max(initial=0)), -int(whole.min(initial=0)))
    return sum(largest >= limit for limit in (1e11, 1e14, 1e17)), largest


def _dates_of_iso(column: pl.Series) -> pl.Series:
    part = column.str.extract_groups(ISO).struct
    year, month, day, minute, second, sign, hours, minutes = (part.field(str(k)) for k in range(1, 9))
    text = year + "-" + month + "-" + day + " " + minute.fill_null("00:00") + second.fill_null(":00")
    local = text.str.to_datetime("%Y-%m-%d %H:%M:%S", strict=False, time_unit="ms")
    if sign.null_count() < len(sign):
        away = hours.cast(pl.Int64).fill_null(0) * 3_600_000 + minutes.cast(pl.Int64).fill_null(0) * 60_000
        east = np.where((sign == "-").fill_null(False).to_numpy(), -1, 1)
        local = (local.to_physical() - away * pl.Series(east)).cast(pl.Datetime("ms"))
    return dates_of(local)
