"""Places within groups, and one row of repeated pairs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from heldout import rng
from heldout.kernels.grouping import find_rows, merge_latest, pair_draws, places, places_by_two

SIZES = (0, 1, 5, 23, 24, 60)
"""Groups below and above the size from which on they are sorted instead of counted."""
INDPTR = np.append(0, np.cumsum(SIZES)).astype(np.int64)


@pytest.mark.parametrize("kind", [np.float64, np.int64])
def test_places_are_those_of_a_stable_sort(kind: type) -> None:
    keys = np.random.default_rng(2).integers(0, 9, INDPTR[-1]).astype(kind)
    place = np.empty(len(keys), np.int64)
    places(INDPTR, keys, place)
    for low, high in itertools.pairwise(INDPTR):
        assert place[low:high].tolist() == np.argsort(np.argsort(keys[low:high], kind="stable")).tolist()


def test_the_second_key_decides_where_the_first_is_equal() -> None:
    draw = np.random.default_rng(3)
    first, second = draw.integers(0, 4, INDPTR[-1]).astype(np.float64), draw.random(INDPTR[-1])
    place = np.empty(len(first), np.int64)
    places_by_two(INDPTR, first, second, place)
    for low, high in itertools.pairwise(INDPTR):
        order = np.lexsort((second[low:high], first[low:high]))
        assert place[low:high][order].tolist() == list(range(high - low))


def test_draws_are_those_of_the_house() -> None:
    key, first, second = rng.key(4, "x"), np.array([0, 5, 2**31 - 1], np.int32), np.array([7, 0, 3], np.int32)
    out = np.empty(3)
    pair_draws(np.uint64(key), first, second, out)
    assert out.tolist() == rng.uniform(key, first, second).tolist()


def test_the_latest_row_of_every_pair() -> None:
    """Rows 0, 2 and 3 are one pair, at times 5, 9 and 9; row 1 is another."""
    user, item = np.array([0, 1, 0, 0], np.int32), np.array([4, 0, 4, 4], np.int32)
    order, time = np.array([0, 2, 3, 1], np.int32), np.array([5, 1, 9, 9], np.int64)
    last, group = np.empty(4, np.int32), np.empty(4, np.int32)
    assert merge_latest(user, item, order, time, last, group) == 2
    assert last[:2].tolist() == [3, 1] and group.tolist() == [0, 0, 0, 1]
    time[0] = 10
    merge_latest(user, item, order, time, last, group)
    assert last[:2].tolist() == [0, 1]


def test_rows_are_found_where_the_pair_is() -> None:
    draw = np.random.default_rng(5)
    rated, others = draw.random((7, 30)) < 0.3, draw.random((7, 30)) < 0.5
    rated[2], others[3], others[6] = False, False, True
    (user, item), (_, other_item) = np.nonzero(rated), np.nonzero(others)
    indptr, other_indptr = (np.append(0, np.cumsum(pairs.sum(axis=1))) for pairs in (rated, others))
    row = np.empty(len(item), np.int32)
    find_rows(indptr, item.astype(np.int32), other_indptr, other_item.astype(np.int32), row)
    numbered = np.where(others, np.cumsum(others).reshape(others.shape) - 1, -1)
    assert row.tolist() == numbered[user, item].tolist() and {-1} < set(row.tolist())
