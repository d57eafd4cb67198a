"""The paired t test by hand and against scipy."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy import stats

from heldout.errors import InputError, NotApplicableError
from heldout.significance import PairedT

ALL = np.array([(a, b) for a in range(6) for b in range(6) if a != b])


def test_by_hand() -> None:
    # d = 1, 2, 3: t = 2/(1/√3) = 3.4641 with 2 degrees: p = 1 − t/√(2 + t²) = 1 − √(12/14)
    columns = np.array([[1.0, 0], [2, 0], [3, 0]])
    assert PairedT().p_values(columns, np.array([[0, 1]]), seed=0)[0] == pytest.approx(1 - np.sqrt(12 / 14), abs=1e-14)


@pytest.mark.parametrize("shift", [0.0, 1e4])
@pytest.mark.parametrize("n", [2, 3, 30, 5000])
def test_agrees_with_scipy(n: int, shift: float) -> None:
    columns = np.random.default_rng(n).random((n, 6)) + np.linspace(0, 0.2, 6) + shift
    found = PairedT().p_values(columns, ALL, seed=0)
    expected = stats.ttest_rel(columns[:, ALL[:, 0]], columns[:, ALL[:, 1]]).pvalue
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-300)


def test_many_pairs_go_in_pieces() -> None:
    columns = np.random.default_rng(0).random((300_000, 4))
    pairs = np.array([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])
    expected = stats.ttest_rel(columns[:, pairs[:, 0]], columns[:, pairs[:, 1]]).pvalue
    np.testing.assert_allclose(PairedT().p_values(columns, pairs, seed=0), expected, rtol=1e-12)


def test_small_p_of_many_pairs_keep_their_digits() -> None:
    # 210 pairs of 21 systems, p from 0.9 down to 1e-300: one matrix of products alone would lose the digits of the least
    columns = np.random.default_rng(4).random((6040, 21)) + np.linspace(0, 0.25, 21)
    pairs = np.array([(a, b) for a in range(21) for b in range(a)])
    expected = stats.ttest_rel(columns[:, pairs[:, 0]], columns[:, pairs[:, 1]]).pvalue
    assert expected.max() > 0.01 and expected.min() < 1e-250
    np.testing.assert_allclose(PairedT().p_values(columns, pairs, seed=0), expected, rtol=1e-12, atol=1e-300)


def test_many_settings_at_once_need_no_large_matrix() -> None:
    # 5,000 settings of 3 systems: one matrix of all products would take 1.8 GB
    columns = np.random.default_rng(6).random((12, 15_000)) + np.tile([0.0, 0.1, 0.2], 5000)
    pairs = np.array([(3 * s + a, 3 * s + b) for s in range(5000) for a, b in ((0, 1), (0, 2), (1, 2), (2, 0))])
    tracemalloc.start()
    found = PairedT().p_values(columns, pairs, seed=0)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 200e6
    expected = stats.ttest_rel(columns[:, pairs[:, 0]], columns[:, pairs[:, 1]]).pvalue
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_equal_columns_rounding_and_constant_differences() -> None:
    base = np.random.default_rng(1).random(50)
    thirds = (base / 3) * 3  # differs from base by rounding only
    columns = np.array([base, base, thirds, np.zeros(50), np.ones(50)]).T
    assert PairedT().p_values(columns, np.array([(0, 1), (0, 2), (3, 4)]), seed=0).tolist() == [1.0, 1.0, 0.0]


def test_weighted() -> None:
    columns = np.random.default_rng(2).random((12, 2))
    pair = np.array([[0, 1]])
    plain = PairedT().p_values(columns, pair, seed=0)
    assert PairedT().p_values(columns, pair, seed=0, weights=np.full(12, 2.0))[0] == pytest.approx(plain[0], rel=1e-12)
    # A user without weight is as good as absent.
    only = np.r_[np.ones(7), np.zeros(5)]
    assert PairedT().p_values(columns, pair, seed=0, weights=only)[0] == pytest.approx(
        stats.ttest_rel(*columns[:7].T).pvalue, rel=1e-12
    )


def test_weighted_is_near_uniform_under_the_null() -> None:
    rng = np.random.default_rng(5)
    columns, weights = rng.normal(size=(400, 1001)), rng.integers(1, 6, 400).astype(float)
    columns[:, 0] = 0.0
    p = PairedT().p_values(columns, np.array([(k, 0) for k in range(1, 1001)]), seed=0, weights=weights)
    assert stats.kstest(p, "uniform").pvalue > 0.01


def test_bad_input() -> None:
    with pytest.raises(NotApplicableError, match="a paired test needs at least 2 users, found 1"):
        PairedT().p_values(np.ones((1, 2)), np.array([[0, 1]]), seed=0)
    with pytest.raises(NotApplicableError, match="one user holds all the weight"):
        PairedT().p_values(np.eye(2), np.array([[0, 1]]), seed=0, weights=np.array([0.0, 1.0]))
    with pytest.raises(InputError, match="column 0 holds nan for user 1"):
        PairedT().p_values(np.array([[1.0, 2], [np.nan, 1]]), np.array([[0, 1]]), seed=0)
