"""Corrections by hand, against slow definitions and scipy."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from heldout.catalogue import make
from heldout.errors import InputError
from heldout.significance.corrections.benjamini_hochberg import BenjaminiHochberg

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
    with pytest.raises(InputError, match=r"position 1 is 1\.5"):
        make("correction", "holm").adjust(np.array([0.5, 1.5]))
