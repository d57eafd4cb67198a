"""Power of the paired t test: known figures, simulation, and its inverse."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from heldout.errors import SpecError
from heldout.significance.power import detectable_effect, power_of, users_needed


def test_figures_of_the_literature() -> None:
    # Cohen 1988 and G*Power 3, two-sided paired t at 0.05 with power 0.8: d = 0.2, 0.5, 0.8 need 199, 34, 15
    assert [users_needed(d) for d in (0.2, 0.5, 0.8)] == [199, 34, 15]
    assert users_needed(0.5, power=0.95) == 54
    assert power_of(34, 0.5) == pytest.approx(0.8078, abs=5e-5)


def test_power_is_the_share_of_simulated_rejections() -> None:
    d = np.random.default_rng(0).normal(0.05, 0.3, (20_000, 80))
    share = np.mean(stats.ttest_1samp(d, 0, axis=1).pvalue < 0.05)
    assert power_of(80, 0.05, deviation=0.3) == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 20_000))


def test_power_grows_with_users_and_effect_and_the_inverses_agree() -> None:
    assert power_of(50, 0.0) == pytest.approx(0.05)
    for n in (3, 30, 6040, 200_000):
        power = [power_of(n, d) for d in np.linspace(0, 3, 60)]
        assert np.all(np.diff(power) >= -1e-9) and power[0] > 0.0499 and power[-1] <= 1
        assert power_of(n, detectable_effect(n)) == pytest.approx(0.8, abs=1e-6)
    n = users_needed(0.005, deviation=0.2)
    assert power_of(n - 1, 0.005, deviation=0.2) < 0.8 <= power_of(n, 0.005, deviation=0.2)
    assert power_of(1, 0.5) == 0.0


def test_what_cannot_be_planned_is_refused() -> None:
    with pytest.raises(SpecError, match="difference of 0"):
        users_needed(0.0)
    with pytest.raises(SpecError, match="power must lie between"):
        users_needed(0.1, power=1.0)
    with pytest.raises(SpecError, match="deviation must be above 0"):
        users_needed(0.1, deviation=0.0)
    with pytest.raises(SpecError, match="level must lie between"):
        power_of(10, 0.1, level=0.0)
    with pytest.raises(SpecError, match="more than"):
        users_needed(1e-9)
