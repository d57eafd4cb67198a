"""The best possible list, by hand: all depths, many grades, negative gains, and lists of one item."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from heldout.catalogue import make
from heldout.metrics.ideal import DEEPEST, depth_or_all, discounted, ideal_of_lists, ideal_of_users, sorted_gains
from heldout.testing.lists import judged_lists

LISTS = judged_lists([[3, None, 5], [4], []], [[4], [], [2]])
"""User 0 rated 3 and 5, and 4 beside the list; user 1 rated 4; user 2 has no list and rated 2."""
LINEAR, LOG = make("gain", "linear"), make("discount", "log2")


def ideal(*gains: float) -> float:
    return sum(gain / log2(place + 2) for place, gain in enumerate(gains))


def test_gains_are_sorted_for_each_user() -> None:
    assert sorted_gains(LISTS.relevance, LINEAR, None).tolist() == [5, 4, 3, 4, 2]
    relevant = sorted_gains(LISTS.relevance, LINEAR, None, relevant_only=True)
    assert relevant.tolist() == [5, 4, 0, 4, 0]
    assert sorted_gains(LISTS.relevance, LINEAR, 2, relevant_only=True).tolist() == [5, 4, 3, 4, 2]


@pytest.mark.parametrize("depths", [(2, None, 1, 3), (None, 1), (1,)])
def test_the_ideal_at_any_depth_in_any_order(depths: tuple[int | None, ...]) -> None:
    expected = {1: [5, 4, 2], 2: [ideal(5, 4), 4, 2], 3: [ideal(5, 4, 3), 4, 2], None: [ideal(5, 4, 3), 4, 2]}
    fresh = judged_lists([[3, None, 5], [4], []], [[4], [], [2]])
    for n in depths:
        assert ideal_of_users(fresh.relevance, LINEAR, None, LOG, n) == pytest.approx(expected[n])
        assert ideal_of_lists(fresh, LINEAR, None, LOG, n) == pytest.approx(expected[n])


def test_many_distinct_grades_have_the_same_ideal() -> None:
    """More grades than there are levels take the other way."""
    grades = np.random.default_rng(1).permutation(np.linspace(1, 5, 400)).tolist()
    judged = judged_lists([grades], catalogue=500)
    assert judged.relevance.levels(None) is None
    best = np.sort(grades)[::-1]
    weights = 1 / np.log2(np.arange(2, 402))
    for n in (10, None, 1):
        assert ideal_of_users(judged.relevance, LINEAR, None, LOG, n) == pytest.approx((best[:n] * weights[:n]).sum())
    assert sorted_gains(judged.relevance, LINEAR, None).tolist() == best.tolist()


def test_the_gain_of_a_list_down_to_a_depth() -> None:
    assert discounted(LISTS, LINEAR, None, LOG, 2) == pytest.approx([3, 4, 0])
    assert discounted(LISTS, LINEAR, None, LOG, None) == pytest.approx([3 + 5 / log2(4), 4, 0])
    assert depth_or_all(None) == DEEPEST and depth_or_all(7) == 7
