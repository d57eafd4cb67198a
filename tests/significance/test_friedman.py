"""Friedman's test with Nemenyi's critical difference, by hand and beside scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from tests.significance.columns import all_pairs

from heldout.aggregations.mean import PLAIN
from heldout.errors import InputError, NotApplicableError
from heldout.significance import Friedman, PairedT, Tukey
from heldout.significance.corrections.holm import Holm
from heldout.significance.pairs import SettingValues, compare_pairs, layouts_of
from heldout.significance.studentised_range import range_quantile


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
