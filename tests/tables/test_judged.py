"""What metrics see: rankings met with relevance, by hand, and the values they give."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from tests.analysis.tiny import part
from tests.metrics.lists import judged_list
from tests.refusals import refused
from tests.reports.kept import PROTOCOL

from heldout import NotApplicableError
from heldout.tables import Rankings, Relevance, Vocabulary, divide
from heldout.tables.judged import CUTS
from heldout.tables.memo import once
from heldout.tables.scores import COUNTS, DENOMINATOR, WEIGHT, is_count
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


def relevance(grade: list[float], indptr: list[int], tau: float = 4) -> Relevance:
    grades = np.array(grade, dtype=float)
    return Relevance(
        users=np.arange(len(indptr) - 1, dtype=np.int32),
        indptr=np.array(indptr, np.int64),
        item=np.arange(len(grade), dtype=np.int32),
        grade=grades,
        relevant=grades >= tau,
        top_grade=5.0,
    )


def test_totals_by_the_rule_and_by_a_metrics_own_threshold() -> None:
    """User 0 rated 5, 3 and 4, user 1 nothing, user 2 one item with 1."""
    table = relevance([5, 3, 4, 1], [0, 3, 3, 4])
    assert table.rated.tolist() == [3, 0, 1] and table.owner.tolist() == [0, 0, 0, 2]
    assert {rel: table.total(rel).tolist() for rel in (None, 3, 5, 1)} == {
        None: [2, 0, 0],
        3: [3, 0, 0],
        5: [1, 0, 0],
        1: [3, 0, 1],
    }
    assert repr(table) == "4 test ratings of 3 users, 2 relevant (given)"


def test_levels_are_the_distinct_grades_of_relevant_and_of_other_rows() -> None:
    table = relevance([5, 3, 5, 1], [0, 2, 4])
    levels = table.levels(None)
    assert levels is not None
    assert levels.grade[levels.level].tolist() == [5, 3, 5, 1]
    assert levels.relevant[levels.level].tolist() == [True, False, True, False]
    assert sorted(levels.grade[levels.used].tolist()) == [1, 3, 5]
    assert levels.level[0] == levels.level[2]


def test_too_many_distinct_grades_have_no_levels() -> None:
    assert relevance(np.linspace(1, 5, 1000).tolist(), [0, 1000]).levels(None) is None


def test_a_value_is_worked_out_once_for_each_key() -> None:
    table, calls = relevance([5], [0, 1]), []
    for key in ("a", "b", "a"):
        once(table, key, lambda key=key: calls.append(key))
    assert calls == ["a", "b"]


def test_who_needs_more_than_lists_and_test_ratings_says_so() -> None:
    with refused(NotApplicableError, hint="pass the training set"):
        relevance([5], [0, 1]).require_background("Novelty")


RANKINGS = Rankings(
    np.array([1, 4, 7], np.int32),
    np.array([0, 2, 2, 3], np.int64),
    np.array([5, -1, 0], np.int32),
    np.array([0.9, 0.1, 0.5]),
)


def test_lengths_of_lists_also_of_empty_ones() -> None:
    assert len(RANKINGS) == 3 and RANKINGS.length.tolist() == [2, 0, 1]
    assert repr(RANKINGS) == "3 lists of 3 items in all"


def test_whatever_changes_in_rankings_is_another_digest() -> None:
    changes = [
        replace(RANKINGS, users=np.array([1, 4, 8], np.int32)),
        replace(RANKINGS, indptr=np.array([0, 1, 2, 3], np.int64)),
        replace(RANKINGS, item=RANKINGS.item[::-1]),
        replace(RANKINGS, score=RANKINGS.score + 1e-9),
    ]
    assert len({RANKINGS.digest, *(changed.digest for changed in changes)}) == 5
    assert replace(RANKINGS, item=RANKINGS.item.copy()).digest == RANKINGS.digest


(SCORES,) = part("A", {"P@5": [0.2, np.nan], "RR": [1.0, 0.5]}, counts={"test": [3, 4]}, length=[5, 0]).scores


def test_columns_of_users_are_no_metrics() -> None:
    assert all(is_count(name) for name in (*COUNTS, WEIGHT, f"{DENOMINATOR}P@5"))
    assert not any(is_count(name) for name in ("P@5", "Unrated@5", "testing", "weight"))


def test_a_metric_is_found_by_its_name() -> None:
    assert SCORES.column("RR").tolist() == [1.0, 0.5]
    assert repr(SCORES).splitlines()[0] == "A, fold 1: 2 users by P@5, RR"


def test_a_row_for_every_user_under_their_own_ids() -> None:
    frame = SCORES.to_polars(Vocabulary.of(pl.Series(["x", "y"])))
    assert frame["user_id"].to_list() == ["x", "y"] and SCORES.to_polars()["user_id"].to_list() == [0, 1]
    assert frame["P@5"].is_nan().to_list() == [False, True] and frame["length"].to_list() == [5, 0]
    assert frame["test"].to_list() == [3, 4] and frame["target"].to_list() == ["AllItems"] * 2


def test_whatever_changes_is_another_digest() -> None:
    changes = [
        replace(SCORES, system="B"),
        replace(SCORES, fold=1),
        replace(SCORES, protocol=replace(PROTOCOL, ties="trec")),
        replace(SCORES, metrics=("P@5", "AP")),
        replace(SCORES, values=SCORES.values[::-1]),
        replace(SCORES, computed=np.array([4.0, 0.0])),
        replace(SCORES, counts={"test": np.array([3.0, 5.0])}),
        replace(SCORES, counts={"train": np.array([3.0, 4.0])}),
    ]
    assert len({SCORES.digest, *(changed.digest for changed in changes)}) == 1 + len(changes)
    assert replace(SCORES, values=SCORES.values.copy()).digest == SCORES.digest
