"""Counting against plain comparison: atoms of all sizes, equal and missing values, both ways of adding up."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from heldout.kernels.counting import SMALL, _three_masked, _three_plain, count_above, count_columns
from heldout.kernels.jit import kernel


@pytest.mark.parametrize("way", [_three_masked, _three_plain])
def test_both_ways_of_adding_up_count_the_same(way: object) -> None:
    """A processor without masks takes the plain one; each machine tests both."""
    values = np.random.default_rng(1).integers(0, 9, 1000).astype(np.float32)
    values[::7] = np.nan
    found = kernel(way)(values, np.uint64(3), np.uint64(901), np.int32(1), *np.float32([2, 5, np.inf]))
    assert found == tuple(int((values[3:901] > t).sum()) for t in (2, 5, np.inf))


@pytest.mark.parametrize("n", [1, 2, 3, 33])
def test_columns_before_items_in_every_atom(n: int) -> None:
    """Before an item stand higher columns, and equal ones left of its place in their atom."""
    rng = np.random.default_rng(n)
    start = np.cumsum([0, 5, SMALL, SMALL + 1, 700, 0, 9000])
    values = rng.integers(0, 6, start[-1]).astype(np.float32)
    values[rng.random(len(values)) < 0.2] = np.nan
    score = np.append(rng.integers(0, 6, n).astype(np.float32), [np.inf, np.inf]).astype(np.float32)
    lower = np.nextafter(score, np.float32(-np.inf))
    lower[n:] = np.inf
    place = np.array([np.sort(rng.integers(a, b + 1, n + 2)) for a, b in pairwise(start)], np.int32)
    before, above = np.empty((6, n + 2), np.int32), np.empty((6, n + 2), np.int32)
    count_columns(values, start, n, lower, score, place, before)
    count_above(values, start, n, score, above)
    column = np.arange(len(values))
    for a in range(6):
        mine = slice(start[a], start[a + 1])
        for e in range(n):
            higher, equal = values[mine] > score[e], (values[mine] == score[e]) & (column[mine] < place[a, e])
            assert (above[a, e], before[a, e]) == (higher.sum(), (higher | equal).sum())
