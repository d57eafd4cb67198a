"""Universes, options and effects in words."""

from __future__ import annotations

import pytest

from heldout.universes.findings.wording import called, condition, option, ordered, short_names, step
from heldout.universes.grid.decisions import decision

CUTOFF = decision("cutoff", ["1", "5", "10", "20"])
SPLIT = decision("split", ["ratio(train=0.4)", "ratio(train=0.5)", "ratio(train=0.6)"])
TARGET = decision("target", ["AllItems", "TestItems", "TestRatings"])
SEED = decision("seed", ["1", "2", "3"])


def test_amounts_are_ordered_and_seeds_are_not() -> None:
    assert [ordered(d) for d in (CUTOFF, SPLIT, TARGET, SEED)] == [True, True, False, False]
    assert (called(SPLIT), called(CUTOFF)) == ("split ratio", "cut-off")
    assert step(SPLIT, 1, 0) == "split ratio(train=0.5) → ratio(train=0.4)"
    assert step(TARGET, 0, 2) == "target AllItems → TestRatings"
    assert (option(SEED, 1), option(TARGET, 1), option(decision("test", ["t"]), 0)) == ("seed 2", "TestItems", "t test")


@pytest.mark.parametrize(
    ("levels", "text"),
    [
        ([0, 1], "cut-off ≤ 5"),
        ([2, 3], "cut-off ≥ 10"),
        ([1, 2], "cut-off between 5 and 10"),
        ([1], "cut-off 5"),
        ([0, 1, 2, 3], "any cut-off"),
        ([-1, 0, 1], "cut-off ≤ 5 (or no cut-off)"),
        ([-1], "no cut-off"),
    ],
)
def test_sets_of_amounts(levels: list[int], text: str) -> None:
    assert condition(CUTOFF, levels, [-1, 0, 1, 2, 3]) == text


def test_sets_of_other_options() -> None:
    assert condition(TARGET, [0, 2], [0, 1, 2]) == "AllItems or TestRatings"
    assert condition(SEED, [1, 2], [0, 1, 2]) == "seed 2 or 3"


def test_names_without_parameters_where_that_tells_them_apart() -> None:
    assert short_names(["UserKNN(k=1)", "WRMF"]) == ("UserKNN", "WRMF")
    assert short_names(["UserKNN(k=1)", "UserKNN(k=2)"]) == ("UserKNN(k=1)", "UserKNN(k=2)")
