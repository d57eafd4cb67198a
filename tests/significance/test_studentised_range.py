"""The studentised range, beside scipy and the published table."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from heldout.significance.studentised_range import range_quantile, range_sf


@pytest.mark.parametrize("groups", [2, 3, 8, 21])
@pytest.mark.parametrize("degrees", [3, 10, 60, np.inf])
def test_studentised_range_agrees_with_scipy(groups: int, degrees: float) -> None:
    q = np.array([0.0, 0.05, 1.0, 2.5, 3.6, 5.0, 8.0])
    np.testing.assert_allclose(range_sf(q, groups, degrees), stats.studentized_range.sf(q, groups, degrees), atol=1e-12)


def test_studentised_range_keeps_the_digits_of_small_tails() -> None:
    # two groups: the range over √2 is |z|, so sf(q) = 2Φ(−q/√2)
    q = np.array([8.0, 15.0, 25.0])
    np.testing.assert_allclose(range_sf(q, 2), 2 * stats.norm.sf(q / math.sqrt(2)), rtol=1e-10)
    # with an estimated s tails are told down to 1e-14
    expected = np.maximum(2 * stats.t.sf(q / math.sqrt(2), 40), 1e-14)
    np.testing.assert_allclose(range_sf(q, 2, 40), expected, rtol=2e-5)


def test_critical_values_are_those_of_the_published_table() -> None:
    # Demšar 2006, Table 5(a): q at 0.05 and 0.10 for 2 … 10 classifiers
    published = {
        0.05: [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164],
        0.10: [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920],
    }
    for level, row in published.items():
        found = [range_quantile(level, k) / math.sqrt(2) for k in range(2, 11)]
        assert found == pytest.approx(row, abs=0.0011)
