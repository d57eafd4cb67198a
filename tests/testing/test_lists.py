"""Judged lists written by hand are what was written."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.testing.lists import background, judged_lists, random_lists, values_of


def test_grades_stand_at_their_ranks() -> None:
    judged = judged_lists([[5, None, 2], [], [None]], [[4], [1], [3]], catalogue=10)
    assert judged.rank.tolist() == [1, 3] and judged.grade.tolist() == [5, 2] and judged.item.tolist() == [0, 2]
    assert judged.length.tolist() == [3, 0, 1] and judged.targets.tolist() == [10] * 3
    assert judged.total_relevant().tolist() == [2, 0, 0]
    assert judged.relevance.utility is not None and judged.relevance.utility.tolist() == [3, 0, 2, -1, 1]
    assert judged.score is not None and judged.score.tolist() == pytest.approx([5.0, 4.8])


def test_items_of_lists_may_be_named() -> None:
    judged = judged_lists([[5, None], [4, None]], items=[[7, 3], [3, 7]], catalogue=9)
    assert judged.item.tolist() == [7, 3] and judged.lists is not None and judged.lists.item.tolist() == [7, 3, 3, 7]


def test_relevance_follows_the_threshold() -> None:
    assert values_of("P@2", judged_lists([[3, 5]], tau=3)).tolist() == [1.0]
    assert values_of("P@2", judged_lists([[3, 5]])).tolist() == [0.5]


def test_random_lists_are_the_same_for_a_seed_and_never_without_a_rating() -> None:
    lists, unlisted = random_lists(3, users=100, depth=5)
    assert (lists, unlisted) == random_lists(3, users=100, depth=5) != random_lists(4, users=100, depth=5)
    assert {len(ranked) for ranked in lists} == {0, 1, 2, 3, 4, 5}
    for ranked, rest in zip(lists, unlisted, strict=True):
        assert rest or any(grade is not None for grade in ranked)


def test_the_background_falls_in_popularity() -> None:
    table = background(20)
    assert table.train is not None and table.train.n_users == 1000
    counts = table.popularity("x")
    assert (np.diff(counts[:15]) <= 0).all() and (counts[-5:] >= 500).all()
