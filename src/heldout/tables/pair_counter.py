"""How often whole numbers, or pairs of one and a value, occur in rows that come block by block."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.tables.arrays import Float64, Int64

_SLOTS = 1 << 12
_MOST = 1 << 20
"""Distinct values above which sorting is as good as counting."""
_BLOCK = 1 << 22
_HALVES, _FEW = 1 << 12, 1 << 18
"""Multiples of ½ that are counted in a table, and how many values at a time."""
_NO_COUNTS, _NO_BITS = np.empty(0, np.int64), np.empty(0, np.uint64)


class PairCounter:
    """Counts in a hash that grows with the distinct pairs, not with the rows."""

    def __init__(self) -> None:
        self._slots, self.used = _empty(_SLOTS), 0

    def add(self, number: Int64, value: Float64 | None = None) -> None:
        """Count these rows; without values every value is 0."""
        bits = _NO_BITS if value is None else (value + 0.0).view(np.uint64)  # −0 is 0
        done = self._add(number, bits, _NO_COUNTS, 0)
        while done < len(number):
            numbers, values, counts = self._slots
            there = counts > 0
            self._slots, self.used = _empty(4 * len(counts)), 0
            self._add(numbers[there], values[there], counts[there], 0)
            done = self._add(number, bits, _NO_COUNTS, done)

    def pairs(self) -> tuple[Int64, Float64, Int64]:
        """The distinct numbers with their values, in no order, and how often each pair occurred."""
        numbers, values, counts = self._slots
        there = counts > 0
        return numbers[there], values[there].view(np.float64), counts[there]

    def _add(self, number: Int64, bits: NDArray[np.uint64], count: Int64, first: int) -> int:
        from heldout.kernels.pair_counts import add_pairs

        done, self.used = add_pairs(number, bits, count, first, self.used, *self._slots)
        return int(done)


def distinct_counts(values: Float64) -> tuple[Float64, Int64]:
    """The distinct values, ascending, and how often each occurs: as `np.unique`, without sorting a copy of all rows."""
    if (of_halves := _counts_of_halves(values)) is not None:
        return of_halves
    counter = PairCounter()
    for start in range(0, len(values), _BLOCK):
        counter.add((values[start : start + _BLOCK] + 0.0).view(np.int64))
        if counter.used > _MOST:
            distinct, counts = np.unique(values, return_counts=True)
            return distinct, counts
    numbers, _, counts = counter.pairs()
    distinct = numbers.view(np.float64)
    order = np.argsort(distinct)
    return distinct[order], counts[order]


def _counts_of_halves(values: Float64) -> tuple[Float64, Int64] | None:
    """The same if all values are small multiples of ½, as most ratings and counts are; None otherwise."""
    counts = np.zeros(_HALVES, np.int64)
    for start in range(0, len(values), _FEW):
        block = values[start : start + _FEW]
        if not (block.min() >= 0 and block.max() < _HALVES / 2):  # NaN is neither
            return None
        doubled = 2 * block
        whole = doubled.astype(np.int64)
        if (whole != doubled).any():
            return None
        counts += np.bincount(whole, minlength=_HALVES)
    distinct = np.flatnonzero(counts)
    return distinct / 2, counts[distinct]


def _empty(n: int) -> tuple[Int64, NDArray[np.uint64], Int64]:
    return np.empty(n, np.int64), np.empty(n, np.uint64), np.zeros(n, np.int64)
