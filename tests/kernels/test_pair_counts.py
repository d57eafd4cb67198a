"""Pairs of a number and a value in a hash: counted as they come, until half of the slots are used."""

from __future__ import annotations

import numpy as np

from heldout.kernels.pair_counts import add_pairs

NONE = np.empty(0, np.uint64)
ONES = np.empty(0, np.int64)


def slots(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """As many free ones."""
    return np.empty(n, np.int64), np.empty(n, np.uint64), np.zeros(n, np.int64)


def pairs(filled: tuple[np.ndarray, np.ndarray, np.ndarray]) -> dict[tuple[int, int], int]:
    """By number and value, how often they occurred."""
    numbers, values, counts = filled
    return {(int(numbers[k]), int(values[k])): int(counts[k]) for k in np.flatnonzero(counts)}


def test_pairs_are_counted() -> None:
    filled = slots(8)
    number, bits = np.array([7, 3, 7, 7]), np.array([1, 1, 2, 1], np.uint64)
    assert add_pairs(number, bits, ONES, 0, 0, *filled) == (4, 3)
    assert pairs(filled) == {(7, 1): 2, (3, 1): 1, (7, 2): 1}
    add_pairs(number[:1], bits[:1], np.array([5]), 0, 3, *filled)
    assert pairs(filled)[7, 1] == 7


def test_it_stops_where_half_of_the_slots_are_used() -> None:
    filled = slots(8)
    number = np.array([-1, 2, 3, 2, 4, 5, 6])
    assert add_pairs(number, NONE, ONES, 0, 0, *filled) == (5, 4)  # 5 would be the fifth
    assert pairs(filled) == {(-1, 0): 1, (2, 0): 2, (3, 0): 1, (4, 0): 1}
