"""What is known of the test users' taste: totals, grades by level, and what is worked out once."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.errors import NotApplicableError
from heldout.tables import Relevance


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
    assert table.headline() == "4 test ratings of 3 users, 2 relevant (given)"


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
        table.once(key, lambda key=key: calls.append(key))
    assert calls == ["a", "b"]


def test_who_needs_more_than_lists_and_test_ratings_says_so() -> None:
    with pytest.raises(NotApplicableError, match="Novelty needs more than lists and test ratings"):
        relevance([5], [0, 1]).require_background("Novelty")
