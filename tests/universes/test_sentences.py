"""Universes, options and effects in words."""

from __future__ import annotations

import numpy as np
import pytest
from tests.universes.grids import USUAL, made, of

from heldout.universes.analysis import multiverse_findings
from heldout.universes.grid.decisions import NAMES, decision
from heldout.universes.sentences import (
    condition,
    failed_systems,
    short_names,
)

CUTOFF = decision("cutoff", ["1", "5", "10", "20"])
SPLIT = decision("split", ["ratio(train=0.4)", "ratio(train=0.5)", "ratio(train=0.6)"])
TARGET = decision("target", ["AllItems", "TestItems", "TestRatings"])
SEED = decision("seed", ["1", "2", "3"])


def test_amounts_are_ordered_and_seeds_are_not() -> None:
    assert [d.ordered for d in (CUTOFF, SPLIT, TARGET, SEED)] == [True, True, False, False]


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


LEVELS = {"split": ["ratio", "folds"], "seed": ["1", "2"], "cutoff": ["5", "10"]}
FAILED = {
    "given | none | folds | seed 1 | KNN(k=5)": "fit: out of memory",
    "given | none | folds | seed 2 | KNN(k=5)": "score: not a number",
    **{f"given | none | {split} | seed {seed} | EASE": "fit: singular" for split in LEVELS["split"] for seed in (1, 2)},
}
LEFT_OUT = ("TestRatings under folds: no <rated> item",)


@pytest.fixture(scope="module")
def failing():
    """KNN failed on one of two splits, EASE on both; Popularity is ahead of KNN, and KNN of Random, wherever compared."""
    decisions = tuple(decision(name, LEVELS.get(name, USUAL[name])) for name in NAMES)
    codes = made(LEVELS, lambda row: 0.0).codes
    values = np.tile([0.3, 0.4, np.nan, 0.2], (len(codes), 1))
    values[codes[:, NAMES.index("split")] == 1, 0] = np.nan
    universes = of(decisions, codes, values, systems=("KNN(k=5)", "Popularity", "EASE", "Random"))
    return multiverse_findings(universes.compared(), level=0.05)


def test_by_system_how_often_and_why(failing):
    knn, ease = failed_systems(failing, FAILED)
    assert knn.sentence == (
        "KNN failed on 2 splits, each seed counted: fit: out of memory (on 1); score: not a number (on 1)"
    )
    assert ease.sentence == "EASE failed on 4 splits, each seed counted, so that no universe compares it: fit: singular"
    assert knn.compared and not ease.compared
    one = failed_systems(failing, {"given | none | folds | seed 1 | KNN(k=5)": "fit: no"})
    assert [a.sentence for a in one] == ["KNN failed on given | none | folds | seed 1: fit: no"]
