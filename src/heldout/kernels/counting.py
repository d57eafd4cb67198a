"""How many columns stand before each of some items: the comparisons that ranking by counting consists of.

Three items are counted in one pass over the columns, each column compared once: `x ≥ s` left of an item's own place is
`x > s′`, s′ being the next lower float, so both sides of a place differ in the threshold alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import kernel

CHUNK = 8192
"""Columns counted at a time, so that they stay in the nearest cache while all items pass over them."""
SMALL = 128
"""Columns of an atom up to which cutting them at places costs more than comparing places."""


def _three_masked(values: Any, low: Any, high: Any, one: Any, a: Any, b: Any, c: Any) -> Any:
    n0 = n1 = n2 = zero = np.int32(0)
    for p in range(low, high):
        x = values[p]
        n0 = np.int32(n0 + (one if x > a else zero))
        n1 = np.int32(n1 + (one if x > b else zero))
        n2 = np.int32(n2 + (one if x > c else zero))
    return n0, n1, n2


def _three_plain(values: Any, low: Any, high: Any, one: Any, a: Any, b: Any, c: Any) -> Any:
    n0 = n1 = n2 = np.int32(0)
    for p in range(low, high):
        x = values[p]
        n0 = np.int32(n0 + np.int32(x > a))
        n1 = np.int32(n1 + np.int32(x > b))
        n2 = np.int32(n2 + np.int32(x > c))
    return n0, n1, n2


def _three_small(values: Any, low: Any, high: Any, one: Any, a: Any, b: Any, c: Any) -> Any:
    part = values[low:high]
    return tuple(np.int32(np.count_nonzero(part > least)) for least in (a, b, c))


_three = kernel(_three_plain, small=_three_small, masked=_three_masked)
"""How many of the columns low…high−1 are above each of three thresholds. `one` is 1, but the compiler must not know it: it
then adds under a mask where the processor can, a third faster than making ones of the mask first."""


def _count_few_small(values: Any, low: Any, last: Any, n: int, left: Any, right: Any, place: Any, out: Any) -> None:
    x, at = values[low:last, None], np.arange(low, last)[:, None]
    out[:n] = np.count_nonzero((x > right[:n]) | ((x > left[:n]) & (at < place[:n])), axis=0)


@kernel(small=_count_few_small)
def _count_few(values: Any, low: Any, last: Any, n: int, left: Any, right: Any, place: Any, out: Any) -> None:
    """As `count_columns` in one small atom: its columns one by one, each compared with all items."""
    for p in range(low, last):
        x, at = values[p], np.int32(p)
        for e in range(n):
            out[e] = np.int32(out[e] + np.int32((x > right[e]) | ((x > left[e]) & (at < place[e]))))


@kernel
def count_columns(values: Any, start: Any, n: int, left: Any, right: Any, place: Any, out: Any) -> None:
    """For n items (rounded up to three; the rest has thresholds of ∞) how many columns of each atom are before them.

    A column is before item e when it is above `left[e]` and stands left of `place[a, e]`, or above `right[e]` and does not.
    Places ascend with e.
    """
    one = np.int32(start[0] + 1)
    for a in range(start.shape[0] - 1):
        low, last = np.uint64(start[a]), np.uint64(start[a + 1])
        for e in range(n + 2):
            out[a, e] = 0
        if last - low <= np.uint64(SMALL):
            _count_few(values, low, last, n, left, right, place[a], out[a])
            continue
        while low < last:
            high = min(low + np.uint64(CHUNK), last)
            for e in range(0, n, 3):
                begin = low
                # the k-th stretch lies behind the places of the first k items and before those of the others
                for k in range(4):
                    end = min(max(np.uint64(place[a, e + k]), begin), high) if k < 3 else high
                    if end > begin:
                        n0, n1, n2 = _three(
                            values,
                            begin,
                            end,
                            one,
                            right[e] if k > 0 else left[e],
                            right[e + 1] if k > 1 else left[e + 1],
                            right[e + 2] if k > 2 else left[e + 2],
                        )
                        out[a, e] += n0
                        out[a, e + 1] += n1
                        out[a, e + 2] += n2
                        begin = end
            low = high


@kernel
def count_above(values: Any, start: Any, n: int, threshold: Any, out: Any) -> None:
    """For n items (rounded up to three; the rest has thresholds of ∞) how many columns of each atom are above them."""
    one = np.int32(start[0] + 1)
    for a in range(start.shape[0] - 1):
        low, last = np.uint64(start[a]), np.uint64(start[a + 1])
        for e in range(n + 2):
            out[a, e] = 0
        while low < last:
            high = min(low + np.uint64(CHUNK), last)
            for e in range(0, n, 3):
                n0, n1, n2 = _three(values, low, high, one, threshold[e], threshold[e + 1], threshold[e + 2])
                out[a, e] += n0
                out[a, e + 1] += n1
                out[a, e + 2] += n2
            low = high
