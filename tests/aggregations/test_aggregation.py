"""Aggregations against hand arithmetic and scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from heldout.aggregations import GeometricMean, Mean, Median, TrimmedMean
from heldout.aggregations.aggregation import Aggregation
from heldout.errors import InputError, NotApplicableError, SpecError

NAN = math.nan


EVERY = [Mean(), GeometricMean(), Median(), TrimmedMean(0.2)]


@pytest.mark.parametrize("aggregation", EVERY, ids=str)
def test_nothing_left_is_nan_and_nan_rows_change_nothing(aggregation: Aggregation) -> None:
    assert np.isnan(aggregation.aggregate(np.full((3, 1), NAN))).all()
    assert np.isnan(aggregation.aggregate(np.empty((0, 2)))).all()
    x = np.random.default_rng(3).random((20, 1))
    with_nan = np.insert(x, [0, 7, 20], NAN, axis=0)
    np.testing.assert_allclose(aggregation.aggregate(with_nan), aggregation.aggregate(x), rtol=1e-14)


@pytest.mark.parametrize("aggregation", [Median(), TrimmedMean()], ids=str)
def test_those_that_take_no_weights_say_so(aggregation: Aggregation) -> None:
    with pytest.raises(NotApplicableError, match="takes no weights"):
        aggregation.aggregate(np.ones((2, 1)), np.ones(2))


def test_bad_weights_and_parameters() -> None:
    with pytest.raises(InputError, match="weight of user 1 is -1"):
        Mean().aggregate(np.ones((2, 1)), np.array([1.0, -1.0]))
    with pytest.raises(InputError, match="3 weights for 2 users"):
        Mean().aggregate(np.ones((2, 1)), np.ones(3))
    with pytest.raises(SpecError, match=r"below 0\.5"):
        TrimmedMean(0.5)
    with pytest.raises(SpecError, match="above 0"):
        GeometricMean(0.0)
