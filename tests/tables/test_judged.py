"""Rankings met with relevance, by hand: hits, totals, cuts and running sums."""

from __future__ import annotations

import numpy as np
import pytest
from tests.metrics.lists import judged_list

from heldout.tables import divide
from heldout.tables.judged import CUTS
from heldout.testing.lists import judged_lists

LISTS = judged_lists([[5, None, 2, 4], [None, 1], []], [[4, 1], [], [5]])
"""User 0: 5, unrated, 2 and 4, lacking a 4 and a 1; user 1: unrated and 1; user 2 has no list and a 5 in test."""


def test_entries_are_the_rated_items_met() -> None:
    assert LISTS.list_of.tolist() == [0, 0, 0, 1] and LISTS.rank.tolist() == [1, 3, 4, 2]
    assert LISTS.grade.tolist() == [5, 2, 4, 1] and LISTS.item.tolist() == [0, 2, 3, 1]
    assert LISTS.relevant().tolist() == [True, False, True, False]
    assert LISTS.relevant(2).tolist() == [True, True, True, False]
    assert LISTS.met().tolist() == [1, 1, 2, 0]
    assert (len(LISTS), LISTS.one_each, LISTS.deepest) == (3, True, 4)


def test_totals_count_what_lists_lack_too() -> None:
    assert LISTS.total_relevant().tolist() == [3, 0, 1] and LISTS.total_relevant(1).tolist() == [5, 1, 1]
    assert LISTS.total_nonrelevant().tolist() == [2, 1, 0]
    assert LISTS.per_list_total(LISTS.relevance.grade).tolist() == [5 + 2 + 4 + 4 + 1, 1, 5]


def test_sums_and_counts_down_to_a_rank() -> None:
    assert {n: LISTS.count(n).tolist() for n in (1, 3, None)} == {1: [1, 0, 0], 3: [2, 1, 0], None: [3, 1, 0]}
    assert LISTS.sum(LISTS.grade, 3).tolist() == [7, 1, 0] and LISTS.sum(LISTS.grade).tolist() == [11, 1, 0]


def test_hits_are_the_relevant_entries_alone() -> None:
    hits = LISTS.hits()
    assert (hits.rank.tolist(), hits.met.tolist(), hits.worse.tolist()) == ([1, 4], [1, 2], [0, 1])
    assert LISTS.hit_entries().tolist() == [0, 2]
    assert LISTS.relevance.grade[LISTS.hit_rows()].tolist() == [5, 4]
    assert hits.count(3).tolist() == [1, 0, 0] and hits.sum(1 / hits.rank).tolist() == [1.25, 0, 0]
    assert hits.spread(np.array([7, 8, 9])).tolist() == [7, 7]


def test_running_sums_are_those_that_are_added_up() -> None:
    hits = LISTS.hits()
    running, looked_up = (hits.running(np.array([1.0, 10.0])) for _ in range(2))
    looked_up.begin()
    for n in (4, 1, 3, None):
        expected = {4: [11, 0, 0], 1: [1, 0, 0], 3: [1, 0, 0], None: [11, 0, 0]}[n]
        assert running.upto(n).tolist() == looked_up.upto(n).tolist() == expected


def test_unjudged_items_have_a_grade_below_zero() -> None:
    assert LISTS.unjudged(None) is None and LISTS.unjudged_above_hits(None).tolist() == [0, 0]
    judged = judged_list([-1, 4, -1, 3, 5])
    unjudged = judged.unjudged(None)
    assert unjudged is not None and judged.relevance.grade[unjudged].tolist() == [-1, -1]
    assert judged.unjudged_above_hits(None).tolist() == [1, 2]


@pytest.mark.parametrize("n", [10, CUTS[0], CUTS[0] + 1, CUTS[1]])
def test_a_cut_holds_all_that_a_metric_of_that_depth_sees(n: int) -> None:
    depths = [(1, 1), (100, 128, 129, 200), (1024, 1025, 1500), ()]
    lists: list[list[float | None]] = []
    for places in depths:
        ranked: list[float | None] = [None] * max(places, default=0)
        for place in places:
            ranked[place - 1] = 5.0
        lists.append(ranked)
    judged = judged_lists(lists, [[], [], [], [5.0]], catalogue=2000)
    cut = judged.cut(n)
    assert len(cut.rank) < len(judged.rank)
    assert cut.count(n).tolist() == judged.count(n).tolist()
    assert cut.hits().sum(cut.hits().rank, n).tolist() == judged.hits().sum(judged.hits().rank, n).tolist()
    assert judged.cut(n) is cut  # all depths up to a cut share it
    assert judged.cut(None) is judged and judged.cut(CUTS[-1] + 1) is judged


def test_a_ratio_over_nothing_is_undefined() -> None:
    np.testing.assert_array_equal(divide(np.array([1.0, 0.0, 3.0]), np.array([2.0, 0.0, 0.0])), [0.5, np.nan, np.nan])
