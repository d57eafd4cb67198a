"""Universes whose values rest on other users than under the first options, counted in what is said of a pair."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.storage.codec import to_plain
from heldout.universes.compute.explore import explore
from heldout.universes.grid.file import multiverse_from
from heldout.universes.universes import Universes

GRID: dict[str, Any] = {
    "data": "simulate(users=80, items=50, ratings=1400)",
    "split": ["ratio(train=0.5)", "ratio(train=0.8)"],
    "users": ["with_relevant"],
    "recommend": ["UserKNN(k=2)", "Popularity"],
    "relevance": "threshold(4)",
    "target": ["AllItems", "OnePlusRandom(10)"],
    "metrics": ["P@5"],
    "compare": "t",
}
STATED = {"target": ["AllItems", "OnePlusRandom(10, relevance=threshold(5))"]}
ONE_SPLIT = {**GRID, "split": "ratio(train=0.8)", "target": "AllItems", "users": ["with_test"], "relevance": "threshold(5)"}
UNEVEN = {"data": "simulate(users=80, items=50, ratings=300)", "recommend": ["UserKNN(k=2)", "Popularity"]}
"""The first system recommends nothing to some users."""
DECISIONS = ("users", "target", "relevance", "metric", "undefined", "coverage")


def universes_of(grid: dict[str, Any]) -> Universes:
    return explore(multiverse_from(grid)).universes


def levels(universes: Universes, decision: str) -> list[str]:
    place = universes.decision(decision)
    return [universes.level(u, place) for u in range(len(universes))]


def test_universes_of_a_target_that_states_another_rule_are_counted() -> None:
    """Two splits and two targets: the users without a rating of 5 are missing in two of four universes."""
    universes = universes_of({**GRID, **STATED})
    stated = [target.startswith("OnePlusRandom") for target in levels(universes, "target")]
    assert universes.other_users.tolist() == stated and sum(stated) == 2
    few, first = (universes.users[universes.other_users == other] for other in (True, False))
    assert few.max() < first.min()
    results = ho.multiverse({**GRID, **STATED}, progress=False)
    part = (
        "In 2 of 4 universes the averages rest on other users than under the first options "
        f"({few.min()} to {few.max()} instead of {first.min()} to {first.max()})."
    )
    assert all(part in sentence for sentence in results.sentences)
    assert results.findings.pairs[0].shares.other_users == 2
    assert part in results.to_html() and part in results.to_markdown()


def test_universes_on_the_same_users_of_a_split_say_nothing_of_them() -> None:
    """Other splits test other users, but every way of judging averages over the same ones of each."""
    assert not universes_of(GRID).other_users.any()
    results = ho.multiverse(GRID, progress=False)
    assert "other users" not in " ".join(results.sentences)
    assert "other_users" not in to_plain(results.findings.pairs[0].shares)


@pytest.mark.parametrize(
    ("options", "decision", "other"),
    [
        pytest.param({"users": ["with_test(min=2)", "with_test(min=6)"]}, "users", "with_test(min=6)", id="users"),
        pytest.param({"undefined": ["zero", "skip"], "metrics": ["Recall@5"]}, "undefined", "skip", id="undefined"),
        pytest.param({"metrics": ["P@5", "AUC"]}, "metric", "AUC", id="metric that skips undefined users"),
        pytest.param({**UNEVEN, "coverage": ["zero", "forgive"]}, "coverage", "forgive", id="coverage"),
        pytest.param({"target": ["AllItems", "OnePlusRandom(10)"]}, "target", "OnePlusRandom", id="target"),
    ],
)  # fmt: skip
def test_a_choice_that_leaves_users_out_is_counted(options: dict[str, Any], decision: str, other: str) -> None:
    universes = universes_of({**ONE_SPLIT, **options})
    assert universes.other_users.tolist() == [level.startswith(other) for level in levels(universes, decision)]
    assert universes.other_users.any() and not universes.other_users.all()


@pytest.mark.parametrize("folds", ["average", "pooled"])
def test_a_multiverse_counts_the_users_that_a_run_counts(folds: str) -> None:
    """Each universe has the users of the same setting of a run, and rests on other users where that setting does."""
    grid = {
        **ONE_SPLIT,
        **UNEVEN,
        "split": "folds(3)",
        "relevance": ["threshold(5)", "threshold(4)"],
        "target": ["AllItems", "OnePlusRandom(10)"],
        "metrics": ["Recall@5", "AUC"],
        "undefined": ["zero", "skip"],
        "coverage": ["zero", "forgive", "intersection"],
        "compare": {"tests": "t", "folds": folds},
    }
    universes = universes_of(grid)
    facts = ho.run(grid, progress=False).findings
    verdict = {row.setting: row for row in facts.verdict.rows}
    users = {(row.setting, row.system): row.users for row in facts.leaderboard}
    expected = {}
    for setting in facts.settings:
        rules = {"undefined": setting.undefined, "coverage": setting.coverage}
        choices = {**setting.choices, **rules, "metric": setting.metric.partition("@")[0]}
        key = tuple(choices[name] for name in DECISIONS)
        counts = [users[setting.id, system] for system in universes.systems]
        expected[key] = (bool(verdict[setting.id].other_users), counts)
    for u in range(len(universes)):
        key = tuple(universes.level(u, universes.decision(name)) for name in DECISIONS)
        matching = [
            value for of_run, value in expected.items() if all(k in ("–", r) for k, r in zip(key, of_run, strict=True))
        ]
        assert matching and all(value == (universes.other_users[u], universes.users[u].tolist()) for value in matching)
    assert 0 < np.count_nonzero(universes.other_users) < len(universes)
