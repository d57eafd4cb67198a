"""Risk-sensitive and standardised aggregation, by hand and against slow sums."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.coverage.forgive import Forgive
from heldout.aggregations.coverage.zero import UncoveredAsZero
from heldout.aggregations.georisk import GeoRisk
from heldout.aggregations.standardised import Standardised
from heldout.aggregations.tally import arrange, tally_of
from heldout.aggregations.trisk import TRisk
from heldout.aggregations.undefined.zero import UndefinedAsZero
from heldout.aggregations.urisk import URisk
from heldout.aggregations.values import UserValues
from heldout.aggregations.zrisk import ZRisk
from heldout.errors import NotApplicableError, SpecError, UnknownNameError
from heldout.significance.corrections.none import NoCorrection
from heldout.significance.pairs import SettingValues, compare_pairs
from heldout.significance.t import PairedT

BASE = np.array([0.5, 0.5, 0.5])
GAINS = np.array([BASE, BASE + np.array([0.3, -0.1, 0.1])])  # system 2 gains 0.3, −0.1 and 0.1 over system 1


def arranged(aggregation: Aggregation, x: np.ndarray, **more: object) -> UserValues:
    rules = {"undefined": UndefinedAsZero(), "coverage": UncoveredAsZero(), "systems": [f"s{k}" for k in range(len(x))]}
    return arrange(x, np.ones(x.shape), aggregation=aggregation, **{**rules, **more})


def values(aggregation: Aggregation, x: np.ndarray, **more: object) -> list[float | None]:
    return [t.value for t in tally_of(arranged(aggregation, x, **more), x, np.ones(x.shape))]


def test_urisk_and_trisk_by_hand() -> None:
    assert values(URisk(1.0, "s0"), GAINS) == pytest.approx([0.0, 0.2 / 3])  # 0.3 − 2·0.1 + 0.1
    assert values(URisk(0.0, "s0"), GAINS) == pytest.approx([0.0, 0.1])  # the plain difference
    weighed = np.array([0.3, -0.2, 0.1])
    t = weighed.mean() / (weighed.std(ddof=1) / math.sqrt(3))
    assert values(TRisk(1.0, "s0"), GAINS) == pytest.approx([0.0, t])
    assert t == pytest.approx(stats.ttest_1samp(weighed, 0).statistic)


def test_the_baseline_may_come_from_the_comparison_and_must_be_there() -> None:
    assert values(URisk(), GAINS, baseline="s0") == values(URisk(baseline="s0"), GAINS)
    with pytest.raises(SpecError, match="urisk needs a baseline"):
        values(URisk(), GAINS)
    with pytest.raises(UnknownNameError, match="unknown baseline 's9'"):
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


@pytest.mark.parametrize("aggregation", [ZRisk(), GeoRisk()], ids=str)
def test_what_has_no_expectation_is_refused(aggregation: Aggregation) -> None:
    with pytest.raises(NotApplicableError, match="higher values are better"):
        values(aggregation, GAINS, higher_is_better=False)
    with pytest.raises(NotApplicableError, match=r"values of at least 0, found -0\.6"):
        values(aggregation, GAINS - 1)
    with pytest.raises(NotApplicableError, match="at least 2 systems"):
        values(aggregation, GAINS[:1])
    with pytest.raises(NotApplicableError, match="of all systems at once"):
        aggregation.aggregate(GAINS.T)


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
