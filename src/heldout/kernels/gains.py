"""Gains of rated items: put in order for the ideal list, cumulated, and turned into chances of stopping."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import kernel


@kernel
def find_levels(bits: Any, flags: Any, level: Any, values: Any, used: Any) -> Any:
    """Number distinct values by first occurrence: rows get twice that number, plus their flag.

    Fills `level`, `values` and which levels are `used`; returns the number of values, −1 where `values` is too short.
    `bits` are floats seen as int64, which a hash table of 1024 places holds; `values` has room for at most 128.
    """
    number = np.full(1024, -1, np.int32)
    n = 0
    for p in range(bits.shape[0]):
        # Floats of few digits differ in their leading bits only: a product carries them up, its 10 highest are taken.
        at = (np.uint64(bits[p]) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(54)
        while number[at] >= 0 and values[number[at]] != bits[p]:
            at = (at + np.uint64(1)) & np.uint64(1023)
        if number[at] < 0:
            if n == values.shape[0]:
                return -1
            values[n] = bits[p]
            number[at] = n
            n += 1
        kind = 2 * number[at] + flags[p]
        level[p] = kind
        used[kind] = True
    return n


@kernel
def ideal_sums(indptr: Any, level: Any, values: Any, order: Any, weight: Any, depth: int, out: Any) -> None:
    """The sum of each list's `depth` highest values, each times the weight of its place.

    `level` says which of the distinct `values` a row has, and `order` puts these from the highest to the lowest.
    """
    counts = np.zeros(values.shape[0], np.int64)
    for k in range(indptr.shape[0] - 1):
        low, high = np.uint64(indptr[k]), np.uint64(indptr[k + 1])
        last = np.int64(min(high - low, np.uint64(depth)))
        for p in range(low, high):
            counts[level[p]] += 1
        total = 0.0
        place = 0
        for v in order:
            end = min(place + counts[v], last)
            counts[v] = 0
            while place < end:
                place += 1
                total += values[v] * weight[place]
        out[k] = total


@kernel
def sort_down(indptr: Any, level: Any, values: Any, order: Any, out: Any) -> None:
    """Each list's values from the highest to the lowest, by counting.

    `level` says which of the distinct `values` a row has, and `order` puts these from the highest to the lowest; where
    there are more than 256, they are in that order already.
    """
    counted = values.shape[0] <= 256
    counts = np.zeros(values.shape[0] if counted else 0, np.int64)
    for k in range(indptr.shape[0] - 1):
        low, high = np.uint64(indptr[k]), np.uint64(indptr[k + 1])
        if counted:
            for p in range(low, high):
                counts[level[p]] += 1
            place = low
            for v in order:
                end = place + np.uint64(counts[v])
                counts[v] = 0
                while place < end:
                    out[place] = values[v]
                    place += np.uint64(1)
        else:
            ordered = np.sort(level[low:high])
            for p in range(high - low):
                out[low + p] = values[ordered[p]]


@kernel
def cumulate(indptr: Any, values: Any, out: Any) -> None:
    """For every entry, the sum of its list's values up to and with it."""
    for k in range(indptr.shape[0] - 1):
        total = 0.0
        for p in range(np.uint64(indptr[k]), np.uint64(indptr[k + 1])):
            total += values[p]
            out[p] = total


@kernel
def sum_gains(indptr: Any, rank: Any, row: Any, gain: Any, weight: Any, n: int, out: Any) -> None:
    """The sum of each list's gains up to rank n, each times the weight of its rank; gains are those of rows."""
    for k in range(indptr.shape[0] - 1):
        total = 0.0
        for p in range(np.uint64(indptr[k]), np.uint64(indptr[k + 1])):
            if rank[p] > n:
                break
            total += gain[np.uint64(row[p])] * weight[np.uint32(rank[p])]
        out[k] = total


@kernel
def cumulate_gains(indptr: Any, rank: Any, row: Any, gain: Any, weight: Any, out: Any) -> None:
    """For every entry, the sum of its list's gains up to and with it, each times the weight of its rank."""
    for k in range(indptr.shape[0] - 1):
        total = 0.0
        for p in range(np.uint64(indptr[k]), np.uint64(indptr[k + 1])):
            total += gain[np.uint64(row[p])] * weight[np.uint32(rank[p])]
            out[p] = total


@kernel
def cumulate_ideal(indptr: Any, gain: Any, weight: Any, out: Any) -> None:
    """For every place of ideal lists, the sum of gains up to and with it, each times the weight of its place."""
    for k in range(indptr.shape[0] - 1):
        low = np.uint64(indptr[k])
        total = 0.0
        for p in range(np.uint64(indptr[k + 1]) - low):
            total += gain[low + p] * weight[p + np.uint64(1)]
            out[low + p] = total


@kernel
def stop_at(indptr: Any, rank: Any, row: Any, chance: Any, n: int, out: Any) -> None:
    """The expected reciprocal rank at which a user stops who stops at a row with its chance, up to rank n."""
    for k in range(indptr.shape[0] - 1):
        total, left = 0.0, 1.0
        for p in range(np.uint64(indptr[k]), np.uint64(indptr[k + 1])):
            if rank[p] > n:
                break
            stop = chance[np.uint64(row[p])]
            total += left * stop / rank[p]
            left *= 1.0 - stop
        out[k] = total


@kernel
def cumulate_stops(indptr: Any, rank: Any, row: Any, chance: Any, out: Any) -> None:
    """As `stop_at`, for every entry up to and with it."""
    for k in range(indptr.shape[0] - 1):
        total, left = 0.0, 1.0
        for p in range(np.uint64(indptr[k]), np.uint64(indptr[k + 1])):
            stop = chance[np.uint64(row[p])]
            total += left * stop / rank[p]
            left *= 1.0 - stop
            out[p] = total


@kernel
def blend(indptr: Any, rank: Any, gain: Any, of_user: Any, ideal_indptr: Any, ideal: Any, beta: float, out: Any) -> None:
    """The blended ratio of every hit: (hits + β gains so far) / (rank + β ideal gains up to that rank).

    `ideal` holds each user's gains cumulated in the ideal order.
    """
    for k in range(indptr.shape[0] - 1):
        low = indptr[k]
        first, last = ideal_indptr[of_user[k]], ideal_indptr[of_user[k] + 1]
        got = 0.0
        for p in range(low, indptr[k + 1]):
            got += gain[p]
            best = 0.0
            if last > first:
                best = ideal[min(first + rank[p], last) - 1]
            out[p] = (p - low + 1 + beta * got) / (rank[p] + beta * best)
