"""OnePlusRandom: the study's relevance rule holds, unless the target states another."""

from __future__ import annotations

from typing import Any

import pytest

import heldout as ho
from heldout.catalogue import make

STATING = "OnePlusRandom(20, relevance=threshold(5))"
COUNTS = [
    {"user": f"u{u}", "item": f"i{(7 * u + 3 * k) % 40}", "value": 1 if (u + k) % 9 else 6}
    for u in range(60)
    for k in range(12)
]
"""Purchases: one in nine is of five pieces or more."""
STUDY: dict[str, Any] = {
    "split": "ratio(train=0.6)",
    "users": [["with_train", "with_relevant"]],
    "recommend": ["Popularity", "ItemKNN"],
    "relevance": "threshold(1)",
    "metrics": ["HitRate@5"],
    "compare": "none",
}


def ratings(rows: list[dict[str, Any]]) -> Any:
    import polars as pl

    return pl.DataFrame(rows)


def users_under(target: str) -> set[int]:
    """How many users stand behind the values under a target."""
    results = ho.run({**STUDY, "data": ratings(COUNTS), "target": target}, progress=False)
    return {row.users for row in results.facts.leaderboard}


def test_the_rule_of_the_study_holds() -> None:
    assert users_under("OnePlusRandom(20)") == users_under("AllItems") == {60}


def test_another_rule_holds_once_it_is_stated() -> None:
    assert max(users_under(STATING)) < 60
    assert make("target", "OnePlusRandom(20)").own_relevance is None
    assert str(make("target", STATING)) == "OnePlusRandom(nonrelevant=20, relevance=threshold(tau=5))"


def test_settings_on_fewer_users_are_counted_as_such() -> None:
    """The target that states threshold(5) tests only users with a large purchase; every form says so."""
    both = ho.run({**STUDY, "data": ratings(COUNTS), "target": ["AllItems", STATING], "compare": "t"}, progress=False)
    users = {row.setting: row.users for row in both.facts.leaderboard}
    assert users[0] == 60 and [row.other_users for row in both.facts.verdict.rows] == [0, users[1]]
    assert f"The other setting rests on other users than the primary one ({users[1]} instead of 60)." in both.verdict
    assert f"on {users[1]} other users" in both.to_html() and "Columns rest on different users" in both.to_latex([0, 1])
    shared = ho.run({**STUDY, "data": ratings(COUNTS), "target": ["AllItems", "OnePlusRandom(20)"]}, progress=False)
    assert "on other users" not in shared.verdict + shared.to_html()


def test_data_of_clicks_need_no_rule_in_the_target() -> None:
    clicks = ratings([row | {"value": 1} for row in COUNTS])
    results = ho.run({**STUDY, "data": clicks, "target": ["AllItems", "OnePlusRandom(20)"]}, progress=False)
    assert len(results.leaderboard) == 4
    with pytest.raises(ho.InputError) as told:
        ho.run({**STUDY, "data": clicks, "target": ["AllItems", STATING]}, progress=False)
    assert told.value.where == "target" and "OnePlusRandom" in told.value.what
    assert "follow the study's rule" in (told.value.hint or "")
    fixed = STATING.replace("threshold(5)", "threshold(1)")
    assert len(ho.run({**STUDY, "data": clicks, "target": ["AllItems", fixed]}, progress=False).leaderboard) == 4


def test_a_stated_rule_is_checked_for_runs_made_elsewhere_too() -> None:
    test = {"u1": {"i1": 1, "i2": 1}, "u2": {"i3": 1}}
    run = {"u1": {"i1": 2.0, "i2": 1.0}, "u2": {"i3": 1.0}}
    with pytest.raises(ho.InputError, match=r"targets.*states its relevance, and no test rating is relevant"):
        ho.evaluate(test, run, "P@1", target="targets(relevance=threshold(5))", relevance="threshold(1)")
    # The rule of the study judges nothing here.
    stated = ho.evaluate(test, run, "P@1", target="targets(relevance=threshold(1))", relevance="threshold(5)")
    assert stated.leaderboard["value"].to_list() == [1.0]
