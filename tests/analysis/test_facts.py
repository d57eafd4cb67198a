"""Rows of facts: pairs seen from either side, places told apart, shares, and their way through JSON."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest
from tests.reports.kept import facts_of, outcome_of
from tests.reports.sample import facts

from heldout.analysis.facts import Facts, LayoutRow, SplitFacts


def test_a_flipped_pair_mirrors_its_interval_and_counts() -> None:
    pair = replace(facts().comparisons[0], superiority=0.7, figures={"better": 0.8, "equal": 0.1, "worse": 0.1})
    turned = pair.flipped()
    assert (turned.a, turned.b, turned.difference) == (pair.b, pair.a, -pair.difference)
    assert pair.low is not None and pair.high is not None and (turned.low, turned.high) == (-pair.high, -pair.low)
    assert (turned.wins, turned.losses, turned.p_adjusted) == (pair.losses, pair.wins, pair.p_adjusted)
    assert turned.superiority == pytest.approx(0.3) and turned.figures == {"worse": 0.8, "equal": 0.1, "better": 0.1}
    assert replace(turned.flipped(), superiority=0.7) == pair


def test_a_pair_is_told_apart_below_the_level_only() -> None:
    pair = facts().comparisons[0]
    told_apart = [replace(pair, p_adjusted=p).significant(0.05) for p in (0.0499, 0.05, None)]
    assert told_apart == [True, False, False]


@pytest.mark.parametrize(("scale", "order"), [("mean rank", "ABCD"), ("mean", "DCBA")])
def test_systems_closer_than_the_critical_difference_are_one_clique(scale: str, order: str) -> None:
    """Places 1, 2, 2.5 and 4: B and C differ by less than 0.9, and so does no other pair."""
    places = {"B": 2.0, "D": 4.0, "A": 1.0, "C": 2.5}
    row = LayoutRow(
        setting=0, test="t", name="χ²(3)", statistic=9.0, p=0.01, scale=scale, places=places, critical=0.9, users=9
    )
    assert "".join(name for name, _ in row.ordered) == order
    assert [set(run) for run in row.cliques] == [{"B", "C"}]
    assert {frozenset(run) for run in replace(row, critical=1.6).cliques} == {frozenset("ABC"), frozenset("CD")}
    assert replace(row, critical=0.5).cliques == []  # a difference as large as the critical one tells apart


def test_shares_of_a_fold() -> None:
    fold = SplitFacts(data="d", filter="none", split="ratio", fold=0, train=70, validation=10, test=20, users=5)
    assert fold.test_share == 0.2 and replace(fold, train=0, validation=0, test=0).test_share is None
    audited = replace(fold, audit={"older_than_any": 5, "cold_user_ratings": None})
    assert audited.audited_share("older_than_any") == 0.25
    assert audited.audited_share("cold_user_ratings") is None and fold.audited_share("older_than_any") is None


def test_facts_come_back_from_json_as_they_were() -> None:
    sample = facts_of(outcome_of(), metrics=["P@10", "Recall@10"], tests=["t", "friedman"])
    again = Facts.from_dict(json.loads(json.dumps(sample.to_dict())))
    for column in fields(Facts):
        if column.name not in ("manifest", "data", "splits"):  # their dictionaries hold what JSON writes as lists
            assert getattr(again, column.name) == getattr(sample, column.name), column.name
    assert again.to_dict() == sample.to_dict()


def test_a_table_that_is_missing_is_no_empty_table() -> None:
    entries = facts().to_dict()
    del entries["leaderboard"]
    with pytest.raises(KeyError):
        Facts.from_dict(entries)
