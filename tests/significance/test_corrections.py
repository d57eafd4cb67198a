"""Corrections for many comparisons, effect sizes and power."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from tests.refusals import refused

from heldout.catalogue import make
from heldout.errors import InputError, SpecError
from heldout.significance.corrections import BenjaminiHochberg
from heldout.significance.effect import effects
from heldout.significance.power import detectable_effect, power_of, users_needed

HAND = {
    "none": [0.01, 0.04, 0.03],
    "bonferroni": [0.03, 0.12, 0.09],
    "sidak": [1 - 0.99**3, 1 - 0.96**3, 1 - 0.97**3],
    "holm": [0.03, 0.06, 0.06],  # 3·0.01; 2·0.03; max(1·0.04, 0.06)
    "benjamini_hochberg": [0.03, 0.04, 0.04],  # 3/1·0.01; min(3/2·0.03, 0.04); 3/3·0.04
}


def rejects_bonferroni(p: list[float], level: float) -> list[bool]:
    return [x <= level / len(p) for x in p]


def rejects_sidak(p: list[float], level: float) -> list[bool]:
    return [x <= 1 - (1 - level) ** (1 / len(p)) for x in p]


def rejects_holm(p: list[float], level: float) -> list[bool]:
    rejected = [False] * len(p)
    for step, k in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        if p[k] > level / (len(p) - step):
            break
        rejected[k] = True
    return rejected


def rejects_bh(p: list[float], level: float) -> list[bool]:
    passing = [x for j, x in enumerate(sorted(p), start=1) if x <= level * j / len(p)]
    return [bool(passing) and x <= max(passing) for x in p]


@pytest.mark.parametrize("name", HAND)
def test_by_hand(name: str) -> None:
    found = make("correction", name).adjust(np.array([0.01, 0.04, 0.03]))
    assert found.tolist() == pytest.approx(HAND[name])


@pytest.mark.parametrize("name", HAND)
def test_nan_stays_and_is_not_counted(name: str) -> None:
    found = make("correction", name).adjust(np.array([math.nan, 0.01, 0.04, math.nan, 0.03]))
    assert np.isnan(found[[0, 3]]).all()
    assert found[[1, 2, 4]].tolist() == pytest.approx(HAND[name])
    assert make("correction", name).adjust(np.array([])).tolist() == []


@pytest.mark.parametrize(
    ("name", "rejects"),
    [
        ("bonferroni", rejects_bonferroni),
        ("sidak", rejects_sidak),
        ("holm", rejects_holm),
        ("benjamini_hochberg", rejects_bh),
    ],
)
def test_adjusted_p_rejects_what_the_procedure_rejects_at_every_level(
    name: str, rejects: Callable[[list[float], float], list[bool]]
) -> None:
    rng = np.random.default_rng(4)
    for n in (1, 2, 7, 20):
        p = rng.random(n) ** 4
        adjusted = make("correction", name).adjust(p)
        assert ((adjusted >= p - 1e-15) & (adjusted <= 1)).all()
        for level in (0.001, 0.01, 0.05, 0.2, 0.7):
            assert (adjusted <= level).tolist() == rejects(p.tolist(), level)


def test_benjamini_hochberg_agrees_with_scipy() -> None:
    p = np.random.default_rng(5).random(30) ** 3
    np.testing.assert_allclose(BenjaminiHochberg().adjust(p), stats.false_discovery_control(p), rtol=1e-13)


def test_ends_and_small_p() -> None:
    found = make("correction", "sidak").adjust(np.array([1e-20, 0.0, 1.0]))
    assert found.tolist() == pytest.approx([3e-20, 0.0, 1.0], rel=1e-12)
    with refused(InputError, found=1.5, expected="a number from 0 to 1"):
        make("correction", "holm").adjust(np.array([0.5, 1.5]))


PAIR = np.array([[0, 1]])


def test_effect_by_hand() -> None:
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
    with refused(SpecError, where="effect", found=0.0, expected="the least difference that matters"):
        users_needed(0.0)
    with refused(SpecError, where="power", found=1.0, expected="a number between the level 0.05 and 1"):
        users_needed(0.1, power=1.0)
    with refused(SpecError, where="deviation", found=0.0, expected="a number above 0"):
        users_needed(0.1, deviation=0.0)
    with refused(SpecError, where="level", found=0.0, expected="a number between 0 and 1"):
        power_of(10, 0.1, level=0.0)
    with refused(SpecError, where="effect", found=1e-9, expected="a larger difference"):
        users_needed(1e-9)
