"""Tukey's test of all pairs, by least squares and against the paired t-test."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from tests.significance.columns import all_pairs

from heldout.significance import Tukey


def test_tukey_of_two_systems_is_the_paired_t_test() -> None:
    columns = np.random.default_rng(4).random((25, 2)) + np.array([0, 0.1])
    p = Tukey().p_values(columns, all_pairs(2), seed=0)
    assert p[0] == pytest.approx(stats.ttest_rel(*columns.T).pvalue, abs=1e-12)
    found = Tukey().layout(columns, level=0.05)
    assert found.p == pytest.approx(p[0], abs=1e-12)
    assert found.statistic == pytest.approx(stats.ttest_rel(*columns.T).statistic ** 2)


def test_tukey_against_least_squares_on_the_two_way_layout() -> None:
    n, k = 12, 4
    columns = np.random.default_rng(5).random((n, k)) + np.linspace(0, 0.4, k) + np.random.default_rng(6).random((n, 1))
    users, systems = np.divmod(np.arange(n * k), k)
    design = np.column_stack([users[:, None] == np.arange(n), systems[:, None] == np.arange(1, k)]).astype(float)
    _, residual, _, _ = np.linalg.lstsq(design, columns.ravel(), rcond=None)
    degrees = (n - 1) * (k - 1)
    error = math.sqrt(residual[0] / degrees / n)
    mean = columns.mean(axis=0)
    expected = [stats.studentized_range.sf(abs(mean[a] - mean[b]) / error, k, degrees) for a, b in all_pairs(k)]
    np.testing.assert_allclose(Tukey().p_values(columns, all_pairs(k), seed=0), expected, atol=1e-12)
    critical = stats.studentized_range.ppf(0.95, k, degrees) * error
    assert Tukey().layout(columns, level=0.05).critical == pytest.approx(critical)


def test_a_constant_difference_is_certain_for_tukey() -> None:
    base = np.random.default_rng(3).random(20)
    assert Tukey().p_values(np.array([base, base + 1]).T, all_pairs(2), seed=0).tolist() == [0.0]
