"""Effect sizes by hand and against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from heldout.significance.effect import effects

PAIR = np.array([[0, 1]])


def test_by_hand() -> None:
    # d = 1, 2, 3, 0: mean 1.5, squares about it 0.25 + 0.25 + 2.25 + 2.25 = 5, deviation √(5/3)
    found = effects(np.array([[1.0, 2, 3, 4], [0.0, 0, 0, 4]]), PAIR)
    assert found.difference[0] == 1.5
    assert found.cohen_d[0] == pytest.approx(1.5 / np.sqrt(5 / 3))
    assert (found.greater[0], found.equal[0], found.less[0]) == (3, 1, 0)
    assert found.superiority[0] == 3.5 / 4


def test_interval_agrees_with_scipy_and_swapping_mirrors_it() -> None:
    rows = np.random.default_rng(0).random((2, 40))
    found = effects(rows, np.array([(0, 1), (1, 0)]))
    low, high = found.interval(0.9)
    expected = stats.ttest_rel(*rows).confidence_interval(0.9)
    assert (low[0], high[0]) == pytest.approx((expected.low, expected.high), rel=1e-12)
    assert (low[1], high[1]) == pytest.approx((-expected.high, -expected.low), rel=1e-12)
    assert found.superiority.sum() == pytest.approx(1.0)


def test_equal_and_constantly_different_columns() -> None:
    rows = np.array([[0.1, 0.5, 0.9], [0.1, 0.5, 0.9], [0.4, 0.8, 1.2]])
    found = effects(rows, np.array([(0, 1), (2, 0)]))
    low, high = found.interval(0.95)
    assert (found.difference[0], found.cohen_d[0], low[0], high[0]) == (0, 0, 0, 0)
    assert found.difference[1] == pytest.approx(0.3)
    assert np.isnan(found.cohen_d[1])


def test_one_user_has_a_difference_but_no_interval() -> None:
    found = effects(np.array([[0.7], [0.2]]), PAIR)
    assert found.difference[0] == pytest.approx(0.5)
    assert np.isnan([*found.interval(0.95), found.cohen_d]).all()
    assert found.greater[0] == 1
