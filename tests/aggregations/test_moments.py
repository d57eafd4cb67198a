"""Quantiles of Student's t, whatever version of scipy is installed."""

from __future__ import annotations

import pytest

from heldout.aggregations.moments import t_quantile

QUANTILES = {
    1: 12.706204736174693314,
    2: 4.3026527297494617894,
    3: 3.1824463052837084359,
    199: 1.9719565442517534484,
    6034: 1.9603572127578641122,
}
"""97.5 % quantiles by degrees of freedom, computed with 40 digits by mpmath."""


@pytest.mark.parametrize("degrees", QUANTILES)
def test_quantiles_are_exact_to_the_last_digits(degrees: int) -> None:
    assert t_quantile(0.975, degrees) == pytest.approx(QUANTILES[degrees], rel=1e-14)
    assert t_quantile(0.025, degrees) == pytest.approx(-QUANTILES[degrees], rel=1e-14)


def test_many_users_have_the_quantile_of_a_normal_distribution() -> None:
    assert t_quantile(0.975, 1e12) == pytest.approx(1.9599639845400545, rel=1e-11)
