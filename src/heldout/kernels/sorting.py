"""Columns put in order at once, where a user has so many rated items that counting for each would cost more."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import by_type, kernel
from heldout.kernels.widths import is_double, order_group, single

BITS = 11
BINS = 1 << BITS


@kernel
def _descending(bits: Any) -> Any:
    """The bits of a float32 as a number that falls as the float rises; the two zeros are one."""
    if bits == np.uint32(0x80000000):
        bits = np.uint32(0)
    if bits >> np.uint32(31):
        return bits
    return ~(bits | np.uint32(0x80000000))


@kernel
def _by_key(key: Any, place: Any, n: Any) -> Any:
    """Places by ascending key, equal ones in their order: three passes of eleven bits."""
    other_key, other = np.empty(n, np.uint32), np.empty(n, np.int32)
    begin = np.empty(BINS, np.int64)
    for shift in range(0, 33, BITS):
        begin[:] = 0
        for p in range(n):
            begin[(key[p] >> np.uint32(shift)) & np.uint32(BINS - 1)] += 1
        total = 0
        for b in range(BINS):
            count = begin[b]
            begin[b] = total
            total += count
        for p in range(n):
            b = (key[p] >> np.uint32(shift)) & np.uint32(BINS - 1)
            other_key[begin[b]], other[begin[b]] = key[p], place[p]
            begin[b] += 1
        key, other_key = other_key, key
        place, other = other, place
    return key, place


def order_rounded(values: Any, column_of: Any, key: Any, item: Any, m: Any) -> None:
    """Put items of equal keys in order if the keys were rounded: scores of float32 are keys as they are."""
    if is_double(values):
        _order_rounded(values, column_of, key, item, m)


@by_type(order_rounded)
def _order_of_width(values: Any, column_of: Any, key: Any, item: Any, m: Any) -> Any:
    if str(values.dtype) == "float64":
        return lambda values, column_of, key, item, m: _order_rounded(values, column_of, key, item, m)
    return lambda values, column_of, key, item, m: None


@kernel
def _order_rounded(values: Any, column_of: Any, key: Any, item: Any, m: Any) -> None:
    """Order items whose rounded values are equal by the values themselves, and number the values anew as keys."""
    column = np.empty(m, np.int64)
    for p in range(m):
        column[p] = column_of[item[p]]
    item_at = np.empty(column_of.shape[0], np.int32)
    for p in range(m):
        item_at[column[p]] = item[p]
    low = np.int64(0)
    while low < m:
        high = low + 1
        while high < m and key[high] == key[low]:
            high += 1
        order_group(values, column, low, high)
        low = high
    number = np.uint32(0)
    for p in range(m):
        if p > 0 and values[column[p]] != values[column[p - 1]]:
            number += np.uint32(1)
        key[p], item[p] = number, item_at[column[p]]


@kernel
def sort_columns(
    values: Any,
    by_tie: Any,
    column_of: Any,
    order: Any,
    start: Any,
    atom_of: Any,
    row_item: Any,
    row: Any,
    n_rows: int,
    before: Any,
    higher: Any,
    upto: Any,
) -> None:
    """For each of the rows, the columns of every atom before it, with a higher score, and with one at least as high.

    `by_tie` are the items by tie key and `column_of` their columns. Itself is among those at least as high.
    """
    n, n_atoms = order.shape[0], start.shape[0] - 1
    bits = single(values).view(np.uint32)
    key, item = np.empty(n, np.uint32), np.empty(n, np.int32)
    m = np.int64(0)
    for p in range(n):
        c = column_of[by_tie[p]]
        if values[c] == values[c]:
            key[m], item[m] = _descending(bits[c]), by_tie[p]
            m += 1
    key, item = _by_key(key, item, m)
    order_rounded(values, column_of, key, item, m)
    place = np.full(n, -1, np.int32)
    for e in range(n_rows):
        place[row_item[row[e]]] = e
    seen = np.zeros(n_atoms, np.int32)
    first = np.zeros(n_atoms, np.int32)
    p = 0
    while p < m:
        for a in range(n_atoms):
            first[a] = seen[a]
        end = p
        while end < m and key[end] == key[p]:
            e = place[item[end]]
            if e >= 0:
                for a in range(n_atoms):
                    before[a, e] = seen[a]
            seen[atom_of[item[end]]] += 1
            end += 1
        for q in range(p, end):
            e = place[item[q]]
            if e >= 0:
                for a in range(n_atoms):
                    higher[a, e], upto[a, e] = first[a], seen[a]
        p = end
