"""One axis of a drawing: its range, and words at some places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from heldout.words import number


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One axis: from `start` to `end`, which may be below it, with words at some places."""

    start: float
    end: float
    ticks: Sequence[tuple[float, str]]
    label: str

    def place(self, value: float) -> float:
        """Where a value stands, from 0 to 1; in the middle where both ends are the same."""
        return (value - self.start) / (self.end - self.start) if self.end != self.start else 0.5


PERCENT_TICKS = [(share / 4, f"{25 * share}%") for share in range(5)]
"""Of shares from 0 to 1."""


def round_ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Round numbers within a range, at the widest step of which it has three, with as many digits as they need."""
    largest = math.floor(math.log10(high - low))
    steps = [(factor, exponent) for exponent in (largest, largest - 1) for factor in (5, 2, 1)]
    factor, exponent = next(s for s in steps if (high - low) >= 3 * s[0] * 10.0 ** s[1])
    step = factor * 10.0**exponent
    ticks = [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return [(tick, number(tick, max(0, -exponent))) for tick in ticks]


def widened(values: Sequence[float], *, zero: bool = False) -> tuple[float, float]:
    """The range with a margin, or from 0 where `zero` is asked for; something where all are alike."""
    low, high = min(values), max(values)
    margin = 0.06 * (high - low) or 0.06 * abs(high) or 0.01
    return (min(0.0, low - margin if low < 0 else 0.0) if zero else low - margin), high + margin


def axis_of(values: Sequence[float], label: str, *, zero: bool = False) -> Axis:
    """An axis of round numbers that holds these values."""
    low, high = widened(values, zero=zero)
    return Axis(start=low, end=high, ticks=round_ticks(low, high), label=label)
