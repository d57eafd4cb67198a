"""All pairs compared: users, groups, scales, refusals."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from heldout.aggregations import GeometricMean, Mean, Median, TrimmedMean
from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.coverage.forgive import Forgive
from heldout.errors import InputError, NotApplicableError, UnknownNameError
from heldout.significance import PairedT, Permutation, Sign, Wilcoxon, batches
from heldout.significance.corrections.holm import Holm
from heldout.significance.corrections.none import NoCorrection
from heldout.significance.pairs import PairComparison, SettingValues, compare_pairs, system_pairs
from heldout.significance.significance_test import Test

SYSTEMS = ["a", "b", "c", "d"]


def setting(
    values: np.ndarray, aggregation: Aggregation | None = None, included: np.ndarray | None = None, **more: object
) -> SettingValues:
    mask = np.ones(values.shape, dtype=bool) if included is None else included
    return SettingValues(name="P@10", values=values, included=mask, aggregation=aggregation or Mean(), **more)


def one(values: np.ndarray, *tests: Test, **more: object) -> PairComparison:
    return compare_pairs([setting(values, **more)], ["a", "b"], tests=tests, correction=NoCorrection(), seed=1)[0][0]


def test_a_pair_by_hand() -> None:
    # differences 1, 2, 3, 0: mean 1.5, standard error √(5/3)/2; t 2.3238; flips: ±++0 … 4 of 16 reach 6
    row = one(np.array([[1.0, 2, 3, 4], [0.0, 0, 0, 4]]), PairedT(), Permutation(), Sign())
    assert (row.a, row.b, row.users) == (0, 1, 4)
    assert (row.value_a, row.value_b, row.difference) == (2.5, 1.0, 1.5)
    assert (row.wins, row.ties, row.losses, row.superiority) == (3, 1, 0, 3.5 / 4)
    assert row.p["permutation"] == 4 / 16
    assert row.p["sign"] == 0.25
    half = stats.t.ppf(0.975, 3) * math.sqrt(5 / 3) / 2
    assert (row.low, row.high) == pytest.approx((1.5 - half, 1.5 + half))
    assert row.effect == pytest.approx(1.5 / math.sqrt(5 / 3))
    assert row.p_adjusted == row.p and row.family == 1 and row.reason == ""


def test_order_of_pairs_and_baseline() -> None:
    assert system_pairs("abc") == [(0, 1), (0, 2), (1, 2)]
    assert system_pairs(["a", "b", "c"], "b") == [(0, 1), (2, 1)]
    with pytest.raises(UnknownNameError, match=r"unknown baseline 'knm'; did you mean knn\?"):
        system_pairs(["knn", "pop"], "knm")


def test_all_pairs_agree_with_scipy_and_are_adjusted_within_setting_and_test() -> None:
    values = np.random.default_rng(0).random((2, 4, 50)) + np.linspace(0, 0.3, 4)[:, None]
    tests = [PairedT(), Wilcoxon()]
    found = compare_pairs([setting(v) for v in values], SYSTEMS, tests=tests, correction=Holm(), seed=0)
    for v, rows in zip(values, found, strict=True):
        assert [(r.a, r.b) for r in rows] == list(combinations(range(4), 2))
        expected = np.array([stats.ttest_rel(v[r.a], v[r.b]).pvalue for r in rows])
        np.testing.assert_allclose([r.p["t"] for r in rows], expected, rtol=1e-12)
        np.testing.assert_allclose([r.p_adjusted["t"] for r in rows], Holm().adjust(expected), rtol=1e-12)
        np.testing.assert_allclose(
            [r.p["wilcoxon"] for r in rows], [stats.wilcoxon(v[r.a], v[r.b]).pvalue for r in rows], rtol=1e-12
        )
        assert {r.family for r in rows} == {6}


def test_forgive_compares_the_common_users_of_each_pair() -> None:
    rng = np.random.default_rng(1)
    values, lengths = rng.random((3, 40)), rng.integers(0, 3, (3, 40)).astype(float)
    values[0, :5] = np.nan  # skipped
    included = np.array(Forgive().included(list(lengths)))
    tests = [PairedT(), Permutation(samples=3000)]
    rows = compare_pairs(
        [setting(values, included=included)], ["a", "b", "c"], tests=tests, correction=NoCorrection(), seed=4
    )[0]
    for row in rows:
        common = included[row.a] & included[row.b] & ~np.isnan(values[[row.a, row.b]]).any(axis=0)
        x, y = values[row.a, common], values[row.b, common]
        assert row.users == common.sum() < 40
        assert (row.value_a, row.value_b) == pytest.approx((x.mean(), y.mean()))
        assert row.p["t"] == pytest.approx(stats.ttest_rel(x, y).pvalue, rel=1e-12)
        assert row.p[str(tests[1])] == Permutation(samples=3000).p_values(np.array([x, y]).T, np.array([[0, 1]]), seed=4)[0]


def test_settings_share_flips_and_are_the_same_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(2).random((5, 4, 60))
    values[4] = values[0]
    test = Permutation(samples=2000)
    settings = [setting(v, GeometricMean() if k == 1 else Mean()) for k, v in enumerate(values)]
    arguments = {"tests": [test], "correction": Holm(), "seed": 3}
    together = compare_pairs(settings, SYSTEMS, **arguments)
    assert together[0] == together[4]
    assert [compare_pairs([s], SYSTEMS, **arguments)[0] for s in settings] == together
    monkeypatch.setattr(batches, "_VALUES_AT_ONCE", 1)
    assert compare_pairs(settings, SYSTEMS, **arguments) == together


def test_gmean_is_tested_on_logarithms_and_valued_as_itself() -> None:
    x = np.random.default_rng(3).random((2, 30)) ** 2
    row, g = one(x, PairedT(), aggregation=GeometricMean()), GeometricMean()
    logs = np.log(x + 0.01)
    a, b = g.aggregate(x.T)
    test = stats.ttest_rel(*logs)
    assert row.p["t"] == pytest.approx(test.pvalue, rel=1e-12)
    assert (row.value_a, row.value_b, row.difference) == pytest.approx((a, b, a - b))
    # About the geometric middle M = √((a+ε)(b+ε)), δ on logarithms is 2M sinh(δ/2).
    middle, ends = math.sqrt((a + 0.01) * (b + 0.01)), test.confidence_interval(0.95)
    expected = (2 * middle * math.sinh(ends.low / 2), 2 * middle * math.sinh(ends.high / 2))
    assert (row.low, row.high) == pytest.approx(expected, rel=1e-10)
    assert row.low < row.difference < row.high
    with pytest.raises(NotApplicableError, match="P@10: gmean takes the logarithm"):
        one(x - 1, PairedT(), aggregation=GeometricMean())


@pytest.mark.parametrize("aggregation", [Median(), TrimmedMean()], ids=str)
def test_median_and_trimmed_are_compared_by_ranks_only(aggregation: Aggregation) -> None:
    x = np.random.default_rng(4).random((2, 20))
    row = one(x, Sign(), Wilcoxon(), aggregation=aggregation)
    assert row.difference == pytest.approx(float(np.subtract(*aggregation.aggregate(x.T))))
    assert (row.low, row.high) == (None, None)
    for test in (PairedT(), Permutation()):
        with pytest.raises(NotApplicableError, match=rf"P@10: {test.key} compares means.*use wilcoxon, sign"):
            one(x, test, aggregation=aggregation)


def test_weights() -> None:
    x, w = np.random.default_rng(5).random((2, 20)), np.arange(1.0, 21)
    row = one(x, PairedT(), Permutation(), weights=w)
    assert row.difference == pytest.approx(np.average(x[0] - x[1], weights=w))
    assert row.low < row.difference < row.high
    assert row.p["t"] == PairedT().p_values(x.T, np.array([[0, 1]]), seed=1, weights=w)[0]
    with pytest.raises(NotApplicableError, match=r"sign knows no weights.*; use t, permutation"):
        one(x, Sign(), weights=w)


def test_lower_is_better_turns_wins_round_and_nothing_else() -> None:
    x = np.array([[1.0, 2, 3], [2.0, 2, 1]])
    high, low = one(x, PairedT()), one(x, PairedT(), higher_is_better=False)
    assert (high.wins, high.ties, high.losses) == (low.losses, low.ties, low.wins) == (1, 1, 1)
    more = one(x + np.array([[0], [9]]), PairedT(), higher_is_better=False)
    assert (more.wins, more.superiority, more.difference) == (3, 1.0, -26 / 3)


def test_equal_systems() -> None:
    row = one(np.tile(np.random.default_rng(6).random(30), (2, 1)), PairedT(), Permutation(), Wilcoxon(), Sign())
    assert set(row.p.values()) == {1.0}
    assert (row.difference, row.effect, row.low, row.high, row.ties) == (0.0, 0.0, 0.0, 0.0, 30)


def test_too_few_common_users_are_not_tested_nor_counted() -> None:
    values = np.random.default_rng(7).random((3, 6))
    included = np.array([[1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 1, 1]], dtype=bool)
    rows = compare_pairs(
        [setting(values, included=included)], ["a", "b", "c"], tests=[PairedT()], correction=Holm(), seed=0
    )[0]
    assert [r.users for r in rows] == [4, 0, 1]
    assert [r.p["t"] is None for r in rows] == [r.p_adjusted["t"] is None for r in rows] == [False, True, True]
    assert rows[2].reason == "a paired test needs at least 2 users, found 1"
    assert rows[0].p_adjusted == rows[0].p and {r.family for r in rows} == {1}
    assert math.isnan(rows[1].value_a) and rows[2].value_a == values[1, 4]
    assert (rows[2].low, rows[2].effect) == (None, None)


def test_shapes_must_match() -> None:
    with pytest.raises(InputError, match="must be 3 systems × users"):
        compare_pairs([setting(np.ones((2, 5)))], ["a", "b", "c"], tests=[], correction=Holm(), seed=0)


def test_components_know_what_answers_for_what() -> None:
    for test, aggregation, weighted, fits in [
        (PairedT(), Mean(), False, True),
        (PairedT(), Mean(), True, True),
        (PairedT(), Median(), False, False),
        (Sign(), Mean(), False, True),
        (Sign(), Mean(), True, False),
        (Wilcoxon(), Median(), False, True),
        (Permutation(), GeometricMean(), False, True),
        (Permutation(), TrimmedMean(), False, False),
    ]:
        assert (test.refusal(aggregation, weighted=weighted) == "") is fits
