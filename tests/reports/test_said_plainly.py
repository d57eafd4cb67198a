"""Notices and notes say what is true of all settings, or name those they are true of."""

from __future__ import annotations

from typing import Any

import heldout as ho

TEST = {"user": ["u"] * 2 + ["v"] * 2, "item": ["a", "b"] * 2, "rating": [5, 1, 5, 1]}


def run_of(*items: str) -> dict[str, Any]:
    places = [*items] * 2
    return {"user": ["u"] * len(items) + ["v"] * len(items), "item": places, "score": [*range(len(items), 0, -1)] * 2}


def notices(systems: dict[str, Any], measure: list[str]) -> dict[str, str]:
    found = ho.evaluate(TEST, systems, measure, relevance="threshold(4)")
    return {n.code: n.message for n in found.findings.notices}


def test_systems_that_are_equal_in_some_settings_are_said_to_be_so_in_these() -> None:
    """Both have `a` among the first two places; only one has it first."""
    told = notices({"X": run_of("a", "b"), "Y": run_of("b", "a")}, ["P@2", "P@1", "Recall@2"])
    assert told["HO405"] == "No user's values differ between X and Y in P@2 and Recall@2 (elsewhere they do)"
    told = notices({"X": run_of("a", "b"), "Y": run_of("a", "b")}, ["P@2", "P@1"])
    assert told["HO405"] == "No user's values differ between X and Y"


def test_ties_are_told_in_plain_words() -> None:
    """Both items have the same score, so both rated items of every list are tied."""
    flat = {**run_of("a", "b"), "score": [1.0] * 4}
    told = notices({"Flat": flat, "X": run_of("a", "b")}, ["P@2"])
    assert told["HO206"].startswith(
        "Scores tie: 100% of the rated items in the lists of Flat, as deep as P@2 looks, share their score with another item"
    )
    assert "and the tie rule `" in told["HO206"] and told["HO206"].endswith("` decides their order")
