"""Rejection rates over subsets of users: the fast way is the slow way, and rates are what they should be."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from heldout import threads
from heldout.catalogue import make
from heldout.errors import NotApplicableError, SpecError
from heldout.significance import PairedT, Sign, Subsampled, Wilcoxon

PAIRS = np.array([(0, 1), (1, 2), (2, 3)])


def test_all_t_tests_at_once_are_those_of_scipy_one_by_one() -> None:
    columns = np.random.default_rng(0).random((80, 4)) + np.array([0, 0.1, 0.2, 0.2])
    test = Subsampled("t", 60, 20)
    found = test.figures(columns, PAIRS, seed=3)["rejected"]
    members = test._members(80, range(60), 3)
    assert all(len(set(m)) == 20 for m in members.tolist())
    for k, (a, b) in enumerate(PAIRS):
        p = [stats.ttest_rel(columns[m, a], columns[m, b]).pvalue for m in members]
        assert found[k] == np.mean(np.array(p) < 0.05)


def test_any_test_can_be_repeated() -> None:
    columns = np.random.default_rng(1).random((60, 4)) + np.array([0, 0.2, 0.2, 0.2])
    for test in (Sign(), Wilcoxon()):
        asked = Subsampled(test, 10, 30)
        members = asked._members(60, range(10), 1)
        p = np.array([test.p_values(columns[m], PAIRS, seed=1) for m in members])
        np.testing.assert_array_equal(asked.figures(columns, PAIRS, seed=1)["rejected"], (p < 0.05).mean(axis=0))


def test_weighted_subsets_take_the_users_own_weights() -> None:
    columns, weights = np.random.default_rng(1).random((60, 4)), np.arange(1.0, 61)
    asked = Subsampled("t", 10, 30, 0.5)
    members = asked._members(60, range(10), 1)
    p = np.array([PairedT().p_values(columns[m], PAIRS, seed=1, weights=weights[m]) for m in members])
    found = asked.figures(columns, PAIRS, seed=1, weights=weights)["rejected"]
    np.testing.assert_array_equal(found, (p < 0.5).mean(axis=0))


def test_equal_systems_are_never_rejected_and_constant_differences_always() -> None:
    base = np.random.default_rng(2).random(50)
    columns = np.array([base, base, base + 0.1]).T
    found = Subsampled("t", 40, 10).figures(columns, np.array([(0, 1), (0, 2)]), seed=0)["rejected"]
    assert found.tolist() == [0.0, 1.0]


def test_gives_no_p_and_is_the_same_on_any_number_of_threads() -> None:
    columns = np.random.default_rng(4).random((90, 4))
    test = Subsampled("t", 600, 30)
    assert np.isnan(test.p_values(columns, PAIRS, seed=0)).all()
    with threads.using(1):
        one = test.figures(columns, PAIRS, seed=0)["rejected"]
    with threads.using(2):
        two = test.figures(columns, PAIRS, seed=0)["rejected"]
    assert one.tolist() == two.tolist()


def test_written_form_and_refusals() -> None:
    assert (
        str(make("test", "subsampled(permutation(samples=500), size=50)"))
        == "subsampled(test=permutation(samples=500), size=50)"
    )
    with pytest.raises(SpecError, match="bayes gives no p-value of a pair"):
        make("test", "subsampled(bayes)")
    with pytest.raises(SpecError, match="friedman gives no p-value of a pair"):
        make("test", "subsampled(friedman)")
    with pytest.raises(NotApplicableError, match="subsets of 100 users, and 9 are compared"):
        Subsampled("t", 5, 100).figures(np.ones((9, 4)), PAIRS, seed=0)
