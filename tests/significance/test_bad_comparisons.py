"""Each kind of bad input to a comparison has its own message or coded warning, the same whichever test is asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.cli.conftest import Command, heldout  # noqa: F401  a fixture
from tests.reports.kept import SYSTEMS, USERS, facts_of, keep, outcome_of

from heldout.aggregations.coverage.forgive import Forgive
from heldout.aggregations.mean import PLAIN
from heldout.catalogue import classes, make
from heldout.errors import InputError, NotApplicableError, UnknownNameError
from heldout.significance.corrections.holm import Holm
from heldout.significance.pairs import SettingValues, compare_pairs
from heldout.significance.significance_test import Test

EVERY = [make("test", "subsampled(t, subsets=5, size=2)" if cls.key == "subsampled" else cls.key) for cls in classes("test")]
PAIR = np.array([[0, 1]])


def said(test: Test, columns: np.ndarray, **more: object) -> object:
    """p-values, or the figures of a test that has none."""
    return (test.p_values if test.has_p else test.figures)(columns, PAIR, seed=1, **more)


@pytest.mark.parametrize("test", EVERY, ids=str)
def test_fewer_than_two_users(test: Test) -> None:
    for users in (0, 1):
        with pytest.raises(NotApplicableError, match=rf"at least 2 users.*found {users}"):
            said(test, np.ones((users, 2)))


@pytest.mark.parametrize("test", EVERY, ids=str)
def test_no_number_for_a_user(test: Test) -> None:
    for bad in (np.nan, np.inf):
        columns = np.random.default_rng(0).random((6, 2))
        columns[4, 1] = bad
        with pytest.raises(InputError, match=f"column 1 holds {bad} for user 4"):
            said(test, columns)


@pytest.mark.parametrize("test", EVERY, ids=str)
def test_all_differences_zero(test: Test) -> None:
    columns = np.tile(np.random.default_rng(1).random((30, 1)), 2)
    found = said(test, columns)
    if test.has_p:
        assert found.tolist() == [1.0]
    elif test.key == "bayes":
        assert (found["better"][0], found["equal"][0], found["worse"][0]) == (0.0, 1.0, 0.0)
    else:
        assert found["rejected"].tolist() == [0.0]


@pytest.mark.parametrize("test", EVERY, ids=str)
def test_negative_weights(test: Test) -> None:
    weights = np.array([1.0, 2.0, -3.0, 1.0])
    told = "the weight of user 2 is -3" if test.weighable else "knows no weights"
    with pytest.raises((InputError, NotApplicableError), match=told):
        said(test, np.random.default_rng(2).random((4, 2)), weights=weights)


def test_different_users_per_system_are_compared_on_those_they_share() -> None:
    x, lengths = np.random.default_rng(3).random((3, 10)), np.ones((3, 10))
    lengths[0, 5:], lengths[1, :4], lengths[2, 4:] = 0, 0, 0  # A has users 0–4, B 4–9, C 0–3
    included = np.array(Forgive().included(list(lengths)))
    setting = SettingValues(name="P@10", values=x, included=included, aggregation=PLAIN)
    rows = compare_pairs([setting], "ABC", tests=[make("test", "t")], correction=Holm(), seed=1)[0]
    assert [(r.users, r.reason) for r in rows] == [
        (1, "a paired test needs at least 2 users, found 1"),
        (4, ""),
        (0, "a paired test needs at least 2 users, found 0"),
    ]
    told = {n.code: n.message for n in facts_of(outcome_of(uncovered=6), coverage="forgive").notices}
    assert told["HO102"] == "coverage = forgive averages different users in different systems"


def test_a_baseline_that_is_not_among_the_systems(tmp_path: Path, heldout: Command) -> None:  # noqa: F811
    with pytest.raises(UnknownNameError, match="compare: unknown baseline 'Worst'"):
        facts_of(outcome_of(), baseline="Worst")
    with pytest.raises(UnknownNameError, match="unknown baseline 'Worst'"):
        facts_of(outcome_of(), aggregate="urisk(1, Worst)")
    folder = keep(outcome_of(), tmp_path / "results")
    refused = heldout("compare", folder, "--baseline", "Bst")
    assert refused.code == 2 and "unknown baseline 'Bst'; did you mean Best?" in refused.err


def test_p_values_over_pooled_folds_and_equal_systems_are_warned_of() -> None:
    told = {n.code: n.message for n in facts_of(outcome_of(folds=2), folds="pooled").notices}
    assert told["HO404"] == "each fold of a user is tested as if it were another user"
    assert told["HO405"] == "no user's values differ between Good and Twin"


def test_one_user_is_a_value_and_no_comparison(tmp_path: Path) -> None:
    outcome = outcome_of(development=USERS - 1)
    facts = facts_of(outcome, metrics="P@10")
    assert {p.reason for p in facts.comparisons} == {"a paired test needs at least 2 users, found 1"}
    assert all(p.p is None and p.low is None for p in facts.comparisons) and len(facts.leaderboard) == len(SYSTEMS)
    assert facts.verdict.sentence.endswith("that difference was not tested.")
