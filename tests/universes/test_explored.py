"""Universes as a reader switches between them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.universes.grids import USUAL, large, made, of

from heldout.universes import explored as module
from heldout.universes.explored import explored_universes, kept_universes
from heldout.universes.grid.decisions import NAMES, decision
from heldout.universes.universes import Universes


def turned(row: dict[str, str]) -> float:
    return -0.05 if row["target"] == "TestRatings" else 0.05


@pytest.fixture(scope="module")
def two() -> Universes:
    return made({"target": ["AllItems", "TestRatings"], "cutoff": ["1", "5"], "metric": ["P", "nDCG"]}, turned)


def test_each_universe_names_its_winner(two: Universes) -> None:
    shown = explored_universes(two, level=0.05)
    explored = shown.explored
    target = [switch.name for switch in explored.switches].index("target")
    assert [switch.name for switch in explored.switches] == ["target", "metric", "cutoff"]
    # By hand: 0.4 ± 0.2 · 0.05 is 0.41 against 0.39, which is 5 % of their mean.
    assert explored.sentences[0] == "A wins: 0.4100, +0.0200 over B (t test, adjusted p < 0.001)."
    assert explored.briefs[0] == "A wins by 0.0200 over B, p < 0.001"
    for codes, leader, margin in zip(explored.codes, explored.leader, explored.margin, strict=True):
        assert leader == codes[target]
        assert margin == pytest.approx(-0.05 if codes[target] else 0.05)
    assert explored.verdict_of_reference.tolist() == [1 - 2 * c for c in explored.codes[:, target].tolist()]
    assert shown.left_out == "" and shown.metrics[0] == "P@1"


def test_a_tie_has_no_leader_and_a_system_without_a_value_comes_last() -> None:
    decisions = tuple(decision(name, {**USUAL, "cutoff": ["1", "5", "10"]}[name]) for name in NAMES)
    codes = np.zeros((3, len(NAMES)), dtype=np.int32)
    codes[:, NAMES.index("cutoff")] = [0, 1, 2]
    values = np.array([[0.3, 0.5, 0.4], [0.4, 0.4, 0.1], [np.nan, 0.2, np.nan]])
    shown = explored_universes(of(decisions, codes, values), level=0.05)
    assert shown.order.tolist() == [[1, 2, 0], [0, 1, 2], [1, 0, 2]]
    assert shown.explored.leader.tolist() == [1, -1, -1]
    assert shown.explored.sentences[1] == "No winner: A and B tie at 0.4000."
    assert shown.explored.sentences[2] == "Fewer than two systems have a value in this universe."
    assert np.isnan(shown.p[0, 1]) and shown.p[0, 0] < shown.p[0, 2] < 0.05  # the further behind, the surer
    assert np.isnan(shown.explored.margin[2])


def test_few_users_served_make_no_winner(two: Universes) -> None:
    few = replace(two, served=np.full_like(two.served, 0.3), winner=np.zeros_like(two.winner))
    explored = explored_universes(few, level=0.05).explored
    assert explored.sentences[0].startswith("No winner is called: A is ahead") and "30.0%" in explored.sentences[0]
    assert not explored.significant.any()


def test_with_a_baseline_systems_are_held_against_it() -> None:
    every = made({"cutoff": ["1", "5"]}, lambda row: 0.05)
    decisions, codes = every.decisions, every.codes
    three = of(decisions, codes, np.array([[0.5, 0.4, 0.3]] * len(codes)))
    against = [k for k, pair in enumerate(three.pairs.tolist()) if 2 in pair]
    columns = {
        name: getattr(three, name)[:, against]
        for name in ("difference", "effect", "d", "p", "p_adjusted", "winner", "served")
    }
    based = replace(three, pairs=three.pairs[against], **columns)
    shown = explored_universes(based, level=0.05)
    assert shown.against.tolist() == [2] * len(codes)
    assert shown.explored.sentences[0].startswith("A wins: 0.5000, +0.2000 over C")
    assert np.isfinite(shown.p[0, :2]).all() and np.isnan(shown.p[0, 2])


def test_a_grid_too_large_for_a_page_is_thinned_to_a_whole_one(monkeypatch: pytest.MonkeyPatch) -> None:
    universes = large(3, ratios=2)
    rows, left_out = kept_universes(universes)
    assert 1000 < rows.sum() <= module.MOST_UNIVERSES
    kept = universes.only(rows)
    seed = NAMES.index("seed")
    assert set(kept.codes[:, seed].tolist()) == {0} and "seed 1 of 3 options" in left_out
    # Whole: every combination of the options left that the large grid has is there.
    options = [set(kept.codes[:, k].tolist()) for k in range(len(NAMES))]
    wanted = np.all([np.isin(universes.codes[:, k], [*levels]) for k, levels in enumerate(options)], axis=0)
    assert (wanted == rows).all()
    monkeypatch.setattr(module, "MOST_UNIVERSES", 10**9)
    monkeypatch.setattr(module, "MOST_VALUES", 10**9)
    assert kept_universes(universes)[1] == ""
