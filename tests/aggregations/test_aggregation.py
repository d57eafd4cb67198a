"""Aggregations against hand arithmetic and scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.gmean import GeometricMean
from heldout.aggregations.mean import Mean
from heldout.aggregations.median import Median
from heldout.aggregations.trimmed import TrimmedMean
from heldout.catalogue import make
from heldout.errors import InputError, NotApplicableError, SpecError

NAN = math.nan
EVERY = [Mean(), GeometricMean(), Median(), TrimmedMean(0.2)]


def test_mean_by_hand() -> None:
    values = np.array([[0.2, NAN], [0.4, 1.0], [0.9, 0.0]])
    assert Mean().aggregate(values).tolist() == pytest.approx([0.5, 0.5])  # 1.5/3, 1/2
    # (0.2 + 0.4 + 2·0.9)/4 and (1·1 + 2·0)/3
    assert Mean().aggregate(values, np.array([1.0, 1.0, 2.0])).tolist() == pytest.approx([0.6, 1 / 3])


def test_gmean_by_hand() -> None:
    # √(0.01 · 1) − 0.01
    assert GeometricMean().aggregate(np.array([[0.0], [0.99]]))[0] == pytest.approx(0.09)
    # weights 1 and 3: (0.01 · 1³)^(1/4) − 0.01
    weighted = GeometricMean().aggregate(np.array([[0.0], [0.99]]), np.array([1.0, 3.0]))
    assert weighted[0] == pytest.approx(0.01**0.25 - 0.01)
    assert make("aggregation", "gmean(ε=0.1)") == make("aggregation", "gmean(epsilon=0.1)") == GeometricMean(0.1)


def test_gmean_is_the_inverse_of_the_mean_of_its_transform() -> None:
    x = np.random.default_rng(1).random((50, 3))
    g = GeometricMean(0.05)
    np.testing.assert_allclose(g.aggregate(x), g.inverse(g.transform(x).mean(axis=0)), rtol=1e-14)
    np.testing.assert_allclose(g.aggregate(x), stats.gmean(x + 0.05) - 0.05, rtol=1e-13)


def test_gmean_refuses_values_without_a_logarithm() -> None:
    with pytest.raises(NotApplicableError, match=r"least value is -0\.5"):
        GeometricMean().aggregate(np.array([[0.3], [-0.5]]))


def test_median_and_trimmed_by_hand() -> None:
    values = np.array([[0.8, 0.8], [0.0, 0.0], [0.1, 0.1], [NAN, 0.3]])
    assert Median().aggregate(values).tolist() == pytest.approx([0.1, 0.2])  # middle of 3; (0.1 + 0.3)/2
    # ⌊0.25·3⌋ = 0 cut: 0.9/3; ⌊0.25·4⌋ = 1 cut at each end: (0.1 + 0.3)/2
    assert TrimmedMean(0.25).aggregate(values).tolist() == pytest.approx([0.3, 0.2])


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_median_and_trimmed_agree_with_numpy_and_scipy(n: int) -> None:
    x = np.random.default_rng(n).random((n, 4))
    np.testing.assert_array_equal(Median().aggregate(x), np.median(x, axis=0))
    np.testing.assert_allclose(TrimmedMean(0.2).aggregate(x), stats.trim_mean(x, 0.2), rtol=1e-14)


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
