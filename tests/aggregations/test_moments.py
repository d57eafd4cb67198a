"""Moments and intervals against hand arithmetic and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from heldout.aggregations.moments import effective_size, moments


def test_by_hand() -> None:
    found = moments(np.array([[1.0, 2.0, 3.0]]))
    assert (found.mean[0], found.deviation[0], found.size, found.degrees) == (2.0, pytest.approx(1.0), 3.0, 2.0)


def test_interval_agrees_with_scipy() -> None:
    x = np.random.default_rng(0).normal(size=(3, 25))
    low, high = moments(x).interval(0.9)
    for k in range(3):
        expected = stats.ttest_1samp(x[k], 0.0).confidence_interval(0.9)
        assert (low[k], high[k]) == pytest.approx((expected.low, expected.high), rel=1e-12)


def test_equal_weights_are_no_weights_and_whole_weights_scale_freely() -> None:
    x, w = np.random.default_rng(1).normal(size=(2, 9)), np.arange(1.0, 10.0)
    plain, equal = moments(x), moments(x, np.full(9, 3.0))
    np.testing.assert_allclose(equal.deviation, plain.deviation, rtol=1e-13)
    assert equal.size == pytest.approx(9)
    one, two = moments(x, w), moments(x, 7 * w)
    np.testing.assert_allclose(one.error, two.error, rtol=1e-13)
    assert effective_size(w) == pytest.approx(45**2 / 285)  # Σ1…9 = 45, Σ1²…9² = 285


@pytest.mark.parametrize("rows,weights", [(np.ones((1, 1)), None), (np.ones((1, 3)), np.array([0.0, 2.0, 0.0]))])
def test_one_user_tells_no_spread(rows: np.ndarray, weights: np.ndarray | None) -> None:
    found = moments(rows, weights)
    assert found.mean[0] == 1.0
    assert np.isnan(found.interval(0.95)).all()


def test_nobody_gives_nan() -> None:
    assert np.isnan(moments(np.empty((2, 0))).mean).all()
    assert np.isnan(moments(np.ones((1, 2)), np.zeros(2)).mean).all()
