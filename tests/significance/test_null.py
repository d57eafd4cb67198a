"""Every test that has a p, under the null: 4,000 simulated sets reject no more often than the level allows.

Two systems are equal in what they do for users, who differ; values are drawn anew for each set. P(p ≤ α) is at most α
within four standard errors of the share of 4,000, and for t, permutation and wilcoxon on continuous values p is uniform.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from heldout.aggregations import GeometricMean
from heldout.catalogue import classes, make
from heldout.significance import PairedT
from heldout.significance.significance_test import Test

SETS, USERS, AT_ONCE = 4000, 60, 200
LEVELS = np.array([0.01, 0.05, 0.1, 0.2, 0.5])
FORMS = {
    "t": "t",
    "permutation": "permutation(samples=2000)",
    "plain flips": "permutation(samples=2000, method=plain)",
    "wilcoxon": "wilcoxon",
    "sign": "sign",
    "one-sided sign": "sign(alternative=greater)",
    "bootstrap": "bootstrap(samples=999)",
}
TRIED = {make("test", form).key for form in FORMS.values()}
OURS = [cls for cls in classes("test") if cls.__module__.startswith("heldout.") and cls.has_p]
FORMS |= {cls.key: cls.key for cls in OURS if not cls.all_at_once and cls.key not in TRIED}
UNIFORM = ("t", "permutation", "plain flips", "wilcoxon")


def continuous(rng: np.random.Generator, sets: int, users: int) -> NDArray[np.float64]:
    """Normal differences of users who spread unequally."""
    return rng.normal(size=(sets, users)) * (0.5 + rng.gamma(4.0, 0.25, users))


def discrete(rng: np.random.Generator, sets: int, users: int) -> NDArray[np.float64]:
    """Differences of two systems' P@10 on users of different difficulty, many of them 0."""
    share = rng.beta(2, 6, users)
    return (rng.binomial(10, share, (sets, users)) - rng.binomial(10, share, (sets, users))) / 10


def simulated(
    test: Test, draw: Callable[..., NDArray[np.float64]], weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    rng, found = np.random.default_rng(11), []
    weighed = {} if weights is None else {"weights": weights}
    for seed in range(SETS // AT_ONCE):
        d = draw(rng, AT_ONCE, USERS)
        columns = np.vstack([np.zeros(USERS), d]).T
        pairs = np.array([(k + 1, 0) for k in range(AT_ONCE)])
        found.append(test.p_values(columns, pairs, seed=seed, **weighed))
    return np.concatenate(found)


def refuse_too_many(p: NDArray[np.float64]) -> None:
    share = np.array([(p <= level).mean() for level in LEVELS])
    assert np.all(share <= LEVELS + 4 * np.sqrt(LEVELS * (1 - LEVELS) / len(p))), dict(zip(LEVELS, share, strict=True))


@pytest.mark.parametrize("name", list(FORMS))
@pytest.mark.parametrize("draw", [continuous, discrete])
def test_rejects_no_more_often_than_the_level(name: str, draw: Callable[..., NDArray[np.float64]]) -> None:
    p = simulated(make("test", FORMS[name]), draw)
    refuse_too_many(p)
    if draw is continuous and name in UNIFORM:
        assert stats.kstest(p, "uniform").pvalue > 0.01


@pytest.mark.parametrize("name", ["t", "permutation"])
def test_weighted_tests_too(name: str) -> None:
    weights = np.random.default_rng(5).gamma(2.0, 1.0, USERS)
    equal_spread = lambda rng, sets, users: rng.normal(size=(sets, users))  # noqa: E731
    refuse_too_many(simulated(make("test", FORMS[name]), equal_spread, weights))


@pytest.mark.parametrize("name", ["t", "permutation", "bootstrap"])
def test_on_the_scale_of_logarithms_too(name: str) -> None:
    """What gmean is tested on: ln(x + ε) of two systems that are equal in distribution for each user."""
    scale = GeometricMean()

    def logs(rng: np.random.Generator, sets: int, users: int) -> NDArray[np.float64]:
        share = rng.beta(2, 6, users)
        a, b = (scale.transform(rng.binomial(10, share, (sets, users)) / 10) for _ in range(2))
        return a - b

    refuse_too_many(simulated(make("test", FORMS[name]), logs))


def test_subsets_of_equal_systems_are_rejected_at_the_level() -> None:
    """What a test without p gives under the null: the share of subsets that reject is the level on average."""
    rng, test, found = np.random.default_rng(2), make("test", "subsampled(t, subsets=20, size=30)"), []
    for seed in range(SETS // AT_ONCE):
        columns = np.vstack([np.zeros(USERS), continuous(rng, AT_ONCE, USERS)]).T
        pairs = np.array([(k + 1, 0) for k in range(AT_ONCE)])
        found.append(test.figures(columns, pairs, seed=seed)["rejected"])
    share = np.concatenate(found)
    assert abs(share.mean() - 0.05) < 4 * share.std(ddof=1) / np.sqrt(len(share))


@pytest.mark.parametrize("correction", ["bonferroni", "sidak", "holm", "benjamini_hochberg"])
def test_after_correction_any_false_rejection_is_as_rare_as_the_level(correction: str) -> None:
    """Six pairs of four equal systems: the least adjusted p rejects in at most the share α of 4,000 sets."""
    rng, adjust = np.random.default_rng(8), make("correction", correction).adjust
    pairs = np.array([(a, b) for a in range(4) for b in range(a)])
    columns = rng.normal(size=(USERS, SETS, 4)) + rng.normal(size=(USERS, SETS, 1))
    of_set = (pairs[None] + 4 * np.arange(SETS)[:, None, None]).reshape(-1, 2)
    p = PairedT().p_values(columns.reshape(USERS, -1), of_set, seed=0).reshape(SETS, len(pairs))
    refuse_too_many(np.array([adjust(row).min() for row in p]))


@pytest.mark.parametrize("test", [cls() for cls in OURS if cls.all_at_once], ids=str)
def test_the_least_p_of_a_family_rejects_no_more_often_than_the_level(test: Test) -> None:
    rng, least, together = np.random.default_rng(3), [], []
    for _ in range(SETS):
        columns = rng.normal(size=(40, 4)) + rng.normal(size=(40, 1))
        found = test.layout(columns, level=0.05)
        widest = np.array([[found.places.argmax(), found.places.argmin()]])
        least.append(test.p_values(columns, widest, seed=0)[0])
        together.append(found.p)
    refuse_too_many(np.array(least))
    refuse_too_many(np.array(together))
