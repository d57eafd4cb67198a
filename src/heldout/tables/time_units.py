"""Units of times since 1970: whole numbers of 64 bits in the coarsest unit that loses nothing.

Times in whole seconds are in seconds, however a file writes them. Finer times stay as they are, in milliseconds,
microseconds or nanoseconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
import polars as pl

from heldout.errors import InputError
from heldout.tables.arrays import Int64

TimeUnit = Literal["s", "ms", "us", "ns"]
PER_SECOND: dict[TimeUnit, int] = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
"""How many of each unit a second has, the coarsest unit first."""
UNITS: tuple[TimeUnit, ...] = tuple(PER_SECOND)
IN_WORDS: dict[TimeUnit, str] = {"s": "seconds", "ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds"}
_LARGEST = 2**63 - 1


def coarsest(time: Int64, unit: TimeUnit) -> tuple[Int64, TimeUnit]:
    """The times in the coarsest unit in which all of them are whole numbers, and that unit.

    Example: 1,000 and 2,000 ms are 1 and 2 s; 1,000 and 2,500 ms stay as they are.
    """
    while unit != "s" and not np.any(time % 1000):
        time, unit = time // 1000, UNITS[UNITS.index(unit) - 1]
    return time, unit


def finest(units: Iterable[TimeUnit]) -> TimeUnit:
    """The finest of several units, in which the times of all can be written; seconds if there are none."""
    return max(units, key=UNITS.index, default="s")


def converted(time: Int64, unit: TimeUnit, wanted: TimeUnit, *, source: str = "") -> Int64:
    """The times in a unit that is at least as fine; InputError if one of them then has more than 64 bits."""
    factor = PER_SECOND[wanted] // PER_SECOND[unit]
    if factor == 1:
        return time
    farthest = max(int(time.max(initial=0)), int(time.min(initial=0)), key=abs)
    if abs(farthest) > _LARGEST // factor:
        raise InputError(
            f"a time of {IN_WORDS[unit]} does not fit 64 bits in {IN_WORDS[wanted]}, the unit of other times",
            file=source or None,
            found=farthest,
            hint="give all times in the same unit",
        )
    return time * factor


def whole_seconds(time: Int64, unit: TimeUnit) -> Int64:
    """Whole seconds since 1970, rounded down."""
    return time if unit == "s" else np.asarray(time // PER_SECOND[unit], dtype=np.int64)


def time_series(time: Int64, unit: TimeUnit) -> pl.Series:
    """Times as a column that records its unit: whole seconds as numbers, finer times as datetimes in UTC."""
    column = pl.Series(time)
    return column if unit == "s" else column.cast(pl.Datetime(unit))


def times_of_series(column: pl.Series) -> tuple[Int64, TimeUnit]:
    """The times of a column that `time_series` wrote, and their unit."""
    unit: TimeUnit = column.dtype.time_unit if isinstance(column.dtype, pl.Datetime) else "s"
    return column.to_physical().to_numpy(), unit
