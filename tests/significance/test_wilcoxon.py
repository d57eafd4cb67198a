"""Wilcoxon's signed-rank test, by hand and beside scipy."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from heldout.errors import NotApplicableError
from heldout.significance import Sign, Wilcoxon

PAIR = np.array([[0, 1]])


RULES = ("wilcox", "pratt")


def by_enumeration(d: NDArray[np.float64], zeros: str) -> float:
    """Two-sided p over all sign patterns of the non-zero differences, whose ranks are whole numbers or halves."""
    from itertools import product

    ranked = d if zeros == "pratt" else d[d != 0]
    ranks = stats.rankdata(np.abs(ranked))[ranked != 0]
    signs = np.array(list(product([0, 1], repeat=len(ranks)))).reshape(2 ** len(ranks), len(ranks))
    sums, observed = signs @ ranks, ranks[ranked[ranked != 0] > 0].sum()
    tails = (sums <= observed).mean(), (sums >= observed).mean()
    return float(min(1.0, 2 * min(tails)))


@pytest.mark.parametrize("zeros", RULES)
@pytest.mark.parametrize("users", [2, 3, 6, 10, 100, 4000])
def test_p_is_that_of_all_sign_patterns(users: int, zeros: Literal["wilcox", "pratt"]) -> None:
    draw = np.random.default_rng(users)
    for size in range(min(users, 10) + 1):
        for values in (draw.normal(size=size), draw.choice([-3, -2, -1, 1, 2], size) / 10):
            d = np.zeros(users)
            d[draw.permutation(users)[:size]] = values
            columns = np.array([d, np.zeros(users)]).T
            p = Wilcoxon(zeros=zeros).p_values(columns, PAIR, seed=0)[0]
            assert p == pytest.approx(by_enumeration(d, zeros), rel=1e-12), (size, values)


def test_five_equal_differences_among_100_users() -> None:
    """2 of the 32 sign patterns are as extreme; scipy's normal approximation gives 0.043 of distinct ones."""
    d = np.append([0.1, 0.2, 0.3, 0.4, 0.5], np.zeros(95))
    columns = np.array([d, np.zeros(100)]).T
    for zeros in RULES:
        assert Wilcoxon(zeros=zeros).p_values(columns, PAIR, seed=0).tolist() == [2 / 32]
        assert Wilcoxon(zeros=zeros).figures(columns, PAIR, seed=0)["non_zero"].tolist() == [5]
    assert stats.wilcoxon(d).pvalue == pytest.approx(0.0431, abs=1e-4)


def theirs(d: NDArray[np.float64], zeros: str) -> float:
    """scipy's p by the rule for exactness that is ours: it counts patterns itself only of distinct differences."""
    if not d.any():
        return 1.0
    n, ties = np.count_nonzero(d), len(np.unique(np.abs(d[d != 0]))) < np.count_nonzero(d)
    if n > 50:
        return float(stats.wilcoxon(d, zero_method=zeros, method="asymptotic").pvalue)
    if ties or (zeros == "pratt" and n < len(d)):
        return np.nan  # by all sign patterns above, and by sampled signs below
    return float(stats.wilcoxon(d[d != 0], method="exact").pvalue)


@pytest.mark.parametrize("zeros", RULES)
@pytest.mark.parametrize("n", [2, 3, 8, 14, 40, 50, 51, 400])
def test_wilcoxon_agrees_with_scipy(n: int, zeros: Literal["wilcox", "pratt"]) -> None:
    draw = np.random.default_rng(n)
    smooth = draw.normal(size=(n, 4)) + np.array([0, 0.1, 0.2, 0.3])
    tied = draw.integers(0, 5, (n, 4)).astype(float)
    half = np.where(draw.random((n, 4)) < 0.5, smooth, 0)
    pairs = np.array([(a, b) for a in range(4) for b in range(a)])
    for columns in (smooth, tied, half):
        p = Wilcoxon(zeros=zeros).p_values(columns, pairs, seed=0)
        expected = np.array([theirs(columns[:, a] - columns[:, b], zeros) for a, b in pairs])
        known = ~np.isnan(expected)
        np.testing.assert_allclose(p[known], expected[known], rtol=1e-12)


@pytest.mark.parametrize("zeros", RULES)
def test_exact_p_of_many_ties_is_that_of_sampled_signs(zeros: Literal["wilcox", "pratt"]) -> None:
    draw = np.random.default_rng(5)
    d = np.append(draw.choice([-2, -1, 1, 2, 3], 40) / 4, np.zeros(60))
    p = Wilcoxon(zeros=zeros).p_values(np.array([d, np.zeros(100)]).T, PAIR, seed=0)[0]
    ranked = d if zeros == "pratt" else d[d != 0]
    ranks = stats.rankdata(np.abs(ranked))[ranked != 0]
    observed = abs(ranks[d[d != 0] > 0].sum() - ranks.sum() / 2)
    sums = draw.integers(0, 2, (200_000, 40)) @ ranks
    share = (np.abs(sums - ranks.sum() / 2) >= observed - 1e-9).mean()
    assert abs(p - share) < 4.5 * np.sqrt(p * (1 - p) / 200_000)


def test_patterns_of_ties_that_recur_among_many_pairs_are_those_of_enumeration() -> None:
    """The exact distribution of a pattern of ties is counted once, for whichever pairs have it."""
    columns = np.random.default_rng(3).integers(0, 4, (12, 18 * 4)) / 4
    pairs = np.array([(18 * m + a, 18 * m + b) for m in range(4) for a in range(18) for b in range(a)])
    p = Wilcoxon().p_values(columns, pairs, seed=0)
    some = np.random.default_rng(4).choice(len(pairs), 6, replace=False)
    expected = [by_enumeration(columns[:, a] - columns[:, b], "wilcox") for a, b in pairs[some]]
    np.testing.assert_allclose(p[some], expected, rtol=1e-12)


def test_two_million_users_have_a_variance() -> None:
    """n(n + 1)(2n + 1) is beyond int64."""
    d = np.random.default_rng(1).normal(0.0005, 1, 2_000_000)
    p = Wilcoxon().p_values(np.array([d, np.zeros(len(d))]).T, PAIR, seed=0)[0]
    assert p == pytest.approx(stats.wilcoxon(d, method="asymptotic").pvalue, rel=1e-9)


def test_rounding_breaks_no_tie() -> None:
    whole = np.random.default_rng(2).integers(0, 11, (60, 2)).astype(float)
    tenths = whole / 10  # 0.7 − 0.4 and 0.3 − 0 differ in the 17th digit
    expected = stats.wilcoxon(*whole.T).pvalue
    assert Wilcoxon().p_values(tenths, PAIR, seed=0)[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("test", [Wilcoxon(), Sign()], ids=str)
def test_bad_input(test: Wilcoxon | Sign) -> None:
    with pytest.raises(NotApplicableError, match="at least 2 users, found 0"):
        test.p_values(np.empty((0, 2)), PAIR, seed=0)
    with pytest.raises(NotApplicableError, match="knows no weights"):
        test.p_values(np.ones((3, 2)), PAIR, seed=0, weights=np.ones(3))
