"""What moves the outcome of a pair: decisions by the variance that they explain."""

from __future__ import annotations

import math

from tests.universes.findings.grids import made

from heldout.universes.findings.findings import Findings, findings
from heldout.universes.findings.movers import movers, telling, together


def turned(row: dict[str, str]) -> float:
    return -0.05 if row["target"] == "TestRatings" and int(row["cutoff"]) <= 5 else 0.05


def two() -> Findings:
    levels = {"cutoff": ["1", "5", "10", "20"], "target": ["AllItems", "TestRatings"], "seed": ["1", "2"]}
    return findings(made(levels, turned), level=0.05)


def test_target_and_cutoff_explain_a_third_each_and_a_third_together() -> None:
    sample = two()
    first, second, last = movers(sample, sample.pairs[0])
    assert {first.name, second.name} == {"target", "cutoff"} and last.name == "seed"
    for mover in (first, second):
        assert math.isclose(mover.effect, 1 / 3) and math.isclose(mover.joint, 1 / 3)
        assert math.isclose(mover.explained, 2 / 3)
    assert last.explained == 0 and last.changes == (0, 0, 0)
    assert telling(sample, sample.pairs[0], 4) == [first.name, second.name]
    assert together(sample, sample.pairs[0]).startswith("Two decisions together, beyond each alone: target × cut-off 33.3%.")


def test_changes_are_shares_of_the_universes_that_differ_in_one_decision() -> None:
    """Of four cut-offs under each seed and target, TestRatings has two that turn: 1 of 2 pairs of targets, all reversed."""
    sample = two()
    changes = {mover.name: mover.changes for mover in movers(sample, sample.pairs[0])}
    assert changes["target"] == (0.5, 0.5, 0)
    assert changes["cutoff"] == (4 / 12, 4 / 12, 0)  # under TestRatings 4 of 6 pairs of cut-offs, under AllItems none of 6


def test_one_decision_is_told_whatever_it_explains() -> None:
    sample = findings(made({"seed": ["1", "2"]}, lambda row: 0.1), level=0.05)
    (mover,) = movers(sample, sample.pairs[0])
    assert mover.explained == 0 and telling(sample, sample.pairs[0], 4) == ["seed"]
    assert together(sample, sample.pairs[0]) == "The effect is the same in all universes."
