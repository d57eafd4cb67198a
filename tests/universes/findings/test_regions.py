"""Where reversals lie: places in words, and the densest corner."""

from __future__ import annotations

import numpy as np
from tests.universes.findings.grids import made

from heldout.universes.findings.regions import densest, hull
from heldout.universes.findings.stability import shares, stability

CUT = ["1", "5", "10", "20", "50"]


TARGETS = ["AllItems", "TestItems", "TrainingItems", "TestRatings"]


def judged(universes):
    return stability(universes, tuple(shares(universes, p) for p in range(len(universes.pairs))))[0]


def test_reversed_only_under_one_block():
    seeds = [str(k) for k in range(1, 13)]
    universes = made(
        {"cutoff": CUT, "target": TARGETS, "seed": seeds},
        lambda row: -0.05 if row["target"] == "TestRatings" and int(row["cutoff"]) <= 1 and int(row["seed"]) < 6 else 0.05,
    )
    found = judged(universes)
    assert found.kind == "holds"
    assert found.winner == "A"
    assert found.sentence == (
        "A beats B significantly in 98% of 240 universes; reversed only under TestRatings with cut-off 1 "
        "(5 of 12 universes there)."
    )


def test_only_never_excludes_a_reversal_and_never_includes_a_smaller_block():
    rng = np.random.default_rng(5)
    universes = made(
        {"cutoff": CUT, "target": TARGETS, "aggregate": ["mean", "gmean"], "test": ["t", "sign"]}, lambda row: 0.1
    )
    for size in (1, 2, 3, 6, 20):
        cases = np.zeros(len(universes), dtype=bool)
        cases[rng.choice(len(universes), size, replace=False)] = True
        found = hull(universes, cases)
        inside = np.ones(len(universes), dtype=bool)
        for name, labels in found.where:
            k = universes.decision(name)
            told = np.array([universes.decisions[k].label(int(c)) in labels for c in universes.codes[:, k]])
            inside &= told
            for label in labels:  # every option named has a case
                assert any(universes.decisions[k].label(int(c)) == label for c in universes.codes[cases, k])
        assert inside[cases].all()
        assert found.universes == inside.sum()
        assert found.cases == size


def test_amounts_are_told_as_ranges():
    for kept, words in (
        ({"1", "5"}, "cut-off ≤ 5"),
        ({"20", "50"}, "cut-off ≥ 20"),
        ({"5", "10"}, "cut-off between 5 and 10"),
        ({"1", "50"}, "cut-off 1 or 50"),
        ({"10"}, "cut-off 10"),
    ):
        universes = made({"cutoff": CUT, "seed": ["1", "2"]}, lambda row, kept=kept: -0.1 if row["cutoff"] in kept else 0.1)
        assert hull(universes, universes.winner[:, 0] == -1).words == words


def test_a_metric_is_named_rather_than_the_gain_that_comes_with_it():
    universes = made(
        {"metric": ["P", "nDCG", "ERR"], "gain": ["binary", "exp2"]}, lambda row: -0.1 if row["metric"] == "P" else 0.1
    )
    assert hull(universes, universes.winner[:, 0] == -1).words == "P"


def test_no_only_where_reversals_are_everywhere():
    def everywhere(row):
        corner = row["cutoff"] == "50" and row["target"] == "TestRatings" and int(row["seed"]) < 10
        line = CUT.index(row["cutoff"]) == TARGETS.index(row["target"]) and int(row["seed"]) < 4
        return -0.05 if corner or line else 0.05

    universes = made(
        {"cutoff": CUT, "target": TARGETS, "seed": [str(k) for k in range(1, 31)]},
        everywhere,
    )
    found = judged(universes)
    assert found.kind == "holds"
    assert found.second is not None
    assert found.second.only.everywhere
    assert "only" not in found.sentence
    assert "most often under TestRatings with cut-off 50 (9 of 30 universes there)" in found.sentence


def test_the_densest_corner_by_hand():
    # 100 universes, 10 cases, 9 of them among the 20 with cut-off 1: the single option with the highest φ.
    levels = {"cutoff": CUT, "seed": [str(k) for k in range(1, 21)]}
    universes = made(levels, lambda row: 0.1)
    cutoff = universes.codes[:, universes.decision("cutoff")]
    cases = np.zeros((100, 1), dtype=bool)
    cases[np.flatnonzero(cutoff == 0)[:9], 0] = True
    cases[np.flatnonzero(cutoff == 3)[:1], 0] = True
    found = densest(universes, cases)[0]
    assert found is not None
    assert (found.words, found.universes, found.cases) == ("cut-off 1", 20, 9)
