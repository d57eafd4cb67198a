"""Aggregations by hand: means, weights, pooled values and risk."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from tests.aggregations.arranging import arranged, values
from tests.refusals import refused

from heldout.aggregations import GeometricMean, GeoRisk, Mean, Median, Pooled, Standardised, TrimmedMean, TRisk, URisk, ZRisk
from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.coverage import Forgive, UncoveredAsZero
from heldout.aggregations.tally import arrange, tally_of
from heldout.aggregations.undefined import SkipUndefined, UndefinedAsZero
from heldout.catalogue import make
from heldout.errors import InputError, NotApplicableError, SpecError, UnknownNameError
from heldout.significance import PairedT, Sign
from heldout.significance.corrections import NoCorrection
from heldout.significance.pairs import compare_pairs
from heldout.significance.value_batch import ValueBatch

NAN = math.nan
EVERY = [Mean(), GeometricMean(), Median(), TrimmedMean(0.2)]


@pytest.mark.parametrize("aggregation", EVERY, ids=str)
def test_nothing_left_is_nan_and_nan_rows_change_nothing(aggregation: Aggregation) -> None:
    assert np.isnan(aggregation.aggregate(np.full((3, 1), NAN))).all()
    assert np.isnan(aggregation.aggregate(np.empty((0, 2)))).all()
    x = np.random.default_rng(3).random((20, 1))
    with_nan = np.insert(x, [0, 7, 20], NAN, axis=0)
    np.testing.assert_allclose(aggregation.aggregate(with_nan), aggregation.aggregate(x), rtol=1e-14)


@pytest.mark.parametrize("aggregation", [Median(), TrimmedMean()], ids=str)
def test_those_that_take_no_weights_say_so(aggregation: Aggregation) -> None:
    with refused(NotApplicableError, where=str(aggregation), hint="use mean, or average by user"):
        aggregation.aggregate(np.ones((2, 1)), np.ones(2))


def test_bad_weights_and_parameters() -> None:
    with refused(InputError, found=3, expected="one weight for each of 2 users"):
        Mean().aggregate(np.ones((2, 1)), np.ones(3))
    with refused(SpecError, where="trimmed: 'share'", found=0.5, expected="a number below 0.5"):
        TrimmedMean(0.5)
    with refused(SpecError, where="gmean: 'epsilon'", found=0.0, expected="a number above 0"):
        GeometricMean(0.0)


def test_mean_by_hand() -> None:
    values = np.array([[0.2, NAN], [0.4, 1.0], [0.9, 0.0]])
    assert Mean().aggregate(values).tolist() == pytest.approx([0.5, 0.5])  # 1.5/3, 1/2
    # (0.2 + 0.4 + 2·0.9)/4 and (1·1 + 2·0)/3
    assert Mean().aggregate(values, np.array([1.0, 1.0, 2.0])).tolist() == pytest.approx([0.6, 1 / 3])


def test_gmean_by_hand() -> None:
    # √(0.01 · 1) − 0.01
    assert GeometricMean().aggregate(np.array([[0.0], [0.99]]))[0] == pytest.approx(0.09)
    # weights 1 and 3: (0.01 · 1³)^(1/4) − 0.01
    weighted = GeometricMean().aggregate(np.array([[0.0], [0.99]]), np.array([1.0, 3.0]))
    assert weighted[0] == pytest.approx(0.01**0.25 - 0.01)
    assert make("aggregation", "gmean(ε=0.1)") == make("aggregation", "gmean(epsilon=0.1)") == GeometricMean(0.1)


def test_gmean_is_the_inverse_of_the_mean_of_its_transform() -> None:
    x = np.random.default_rng(1).random((50, 3))
    g = GeometricMean(0.05)
    np.testing.assert_allclose(g.aggregate(x), g.inverse(g.transform(x).mean(axis=0)), rtol=1e-14)
    np.testing.assert_allclose(g.aggregate(x), stats.gmean(x + 0.05) - 0.05, rtol=1e-13)


def test_gmean_refuses_values_without_a_logarithm() -> None:
    with refused(NotApplicableError, where="gmean", found=-0.5, expected="values above -0.01"):
        GeometricMean().aggregate(np.array([[0.3], [-0.5]]))


def test_median_and_trimmed_by_hand() -> None:
    values = np.array([[0.8, 0.8], [0.0, 0.0], [0.1, 0.1], [NAN, 0.3]])
    assert Median().aggregate(values).tolist() == pytest.approx([0.1, 0.2])  # middle of 3; (0.1 + 0.3)/2
    # ⌊0.25·3⌋ = 0 cut: 0.9/3; ⌊0.25·4⌋ = 1 cut at each end: (0.1 + 0.3)/2
    assert TrimmedMean(0.25).aggregate(values).tolist() == pytest.approx([0.3, 0.2])


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_median_and_trimmed_agree_with_numpy_and_scipy(n: int) -> None:
    x = np.random.default_rng(n).random((n, 4))
    np.testing.assert_array_equal(Median().aggregate(x), np.median(x, axis=0))
    np.testing.assert_allclose(TrimmedMean(0.2).aggregate(x), stats.trim_mean(x, 0.2), rtol=1e-14)


BASE = np.array([0.5, 0.5, 0.5])
GAINS = np.array([BASE, BASE + np.array([0.3, -0.1, 0.1])])  # system 2 gains 0.3, −0.1 and 0.1 over system 1


def test_urisk_and_trisk_by_hand() -> None:
    assert values(URisk(1.0, "s0"), GAINS) == pytest.approx([0.0, 0.2 / 3])  # 0.3 − 2·0.1 + 0.1
    assert values(URisk(0.0, "s0"), GAINS) == pytest.approx([0.0, 0.1])  # the plain difference
    weighed = np.array([0.3, -0.2, 0.1])
    t = weighed.mean() / (weighed.std(ddof=1) / math.sqrt(3))
    assert values(TRisk(1.0, "s0"), GAINS) == pytest.approx([0.0, t])
    assert t == pytest.approx(stats.ttest_1samp(weighed, 0).statistic)


def test_a_gain_that_is_the_same_for_all_has_no_trisk() -> None:
    assert values(TRisk(1.0, "s0"), np.array([BASE, BASE + 0.1])) == [0.0, None]


def test_zrisk_and_georisk_by_hand() -> None:
    x = np.array([[3.0, 1], [1, 3]])  # every expectation is 4·4/8 = 2
    z = 1 / math.sqrt(2) - 2 / math.sqrt(2)
    assert values(ZRisk(1.0), x) == pytest.approx([z, z])
    assert values(GeoRisk(1.0), x) == pytest.approx([math.sqrt(2 * stats.norm.cdf(z / 2))] * 2)


def test_zrisk_and_georisk_against_slow_sums() -> None:
    x, alpha = np.random.default_rng(0).random((4, 25)), 2.5
    x[:, 3] = 0.0  # a user whom nobody serves has no expectation, and adds nothing
    expected = []
    for s in range(4):
        total = 0.0
        for u in range(25):
            e = x[s].sum() * x[:, u].sum() / x.sum()
            z = (x[s, u] - e) / math.sqrt(e) if e > 0 else 0.0
            total += z if z > 0 else (1 + alpha) * z
        expected.append(total)
    assert values(ZRisk(alpha), x) == pytest.approx(expected)
    geo = [math.sqrt(x[s].mean() * stats.norm.cdf(expected[s] / 25)) for s in range(4)]
    assert values(GeoRisk(alpha), x) == pytest.approx(geo)


def test_standardised_by_hand() -> None:
    # references 0.2 and 0.4 on the first user: mean 0.3, s = √0.02; equal references on the second user give 0.5
    x = np.array([[0.2, 0.7], [0.4, 0.7], [0.3 + math.sqrt(0.02), 0.9]])
    found = arranged(Standardised(("s0", "s1")), x)
    high = stats.norm.cdf(1 / math.sqrt(2))
    assert found.values.tolist() == [
        pytest.approx([1 - high, 0.5]),
        pytest.approx([high, 0.5]),
        pytest.approx([stats.norm.cdf(1.0), 0.5]),
    ]
    assert values(Standardised(("s0", "s1")), x)[2] == pytest.approx((stats.norm.cdf(1.0) + 0.5) / 2)


def test_standardised_takes_all_systems_unless_named_and_keeps_users_to_skip() -> None:
    x = np.random.default_rng(1).random((4, 12))
    z = (x - x.mean(axis=0)) / x.std(axis=0, ddof=1)
    np.testing.assert_allclose(arranged(Standardised(), x).values, stats.norm.cdf(z), rtol=1e-12)
    with refused(NotApplicableError, where="standardised", found=1, expected="at least 2 reference systems"):
        values(Standardised(("s1",)), x)
    with refused(UnknownNameError, hint="known: s0"):
        values(Standardised(("s0", "x")), x)


def test_what_tests_say_of_them() -> None:
    x = np.random.default_rng(3).random((3, 30))
    names, tests = ["s0", "s1", "s2"], [PairedT()]
    settings = [
        ValueBatch.of(a.key, arranged(a, x)) for a in (URisk(1.0, "s0"), Standardised(), TRisk(1.0, "s0"), GeoRisk())
    ]
    found = compare_pairs(settings, names, tests=tests, correction=NoCorrection(), seed=0)
    gains = arranged(URisk(1.0, "s0"), x).values
    assert found[0][2].p["t"] == pytest.approx(stats.ttest_rel(gains[1], gains[2]).pvalue, rel=1e-12)
    assert found[1][0].p["t"] is not None
    for rows in found[2:]:
        assert {row.p["t"] for row in rows} == {None}
        assert rows[0].refusals["t"].startswith("no test answers for")
    totals = arranged(TRisk(1.0, "s0"), x).totals
    assert found[2][2].difference == pytest.approx(totals[1] - totals[2])
    assert (found[2][2].low, found[2][2].high) == (None, None)


RULES = {"undefined": UndefinedAsZero(), "coverage": UncoveredAsZero()}


def values_of(aggregation: object, x: np.ndarray, **more: object) -> list[float | None]:
    lengths = np.ones(x.shape)
    found = arrange(x, lengths, aggregation=aggregation, **{**RULES, **more})
    return [t.value for t in tally_of(found, x, lengths)]


def test_weights_by_hand() -> None:
    x = np.array([[0.2, 0.4, 0.9]])
    counts = {"test": np.array([1.0, 1, 2]), "train": np.array([2.0, 0, 0]), "relevant": np.array([0.0, 1, 1])}
    assert values_of(make("aggregation", "mean(weight=test)"), x, counts=counts) == pytest.approx([0.6])  # 2.4/4
    assert values_of(make("aggregation", "mean(train)"), x, counts=counts) == pytest.approx([0.2])
    assert values_of(Mean("relevant"), x, counts=counts) == pytest.approx([0.65])  # (0.4 + 0.9)/2
    assert values_of(Mean(), x, counts=counts) == pytest.approx([0.5])


def test_weighted_means_are_tested_with_the_effective_number_of_users() -> None:
    x, w = np.random.default_rng(0).random((2, 40)), np.random.default_rng(1).integers(1, 9, 40).astype(float)
    found = arrange(x, np.ones(x.shape), aggregation=Mean("test"), counts={"test": w}, **RULES)
    setting = ValueBatch.of("P@10", found)
    row = compare_pairs([setting], ["a", "b"], tests=[PairedT()], correction=NoCorrection(), seed=0)[0][0]
    d, size = x[0] - x[1], w.sum() ** 2 / (w**2).sum()
    mean = np.average(d, weights=w)
    square = np.average((d - mean) ** 2, weights=w) * size / (size - 1)
    assert row.difference == pytest.approx(mean)
    assert row.p["t"] == pytest.approx(2 * stats.t.sf(abs(mean) / np.sqrt(square / size), size - 1), rel=1e-12)
    with refused(NotApplicableError, where="P@10", hint="use t, permutation"):
        compare_pairs([setting], ["a", "b"], tests=[Sign()], correction=NoCorrection(), seed=0)


def test_pooled_by_hand() -> None:
    # recall 1 of 2 and 3 of 8: 4/10, where the mean gives 0.4375; a user without relevant items adds nothing to either sum
    x = np.array([[0.5, 0.375, np.nan]])
    for undefined in (UndefinedAsZero(), SkipUndefined()):
        more = {"denominator": np.array([2.0, 8, 0]), "pool": "sum", "undefined": undefined}
        assert values_of(Pooled(), x, **more) == pytest.approx([0.4])
    # RMSE of errors 3, 4 (n = 2) and 0 (n = 1): √(25/3)
    rmse = np.array([[np.sqrt(12.5), 0.0]])
    assert values_of(Pooled(), rmse, denominator=np.array([2.0, 1]), pool="square") == pytest.approx([np.sqrt(25 / 3)])
    # lists averaged by rating: 2 lists at 0.5 and 1 at 1: 2/3
    assert values_of(Pooled(), np.array([[0.5, 1.0]]), weights=np.array([2.0, 1])) == pytest.approx([2 / 3])
    with refused(NotApplicableError, where="pooled", hint="pool another metric"):
        values_of(Pooled(), x)


def test_pooled_differences_are_tested_on_contributions_of_the_common_users() -> None:
    rng = np.random.default_rng(2)
    x, b = rng.random((2, 30)), rng.integers(1, 20, 30).astype(float)
    lengths = np.ones(x.shape)
    lengths[0, :4] = 0
    found = arrange(
        x, lengths, aggregation=Pooled(), denominator=b, pool="sum", undefined=UndefinedAsZero(), coverage=Forgive()
    )
    row = compare_pairs(
        [ValueBatch.of("HLU", found)], ["a", "b"], tests=[PairedT(), Sign()], correction=NoCorrection(), seed=0
    )[0][0]
    numerators = (x * b)[:, 4:]
    assert row.difference == pytest.approx((numerators[0].sum() - numerators[1].sum()) / b[4:].sum())
    assert row.low < row.difference < row.high
    assert row.p["t"] == pytest.approx(stats.ttest_rel(*numerators).pvalue, rel=1e-12)
    assert row.p["sign"] is not None


def test_each_system_may_divide_by_what_it_predicted_itself() -> None:
    # errors of A: 3, 4 | 0; B predicts only one rating of the first user: 3 | 0, 2. RMSE √(25/3) and √(13/3)
    rmse = np.array([[np.sqrt(12.5), 0.0], [3.0, np.sqrt(2)]])
    predicted = np.array([[2.0, 1], [1, 2]])
    found = values_of(Pooled(), rmse, denominator=predicted, pool="square", higher_is_better=False)
    assert found == pytest.approx([np.sqrt(25 / 3), np.sqrt(13 / 3)])
    # the same with plain ratios: (25 + 0)/3 and (9 + 4)/3
    found = values_of(Pooled(), rmse**2, denominator=predicted, pool="sum")
    assert found == pytest.approx([25 / 3, 13 / 3])


def test_a_pair_is_valued_on_its_common_users_though_each_system_has_its_own_denominators() -> None:
    # A covers all three users, B only the last two: on these A has √((16 + 4)/(1 + 2)) and B √((9 + 25)/(2 + 2))
    rmse = np.array([[1.0, 4.0, np.sqrt(2)], [0.0, np.sqrt(4.5), np.sqrt(12.5)]])
    predicted = np.array([[3.0, 1, 2], [0, 2, 2]])
    lengths = np.array([[1.0, 1, 1], [0, 1, 1]])
    rules = {"undefined": SkipUndefined(), "coverage": Forgive(), "higher_is_better": False}
    found = arrange(rmse, lengths, aggregation=Pooled(), denominator=predicted, pool="square", **rules)
    alone = tally_of(found, rmse, lengths)
    assert [t.value for t in alone] == pytest.approx([np.sqrt(23 / 6), np.sqrt(34 / 4)])
    row = compare_pairs([ValueBatch.of("RMSE", found)], ["a", "b"], tests=[PairedT()], correction=NoCorrection(), seed=0)[0][
        0
    ]
    assert (row.users, row.value_a, row.value_b) == (2, pytest.approx(np.sqrt(20 / 3)), pytest.approx(np.sqrt(34 / 4)))
    contributions = np.array([[16, 4], [9, 25]]) / np.array([[3], [4]])
    assert row.p["t"] == pytest.approx(stats.ttest_rel(*contributions).pvalue, rel=1e-12)


def test_the_baseline_may_come_from_the_comparison_and_must_be_there() -> None:
    assert values(URisk(), GAINS, baseline="s0") == values(URisk(baseline="s0"), GAINS)
    with refused(SpecError, where="urisk", hint="name one of the systems: urisk(baseline=…)"):
        values(URisk(), GAINS)
    with refused(UnknownNameError, hint="known: s0, s1"):
        values(TRisk(baseline="s9"), GAINS)


def test_where_lower_is_better_a_gain_is_a_fall() -> None:
    found = arranged(URisk(1.0, "s0"), GAINS, higher_is_better=False)
    assert found.higher_is_better
    assert tally_of(found, GAINS, np.ones(GAINS.shape))[1].value == pytest.approx((-2 * 0.3 + 0.1 - 2 * 0.1) / 3)


def test_risk_against_a_baseline_counts_users_whom_both_cover() -> None:
    lengths = np.array([[1.0, 1, 0], [0, 1, 1]])
    found = arrange(
        GAINS,
        lengths,
        aggregation=URisk(1.0, "s0"),
        systems=["s0", "s1"],
        undefined=UndefinedAsZero(),
        coverage=Forgive(),
    )
    assert [t.users for t in tally_of(found, GAINS, lengths)] == [2, 1]
    assert tally_of(found, GAINS, lengths)[1].value == pytest.approx(-0.2)


@pytest.mark.parametrize("aggregation", [ZRisk(), GeoRisk()], ids=str)
def test_what_has_no_expectation_is_refused(aggregation: Aggregation) -> None:
    with refused(NotApplicableError, where=str(aggregation), expected="a metric of which higher values are better"):
        values(aggregation, GAINS, higher_is_better=False)
    with refused(
        NotApplicableError, where=str(aggregation), found=float((GAINS - 1).min()), expected="values of at least 0"
    ):
        values(aggregation, GAINS - 1)
    with refused(NotApplicableError, where=str(aggregation), expected="at least 2 systems"):
        values(aggregation, GAINS[:1])
    with refused(NotApplicableError, where=aggregation.key, hint="prepare the values of all systems first"):
        aggregation.aggregate(GAINS.T)
