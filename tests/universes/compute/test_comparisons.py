"""Universes whose numbers are easily mixed up: folds, whole systems, gains over a baseline, users weighed by relevance."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.universes.compute.explore import Explored, explore
from heldout.universes.grid.file import multiverse_from

GRID: dict[str, Any] = {
    "data": "simulate(users=60, items=40, ratings=900)",
    "split": "ratio(train=0.6)",
    "recommend": ["AverageRating", "PearsonUserKNN(k=1, min_overlap=3)"],
    "metrics": ["P@5"],
    "compare": ["t"],
}


def explored(**keys: Any) -> Explored:
    return explore(multiverse_from({**GRID, **keys}))


def values(found: Explored, **chosen: str) -> tuple[float, float]:
    """Both systems' values in the one universe with these choices."""
    rows = found.universes.to_polars().filter(*(pl.col(name) == text for name, text in chosen.items()))
    assert len(rows) == 1
    return rows["value_a"][0], rows["value_b"][0]


def plain(**keys: Any) -> tuple[float, float]:
    """The same by a plain study."""
    facts = ho.run({**GRID, **keys}).findings
    by_system = {row.system: row.value for row in facts.leaderboard}
    first, second = keys.get("recommend", GRID["recommend"])
    return by_system[first], by_system[second]


def test_numbers_of_whole_systems_are_not_those_of_users() -> None:
    """Neither GROC nor RMSE has a rule for undefined values, and both average the same users."""
    found = explored(metrics=["GROC", "RMSE"])
    for metric in ("GROC", "RMSE"):
        assert values(found, metric=metric) == pytest.approx(plain(metrics=metric), rel=1e-12)


def test_over_folds_coverage_tells_where_every_user_is_covered_in_some_fold() -> None:
    """A fold in which a system covers a user not at all counts 0 or is left out, though another fold covers the user."""
    systems = ["AverageRating", "UserKNN(k=1, min_overlap=2)"]
    keys: dict[str, Any] = {"split": "folds(3)", "users": "with_train", "metrics": "RR", "recommend": systems}
    rules = ["zero", "forgive"]
    found = explored(**keys, coverage=rules)
    told = {rule: values(found, coverage=rule) for rule in rules}
    for rule in rules:
        assert told[rule] == pytest.approx(plain(**keys, coverage=rule), rel=1e-12)
    assert told["zero"][1] < told["forgive"][1]


def test_gains_over_a_baseline_are_better_when_higher_whatever_the_metric() -> None:
    """At α = 0 a gain over the baseline is the plain difference of means, turned so that fewer errors are a gain."""
    systems = ["SVD(factors=20, epochs=60)", "AverageRating"]
    compare = {"tests": ["t"], "baseline": "AverageRating"}
    made = explored(metrics="RMSE", aggregate=["mean", "urisk(alpha=0)"], compare=compare, recommend=systems).universes
    assert made.higher.tolist() == [False, True]
    assert made.values[0, 0] < made.values[0, 1]
    assert made.values[1].tolist() == pytest.approx([made.values[0, 1] - made.values[0, 0], 0.0], abs=1e-12)
    assert made.difference[0, 0] > 0
    assert made.difference[1, 0] == pytest.approx(made.difference[0, 0])
    assert made.winner[:, 0].tolist() == [1, 1]


def test_a_rule_of_relevance_makes_universes_where_users_weigh_by_it() -> None:
    keys: dict[str, Any] = {"metrics": ["nDCG(gain=linear)@5"], "users": "with_test"}
    rules = ["threshold(tau=3)", "threshold(tau=5)"]
    found = explored(**keys, relevance=rules, aggregate=["mean", "mean(weight=relevant)"])
    assert len(found.universes) == 3  # the mean does not ask which ratings are relevant
    for rule in rules:
        told = values(found, relevance=rule, aggregate="mean(weight=relevant)")
        assert told == pytest.approx(plain(**keys, relevance=rule, aggregate="mean(weight=relevant)"), rel=1e-12)


def test_lists_averaged_by_rating_have_no_median() -> None:
    target = ["AllItems", "OnePlusRandom(8, average=rating)"]
    found = explored(target=target, aggregate=["mean", "median"], compare=["t", "sign"])
    rows = found.universes.to_polars().filter(pl.col("aggregate") == "median")
    assert rows["target"].to_list() == ["AllItems"]


@pytest.mark.usefixtures("doomed")
def test_a_baseline_that_fails_leaves_gains_over_it_without_a_value() -> None:
    keys: dict[str, Any] = {
        "recommend": [*GRID["recommend"], "Doomed"],
        "aggregate": ["mean", "urisk"],
        "compare": {"tests": ["t"], "baseline": "Doomed"},
    }
    made = explored(**keys).universes
    assert np.isnan(made.values[made.codes[:, made.decision("aggregate")] == 1]).all()
    assert np.isfinite(made.values[made.codes[:, made.decision("aggregate")] == 0, :2]).all()
    assert np.isnan(made.difference).all()
    free = explored(**{**keys, "aggregate": ["mean", "urisk(baseline=Doomed)"], "compare": ["t"]}).universes
    assert np.isfinite(free.difference[:, 0]).tolist() == [True, False]


def test_a_split_that_serves_no_target_makes_no_universe() -> None:
    found = explored(split=["ratio(train=0.6)", "uniform_test"], target=["UAR"], users="with_test")
    assert set(found.universes.to_polars()["split"]) == {"uniform_test"}
    assert [text.partition(":")[0] for text in found.left_out] == ["UAR under ratio(train=0.6)"]
    assert found.manifest["left_out"] == list(found.left_out)
    with refused(ho.NotApplicableError) as refusal:
        explored(target=["UAR"])
    assert "UAR under ratio(train=0.6)" in refusal.value.what
