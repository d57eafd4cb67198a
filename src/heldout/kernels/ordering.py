"""Stable sorting inside kernels, in one signature: Numba's own argsort compiles anew for every type of key."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import by_type, kernel

RUN = 12
"""Length of the runs that are sorted by insertion before they are merged."""
SIGN = np.uint64(1 << 63)
ONE = np.uint64(1)


def sort_key(value: Any) -> Any:
    """An unsigned number in the order of the value: NaN comes last, and the two zeros are equal."""
    if isinstance(value, np.floating | float):
        return _key_of_float(value)
    return np.uint64(value) if isinstance(value, np.unsignedinteger) else np.uint64(np.int64(value)) ^ SIGN


@by_type(sort_key)
def _sort_key(value: Any) -> Any:
    if str(value).startswith(("float", "Literal[float]")):
        return lambda value: _key_of_float(value)
    if str(value).startswith("uint"):
        return lambda value: np.uint64(value)
    return lambda value: np.uint64(np.int64(value)) ^ SIGN


@kernel
def _key_of_float(value: Any) -> Any:
    number = np.float64(value)
    if number != number:
        return ~np.uint64(0)
    bits = np.float64(number + 0.0).view(np.uint64)  # −0 + 0 is 0
    return ~bits if bits & SIGN else bits | SIGN


@kernel
def stable_order(keys: Any) -> Any:
    """Places by ascending key, equal keys in their order; `keys` are uint64."""
    n = keys.shape[0]
    order, merged = np.empty(n, np.int64), np.empty(n, np.int64)
    for low in range(0, n, RUN):
        for p in range(low, min(low + RUN, n)):
            q, key = p, keys[p]
            while q > low and keys[order[q - 1]] > key:
                order[q] = order[q - 1]
                q -= 1
            order[q] = p
    width = RUN
    while width < n:
        for low in range(0, n, 2 * width):
            middle, high = min(low + width, n), min(low + 2 * width, n)
            left, right, to = np.uint64(low), np.uint64(middle), np.uint64(low)
            if middle < high and keys[order[middle - 1]] > keys[order[middle]]:
                while left < np.uint64(middle) and right < np.uint64(high):
                    a, b = order[left], order[right]
                    stays = keys[a] <= keys[b]
                    merged[to] = a if stays else b
                    left += np.uint64(stays)
                    right += np.uint64(not stays)
                    to += ONE
            while left < np.uint64(middle):
                merged[to] = order[left]
                left += ONE
                to += ONE
            while right < np.uint64(high):
                merged[to] = order[right]
                right += ONE
                to += ONE
        order, merged = merged, order
        width *= 2
    return order


@kernel
def sort_numbers(numbers: Any, n: Any, room: Any) -> Any:
    """The first n numbers in ascending order, either in place or in `room`: the array that holds them."""
    for low in range(0, n, RUN):
        for p in range(low, min(low + RUN, n)):
            q, number = p, numbers[p]
            while q > low and numbers[q - 1] > number:
                numbers[q] = numbers[q - 1]
                q -= 1
            numbers[q] = number
    width = RUN
    while width < n:
        for low in range(0, n, 2 * width):
            middle, high = min(low + width, n), min(low + 2 * width, n)
            left, right, to = np.uint64(low), np.uint64(middle), np.uint64(low)
            while left < np.uint64(middle) and right < np.uint64(high):
                a, b = numbers[left], numbers[right]
                stays = a <= b
                room[to] = a if stays else b
                left += np.uint64(stays)
                right += np.uint64(not stays)
                to += ONE
            while left < np.uint64(middle):
                room[to] = numbers[left]
                left += ONE
                to += ONE
            while right < np.uint64(high):
                room[to] = numbers[right]
                right += ONE
                to += ONE
        numbers, room = room, numbers
        width *= 2
    return numbers
