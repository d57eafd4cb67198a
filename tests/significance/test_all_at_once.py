"""Friedman with Nemenyi, Tukey's HSD and the studentised range: by hand, against scipy, tables and least squares."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from heldout.aggregations.mean import PLAIN
from heldout.errors import InputError, NotApplicableError
from heldout.significance.corrections.holm import Holm
from heldout.significance.friedman import Friedman
from heldout.significance.pairs import SettingValues, compare_pairs, layouts_of
from heldout.significance.studentised_range import range_quantile, range_sf
from heldout.significance.t import PairedT
from heldout.significance.tukey import Tukey


def all_pairs(k: int) -> np.ndarray:
    return np.array(list(combinations(range(k), 2)))


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


def test_in_a_comparison_they_take_common_users_and_need_no_correction() -> None:
    x = np.random.default_rng(7).random((3, 30))
    included = np.ones(x.shape, dtype=bool)
    included[0, :5] = False
    setting = SettingValues(name="P@10", values=x, included=included, aggregation=PLAIN)
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


def test_bad_input() -> None:
    for test in (Friedman(), Tukey()):
        with pytest.raises(NotApplicableError, match="at least 2 users and 2 systems"):
            test.p_values(np.ones((1, 3)), all_pairs(3), seed=0)
        with pytest.raises(InputError, match="column 1 holds nan for user 0"):
            test.p_values(np.array([[1.0, np.nan], [1, 1]]), all_pairs(2), seed=0)
        with pytest.raises(NotApplicableError, match="knows no weights"):
            test.p_values(np.ones((3, 2)), all_pairs(2), seed=0, weights=np.ones(3))
