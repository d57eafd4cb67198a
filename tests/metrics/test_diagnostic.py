"""What lists are like, whatever is relevant: small cases by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.metrics.lists import judged_list, value

# ranks           1     2  3     4  5        of 57 targets; relevant: 5, 4 and the unlisted 4
LIST = judged_list([5, None, 2, None, 4], (4, 1))


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("Coverage@10", 5 / 10),
        ("Coverage@3", 1.0),
        ("Unrated@2", 1 / 2),
        ("Unrated@10", 2 / 5),  # of the five items there are
        ("Rho@10", 10 / 10 * 3 / 57),
        ("Rho@100", 57 / 100 * 3 / 57),
        ("Rho", 3 / 57),
        ("Judged@2", 1 / 2),
        ("Judged@10", 3 / 5),
    ],
)
def test_by_hand(metric: str, expected: float) -> None:
    assert value(metric, LIST) == pytest.approx(expected, abs=1e-12)


def test_what_a_fallback_adds_is_filled_and_not_covered() -> None:
    """Of four items the system scored three: a fallback filled one of ten places more."""
    judged = judged_list([5, None, 2, 4])
    with_fallback = replace(judged, computed=np.array([3], np.int32), _memo={})
    assert value("Coverage@10", with_fallback) == 3 / 10
    assert value("Filled@10", with_fallback) == 4 / 10
    assert value("Filled@2", with_fallback) == 1.0


def test_ratings_that_the_system_scored() -> None:
    """Three of five test ratings are listed; the score of one of them is missing."""
    assert value("Predicted", LIST) == 3 / 5
    assert value("Predicted", replace(LIST, score=np.array([5.0, np.nan, 4]), _memo={})) == 2 / 5


def test_ties_among_the_rated_items_met() -> None:
    """Ranks 1, 3 and 5; the item at rank 3 shares its score with one other target."""
    tied = replace(LIST, tied=np.array([0, 1, 0], np.int32), _memo={})
    assert value("Tied", tied) == 1 / 3
    assert value("Tied@2", tied) == 0.0
    assert np.isnan(value("Tied", replace(LIST, tied=np.array([0, -1, 0], np.int32), _memo={})))  # not counted


def test_the_rank_of_the_dth_rated_item() -> None:
    """Rated items at ranks 1, 3 and 5; of four places that the system filled the fifth is the fallback's."""
    assert [value(f"FullPosition@{d}", LIST) for d in (1, 2, 3)] == [1, 3, 5]
    assert np.isnan(value("FullPosition@4", LIST))
    assert np.isnan(value("FullPosition@3", replace(LIST, computed=np.array([4], np.int32), _memo={})))
