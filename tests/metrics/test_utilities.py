"""Utility-based metrics and rating errors by hand."""

from __future__ import annotations

from dataclasses import replace
from math import log, sqrt

import numpy as np
import pytest
from tests.metrics.lists import judged_list, knowing, value
from tests.refusals import refused

from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.metrics.measuring import denominators

# utilities (rating − 2): 3 at rank 1, −1 at rank 3; the best list holds 3 and the unlisted 2, the negative ones left out
WORTH = judged_list([5, None, 1], (4,))


def test_utility_of_what_is_little_known() -> None:
    """Item 0, rated by 1 of 4 training users, is worth ln 4; item 2 is not relevant; the unlisted item 3 was rated by 2."""
    judged = knowing(WORTH, [(0, 0, 5), (1, 3, 1), (2, 3, 1), (3, 9, 1)])
    assert value("Utility(utility=log_inverse_popularity)@3", judged) == pytest.approx(log(4))
    best = log(4) + log(4 / 2) * 0.5 ** (1 / 4)
    assert value("HLU(utility=log_inverse_popularity)", judged) == pytest.approx(log(4) / best)


def test_utility_without_its_column_is_refused() -> None:
    judged = replace(WORTH, relevance=replace(WORTH.relevance, utility=None))
    for metric in ("Utility@10", "HLU(utility=column)"):
        with refused(NotApplicableError, where=metric, hint="name it when reading: utility=<column>"):
            value(metric, judged)


def test_no_rating_is_above_neutral_where_all_are_equal() -> None:
    judged = knowing(judged_list([1, None, 1], top=1.0), [(0, 0, 1)], lowest=1.0)
    with refused(NotApplicableError, where="HLU", found=1.0, hint="use utility=hit"):
        value("HLU", judged)


def test_the_neutral_rating_is_the_middle_of_the_scale_unless_it_is_named() -> None:
    """Ratings 5, 4 and 2 on a scale of 1 to 5: above_neutral takes 3 off, above_neutral(4) four."""
    judged = knowing(judged_list([5, 4, 2]), [(0, 0, 1)], lowest=1.0)
    assert value("Utility(utility=above_neutral)@3", judged) == pytest.approx(2 + 1)
    assert value("Utility(utility=above_neutral(4))@3", judged) == pytest.approx(1)
    unknown = knowing(judged_list([5, 4, 2]), [(0, 0, 1)])  # the lowest rating is that of the test set: (2 + 5)/2
    assert value("Utility(utility=above_neutral)@3", unknown) == pytest.approx(1.5 + 0.5)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("HLU(utility=column)", (3 - 1 * 0.5 ** (2 / 4)) / (3 + 2 * 0.5 ** (1 / 4))),
        # above the middle of 1…5: 2 at rank 1; best 2, 1
        ("HLU", 2 / (2 + 0.5 ** (1 / 4))),
        ("HLU(half_life=2, utility=hit)", 1 / (1 + 0.5)),
        ("HLU(utility=above_neutral(4))", 1.0),  # only the 5 is above
        ("HLU(utility=hit, discount=table([0.5, 0.25]))", 0.5 / (0.5 + 0.25)),
        ("Utility@3", 3.0),  # the item of −1 is not relevant
        ("Utility(utility=hit)@3", 1.0),
        ("Utility(utility=above_neutral)@3", 2.0),
    ],
)
def test_utility(metric: str, expected: float) -> None:
    assert value(metric, WORTH) == pytest.approx(expected, abs=1e-12)


def test_the_published_example_of_half_life_utility() -> None:
    """Utilities 1 at rank 1 and 2 at rank 5, half-life 5: (1 + 2/2) / (2 + 0.5^(1/4))."""
    judged = judged_list([4, None, None, None, 5])
    assert value("HLU", judged) == pytest.approx((1 + 2 * 0.5) / (2 + 1 * 0.5**0.25))


def test_half_life_utility_is_undefined_where_nothing_is_worth_anything() -> None:
    assert np.isnan(value("HLU", judged_list([2, 1, None, 3])))


# ratings 4, 2, 5 in the order of the list, predicted 5, 4, and not at all; one more test rating is not ranked
LIST = replace(judged_list([4, 2, 5], (3,)), score=np.array([5.0, 4.0, np.nan]))


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("RMSE", sqrt((1 + 4) / 2)),
        ("MSE", (1 + 4) / 2),
        ("MAE", (1 + 2) / 2),
        ("NMAE", (1 + 2) / 2 / (5 - 1)),
        ("NMAE(low=0, high=10)", (1 + 2) / 2 / 10),
        ("Predicted", 2 / 4),
    ],
)
def test_errors(metric: str, expected: float) -> None:
    assert value(metric, LIST) == pytest.approx(expected, abs=1e-12)


def test_errors_pool_by_the_number_of_predictions() -> None:
    found = denominators(LIST, [make("metric", m) for m in ("RMSE", "MAE", "NMAE")])
    assert {name: column.tolist() for name, column in found.items()} == {"RMSE": [2], "MAE": [2], "NMAE": [2]}


def test_scores_that_are_no_ratings_are_refused() -> None:
    with refused(NotApplicableError, where="RMSE", hint="a system that predicts ratings"):
        value("RMSE", replace(LIST, predicts_ratings=False))
