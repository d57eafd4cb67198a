"""Each way to average: small cases by hand, and what it refuses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from tests.aggregations.arranging import arranged, values

from heldout.aggregations import GeometricMean, GeoRisk, Mean, Median, Standardised, TrimmedMean, TRisk, URisk, ZRisk
from heldout.catalogue import make
from heldout.errors import NotApplicableError, UnknownNameError
from heldout.significance import PairedT
from heldout.significance.corrections.none import NoCorrection
from heldout.significance.pairs import SettingValues, compare_pairs

NAN = math.nan


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
    with pytest.raises(NotApplicableError, match=r"least value is -0\.5"):
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
    with pytest.raises(NotApplicableError, match="at least 2 reference systems"):
        values(Standardised(("s1",)), x)
    with pytest.raises(UnknownNameError, match="unknown reference system 'x'"):
        values(Standardised(("s0", "x")), x)


def test_what_tests_say_of_them() -> None:
    x = np.random.default_rng(3).random((3, 30))
    names, tests = ["s0", "s1", "s2"], [PairedT()]
    settings = [
        SettingValues.of(a.key, arranged(a, x)) for a in (URisk(1.0, "s0"), Standardised(), TRisk(1.0, "s0"), GeoRisk())
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
