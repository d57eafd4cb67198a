"""Rows by group: counting sorts, places within a group, and one row made of repeated pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import kernel
from heldout.kernels.ordering import sort_key, stable_order


@kernel
def ascending(user: Any, item: Any) -> Any:
    """Whether rows are sorted by user, then item, and no pair occurs twice."""
    for k in range(1, user.shape[0]):
        if user[k] < user[k - 1] or (user[k] == user[k - 1] and item[k] <= item[k - 1]):
            return False
    return True


@kernel
def count_codes(codes: Any, counts: Any) -> None:
    """Add to `counts` how often each code occurs."""
    for code in codes:
        counts[code] += 1


@kernel
def sum_codes(codes: Any, values: Any, sums: Any) -> None:
    """Add to `sums` the values of each code."""
    for k in range(codes.shape[0]):
        sums[codes[k]] += values[k]


@kernel
def gather(source: Any, rows: Any, out: Any) -> None:
    """out = source[rows], whatever whole number type the rows have."""
    for k in range(rows.shape[0]):
        out[k] = source[rows[k]]


@kernel
def order_by(codes: Any, starts: Any, order: Any) -> None:
    """Row numbers by code, equal codes in their order; `starts` is where each code's rows begin, and is used up."""
    for row in range(codes.shape[0]):
        order[starts[codes[row]]] = row
        starts[codes[row]] += 1


@kernel
def reorder_by(codes: Any, before: Any, starts: Any, order: Any) -> None:
    """As `order_by`, of rows that are in the order `before`."""
    for k in range(before.shape[0]):
        row = before[k]
        order[starts[codes[row]]] = row
        starts[codes[row]] += 1


@kernel
def repeats(user: Any, item: Any, order: Any) -> Any:
    """How many rows, in an order by pair, repeat the pair before them, and the place of the first such."""
    count, first = 0, -1
    for k in range(1, order.shape[0]):
        a, b = order[k - 1], order[k]
        if user[a] == user[b] and item[a] == item[b]:
            count += 1
            if first < 0:
                first = k
    return count, first


@kernel
def merge_latest(user: Any, item: Any, order: Any, time: Any, last: Any, group: Any) -> Any:
    """For every distinct pair its row with the largest time, the later row where they are equal; returns their number.

    `time` may be empty. `group` is told the pair of every place of the order.
    """
    n = -1
    for k in range(order.shape[0]):
        row = order[k]
        if k == 0 or user[row] != user[order[k - 1]] or item[row] != item[order[k - 1]]:
            n += 1
            last[n] = row
        elif time.shape[0] == 0 or time[row] >= time[last[n]]:
            last[n] = row
        group[k] = n
    return n + 1


@kernel
def places(indptr: Any, keys: Any, place: Any) -> None:
    """The 0-based place of every row among those of its group, by ascending key, equal keys in their order."""
    for g in range(indptr.shape[0] - 1):
        low, high = indptr[g], indptr[g + 1]
        if high - low < 24:
            for a in range(low, high):
                at = 0
                for b in range(low, high):
                    if keys[b] < keys[a] or (keys[b] == keys[a] and b < a):
                        at += 1
                place[a] = at
            continue
        numbers = np.empty(high - low, np.uint64)
        for at in range(high - low):
            numbers[at] = sort_key(keys[low + at])
        order = stable_order(numbers)
        for at in range(high - low):
            place[low + order[at]] = at


@kernel
def pair_draws(key: Any, first: Any, second: Any, out: Any) -> None:
    """One number in [0, 1) for every pair: what `heldout.rng.uniform` gives, without its intermediate arrays."""
    golden = np.uint64(0x9E3779B97F4A7C15)
    for k in range(first.shape[0]):
        state = np.uint64(key)
        for which in range(2):
            entity = np.uint64(np.int64(first[k] if which == 0 else second[k]))
            state = state + (entity + np.uint64(1)) * golden
            state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            state = state ^ (state >> np.uint64(31))
        out[k] = np.float64(state >> np.uint64(11)) * 2.0**-53


@kernel
def places_by_two(indptr: Any, first: Any, second: Any, place: Any) -> None:
    """As `places`, by the first key and, where it is equal, the second."""
    for g in range(indptr.shape[0] - 1):
        low, high = indptr[g], indptr[g + 1]
        numbers = np.empty(high - low, np.uint64)
        for at in range(high - low):
            numbers[at] = sort_key(second[low + at])
        by_second = stable_order(numbers)
        for at in range(high - low):
            numbers[at] = sort_key(first[low + by_second[at]])
        by_first = stable_order(numbers)
        for at in range(high - low):
            place[low + by_second[by_first[at]]] = at


@kernel
def find_rows(indptr: Any, item: Any, among_indptr: Any, among_item: Any, row: Any) -> None:
    """For every item of a user the row of the same user and item among other rows, −1 where there is none.

    Items ascend within users in both, so one walk finds them.
    """
    for user in range(indptr.shape[0] - 1):
        at, end = among_indptr[user], among_indptr[user + 1]
        for k in range(indptr[user], indptr[user + 1]):
            while at < end and among_item[at] < item[k]:
                at += 1
            row[k] = at if at < end and among_item[at] == item[k] else -1
