"""Non-inferiority: the interval, the exact bound for few differing users, and the error at the margin."""

from __future__ import annotations

import math

import numpy as np
import pytest
from benchmarks.check_errors import MARGINS, WORLDS, pass_rates
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.refusals import refused

from heldout.errors import SpecError
from heldout.significance.noninferiority import Margin, noninferiority


def symmetric(mean: float, users: int) -> np.ndarray:
    """Differences without skewness, of which all differ from 0: mean ± 0.1."""
    return mean + np.where(np.arange(users) % 2 == 0, 0.1, -0.1)


def test_without_skewness_the_ends_are_those_of_the_t_interval() -> None:
    differences = symmetric(-0.01, 200)
    baseline = np.full(200, 0.5)
    result = noninferiority(baseline, baseline + differences, Margin(0.02))
    expected = stats.ttest_1samp(differences + 0.02, 0.0, alternative="greater").confidence_interval(0.95)
    assert result.low == pytest.approx(expected.low, rel=1e-12)
    assert result.distance == pytest.approx(0.01, rel=1e-12)
    assert (result.users, result.differing, result.losing) == (200, 200, 100)


def test_outcomes_follow_the_ends() -> None:
    baseline = np.full(2000, 0.5)
    outcomes = {
        change: noninferiority(baseline, baseline + symmetric(change, 2000), Margin(0.02), suspicious=Margin(0.1)).outcome
        for change in (-0.03, -0.021, -0.019, -0.01, 0.0, 0.09, 0.12)
    }
    assert outcomes == {
        -0.03: "worse",
        -0.021: "inconclusive",
        -0.019: "inconclusive",
        -0.01: "passed",
        0.0: "passed",
        0.09: "passed",
        0.12: "suspicious",
    }


def test_a_relative_margin_tests_the_share_of_the_baseline() -> None:
    """1 − 2 % of the baseline: a candidate that loses 1 % of each user's value is certainly above it."""
    baseline = np.linspace(0.1, 1.0, 500)
    assert noninferiority(baseline, 0.99 * baseline, Margin.parse("2%", "margin")).outcome == "passed"
    result = noninferiority(baseline, 0.97 * baseline, Margin.parse("2%", "margin"))
    assert result.outcome == "worse"
    assert result.distance == pytest.approx(-0.01 * baseline.mean(), rel=1e-12)
    assert result.margin == pytest.approx(0.02 * baseline.mean(), rel=1e-12)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["2%", "0.01"]))
def test_lower_is_better_mirrors_the_differences(seed: int, margin: str) -> None:
    """Errors e of rating prediction: the negative differences with the margin on the other side."""
    rng = np.random.default_rng(seed)
    baseline = rng.random(100) + 0.5
    candidate = baseline + rng.normal(0, 0.05, 100)
    parsed = Margin.parse(margin, "margin")
    mirrored = noninferiority(baseline, candidate, parsed, higher_is_better=False)
    distances = parsed.of(1.0) * (baseline if parsed.relative else 1.0) + baseline - candidate
    assert mirrored.distance == pytest.approx(float(distances.mean()), abs=1e-12)
    assert mirrored.losing == int((candidate > baseline).sum())


def test_few_differing_users_need_the_exact_bound() -> None:
    """100 users, none of whom lose: at most 1 − 0.05^(1/100) = 2.951 % do."""
    baseline = np.full(100, 0.5)
    result = noninferiority(baseline, baseline, Margin(0.03), widest=1.0)
    assert (result.outcome, result.exact) == ("passed", True)
    assert result.largest_loss == pytest.approx(1 - 0.05 ** (1 / 100), rel=1e-9)
    assert noninferiority(baseline, baseline, Margin(0.02), widest=1.0).outcome == "inconclusive"
    assert noninferiority(baseline, baseline, Margin(0.03)).outcome == "inconclusive"  # the metric has no range


def test_the_bound_is_that_of_clopper_and_pearson() -> None:
    baseline = np.zeros(400)
    candidate = baseline.copy()
    candidate[:7] -= 0.5
    bound = stats.binomtest(7, 400).proportion_ci(0.90, method="exact").high
    assert noninferiority(baseline, candidate, Margin(0.1), widest=2.0).largest_loss == pytest.approx(2 * bound, rel=1e-9)


def test_users_needed() -> None:
    """(1.645 + 0.842)² · s² ÷ margin² if the systems are equal; the observed distance takes the margin's place."""
    baseline = np.full(1000, 0.5)
    result = noninferiority(baseline, baseline + symmetric(-0.01, 1000), Margin(0.02))
    variance = np.var(symmetric(-0.01, 1000), ddof=1)
    constant = (stats.norm.ppf(0.95) + stats.norm.ppf(0.8)) ** 2
    assert result.users_if_equal == math.ceil(constant * variance / 0.02**2)
    assert result.users_if_as_observed == math.ceil(constant * variance / 0.01**2)
    assert noninferiority(baseline, baseline + symmetric(-0.03, 1000), Margin(0.02)).users_if_as_observed is None
    assert noninferiority(baseline, baseline, Margin(0.02)).users_if_equal is None


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_a_candidate_at_the_margin_seldom_passes(world: object) -> None:
    """At most 5 % of candidates that are exactly as bad as the margin forbids; 8 % leaves four standard errors at 400."""
    rates = {margin: pass_rates(world, 1000, margin, 400, few=(30,))[30] for margin in MARGINS}
    assert max(rates.values()) <= 0.08


def test_the_t_interval_alone_passes_far_too_many() -> None:
    """What the exact bound prevents: a hit rate of 0.05 and 200 users."""
    assert pass_rates(WORLDS[0], 200, 0.02, 200, few=(0,))[0] > 0.5


@pytest.mark.parametrize("text", ["-2%", "two", "", "nan", "2 percent", "inf"])
def test_margins_that_are_none(text: str) -> None:
    with refused(SpecError, where="margin", found=text):
        Margin.parse(text, "margin")


def test_a_relative_margin_needs_a_baseline_above_0() -> None:
    with refused(SpecError, where="margin", found=0.0):
        noninferiority(np.zeros(50), np.ones(50), Margin.parse("2%", "margin"))
