"""t, sign, Wilcoxon, Friedman and Tukey: published cases, exact tables and the studentised range."""

from __future__ import annotations

import math
import tracemalloc
from typing import Literal

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from tests.refusals import refused
from tests.significance.columns import all_pairs

from heldout.aggregations.mean import PLAIN
from heldout.errors import UNKNOWN, NotApplicableError
from heldout.significance import Friedman, PairedT, Sign, Tukey, Wilcoxon
from heldout.significance.corrections import Holm
from heldout.significance.pairs import compare_pairs, layouts_of
from heldout.significance.studentised_range import range_quantile, range_sf
from heldout.significance.value_batch import ScaledValues, ValueBatch

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


def test_one_user_with_all_weight_is_refused() -> None:
    with refused(NotApplicableError, found=UNKNOWN, expected="at least 2 users with weight"):
        PairedT().p_values(np.eye(2), np.array([[0, 1]]), seed=0, weights=np.array([0.0, 1.0]))


PAIR = np.array([[0, 1]])


def test_sign_by_hand() -> None:
    # Three wins, no loss: 2 of 8 sign patterns are as extreme for either test.
    columns = np.array([[1.0, 0], [2, 0], [3, 0]])
    assert Wilcoxon().p_values(columns, PAIR, seed=0)[0] == 0.25
    assert Sign().p_values(columns, PAIR, seed=0)[0] == 0.25
    assert Sign("greater").p_values(columns, PAIR, seed=0)[0] == 0.125
    assert Sign("less").p_values(columns, PAIR, seed=0)[0] == 1.0


@pytest.mark.parametrize("ours,theirs", [("two_sided", "two-sided"), ("greater", "greater"), ("less", "less")])
def test_sign_agrees_with_scipy(ours: str, theirs: str) -> None:
    columns = np.random.default_rng(9).integers(0, 4, (300, 5)) + np.array([0, 0, 0, 1, 1])
    pairs = np.array([(a, b) for a in range(5) for b in range(5) if a != b])
    found = Sign(ours).p_values(columns.astype(float), pairs, seed=0)
    for p, (a, b) in zip(found, pairs, strict=True):
        wins, losses = int((columns[:, a] > columns[:, b]).sum()), int((columns[:, a] < columns[:, b]).sum())
        assert p == pytest.approx(stats.binomtest(wins, wins + losses, alternative=theirs).pvalue, rel=1e-11)


def test_equal_columns_give_1() -> None:
    columns = np.tile(np.random.default_rng(1).random((10, 1)), 2)
    assert Wilcoxon().p_values(columns, PAIR, seed=0).tolist() == Sign().p_values(columns, PAIR, seed=0).tolist() == [1.0]


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


def test_friedman_by_hand() -> None:
    # 4 users agree that 1 > 2 > 3: χ² = 12·4/12·2 = 8, p = e^−4; mean ranks 1, 2, 3; CD = 2.344·√(12/24)
    columns = np.tile([3.0, 2, 1], (4, 1)) + np.arange(4)[:, None]
    found = Friedman().layout(columns, level=0.05)
    assert (found.statistic, found.places.tolist(), found.users) == (pytest.approx(8), [1, 2, 3], 4)
    assert found.p == pytest.approx(math.exp(-4))
    assert found.critical == pytest.approx(range_quantile(0.05, 3) / 2)
    p = Friedman().p_values(columns, all_pairs(3), seed=0)
    assert (p < 0.05).tolist() == [False, True, False]
    assert p[0] == pytest.approx(stats.studentized_range.sf(math.sqrt(4), 3, np.inf), abs=1e-12)  # 1/√(12/(12·4))
    lower = Friedman().layout(columns, level=0.05, higher_is_better=False)
    assert lower.places.tolist() == [3, 2, 1] and lower.statistic == found.statistic


@pytest.mark.parametrize("ties", [False, True])
def test_friedman_agrees_with_scipy(ties: bool) -> None:
    columns = np.random.default_rng(1).random((40, 5)) + np.linspace(0, 0.2, 5)
    columns = np.round(columns, 1) if ties else columns
    found, expected = Friedman().layout(columns, level=0.05), stats.friedmanchisquare(*columns.T)
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-12)


def test_the_critical_difference_and_p_say_the_same() -> None:
    columns = np.random.default_rng(2).random((300, 6)) + np.linspace(0, 0.1, 6)
    for test in (Friedman(), Tukey()):
        found, pairs = test.layout(columns, level=0.05), all_pairs(6)
        p = test.p_values(columns, pairs, seed=0)
        apart = np.abs(found.places[pairs[:, 0]] - found.places[pairs[:, 1]]) >= found.critical
        np.testing.assert_array_equal(apart, p <= 0.05)
        assert 0 < apart.sum() < len(pairs)


def test_equal_systems_give_1() -> None:
    columns = np.tile(np.random.default_rng(3).random((20, 1)), (1, 3))
    for test in (Friedman(), Tukey()):
        assert test.p_values(columns, all_pairs(3), seed=0).tolist() == [1.0, 1.0, 1.0]
        assert test.layout(columns, level=0.05).p == 1.0


def test_in_a_comparison_they_take_common_users_and_need_no_correction() -> None:
    x = np.random.default_rng(7).random((3, 30))
    included = np.ones(x.shape, dtype=bool)
    included[0, :5] = False
    setting = ValueBatch(name="P@10", values=ScaledValues(x[:, None]), included=included, aggregation=PLAIN)
    tests = [Friedman(), PairedT()]
    rows = compare_pairs([setting], ["a", "b", "c"], tests=tests, correction=Holm(), seed=0)[0]
    p = Friedman().p_values(x[:, 5:].T, all_pairs(3), seed=0)
    assert [r.p["friedman"] for r in rows] == [r.p_adjusted["friedman"] for r in rows] == p.tolist()
    assert [r.users for r in rows] == [25, 25, 30]
    assert {r.tested_on["friedman"] for r in rows} == {25}
    only = compare_pairs([setting], ["a", "b", "c"], tests=tests, correction=Holm(), seed=0, baseline="c")[0]
    assert [r.p["friedman"] for r in only] == [p[1], p[2]]
    assert {r.family for r in only} == {2}  # what holm counts for t, whatever friedman holds for
    assert layouts_of(setting, tests, level=0.05)["friedman"].users == 25


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
