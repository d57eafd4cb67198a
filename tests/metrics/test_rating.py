"""Errors of predicted ratings, by hand."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from tests.metrics.lists import judged_list, value

from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.metrics.measuring import denominators

# ratings 4, 2, 5 in the order of the list, predicted 5, 4, and not at all; one more test rating is not ranked
LIST = replace(judged_list([4, 2, 5], (3,)), score=np.array([5.0, 4.0, np.nan]), _memo={})


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
    with pytest.raises(NotApplicableError, match="needs scores on the rating scale, which these are not"):
        value("RMSE", replace(LIST, predicts_ratings=False, _memo={}))
