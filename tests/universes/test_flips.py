"""Universes by their choices."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from tests.universes.grids import made

from heldout.universes.findings import Counted
from heldout.universes.flips import flips, most_convincing, neighbours, reversals


def test_neighbours_of_a_full_grid_are_all_with_the_rest_equal():
    universes = made({"cutoff": ["1", "5"], "target": ["AllItems", "TestItems", "TestRatings"]}, lambda row: 0.1)
    near = neighbours(universes, universes.decision("target"))
    assert near.table.shape == (2, 3)
    cutoff = universes.codes[:, universes.decision("cutoff")]
    assert [set(cutoff[row].tolist()) for row in near.table] in ([{0}, {1}], [{1}, {0}])


def test_a_metric_that_brings_a_gain_map_is_no_neighbour_of_one_that_does_not():
    universes = made({"metric": ["P", "Recall", "nDCG", "ERR"], "gain": ["linear", "exp2"]}, lambda row: 0.1)
    near = neighbours(universes, universes.decision("metric"))
    pairs = {tuple(sorted(universes.level(u, near.decision) for u in row if u >= 0)) for row in near.table.tolist()}
    assert pairs == {("P", "Recall"), ("ERR", "nDCG")}
    assert len(near.table) == 3  # P and Recall; nDCG and ERR by each of two gains


def test_a_gain_map_that_is_no_choice_keeps_metrics_neighbours():
    universes = made({"metric": ["P", "nDCG"], "gain": ["exp2"]}, lambda row: 0.1)
    assert [universes.decisions[k].name for k in universes.varying] == ["metric"]
    assert neighbours(universes, universes.decision("metric")).table.shape == (1, 2)


def test_gains_are_neighbours_within_their_metric():
    universes = made({"metric": ["P", "nDCG"], "gain": ["linear", "exp2"]}, lambda row: 0.1)
    near = neighbours(universes, universes.decision("gain"))
    assert near.table.shape == (1, 2)
    assert near.levels.tolist() == [0, 1]


def flipped(universes, name):
    return flips(universes, neighbours(universes, universes.decision(name)))[0]


def test_three_cut_offs_by_hand():
    sign = {"1": 1, "5": 1, "10": -1}
    found = flipped(made({"cutoff": list(sign)}, lambda row: 0.1 * sign[row["cutoff"]]), "cutoff")
    assert found.all == Counted(3, 2, 2, 0)
    assert found.adjacent == Counted(2, 1, 1, 0)
    assert found.levels == ("1", "5", "10")
    assert found.reversals == ((0, 0, 1), (0, 0, 1), (0, 0, 0))
    assert found.compared == ((0, 1, 1), (1, 0, 1), (1, 1, 0))


def test_significance_gained_or_lost_is_counted_apart():
    size = {"AllItems": 0.1, "TestItems": 0.001, "TestRatings": -0.001}
    found = flipped(made({"target": list(size)}, lambda row: size[row["target"]]), "target")
    assert found.all == Counted(3, 2, 0, 2)
    assert found.adjacent is None  # targets are no amounts


def test_seeds_have_no_neighbouring_amounts():
    assert flipped(made({"seed": ["1", "2", "3"]}, lambda row: 0.1), "seed").adjacent is None


def test_counts_equal_those_of_all_pairs_of_universes():
    levels = {
        "metric": ["P", "Recall", "nDCG", "ERR"],
        "gain": ["binary", "exp2"],
        "cutoff": ["1", "5", "10"],
        "seed": ["1", "2"],
    }
    universes = made(levels, lambda row: 0.0, noise=0.012)
    lead, won = universes.lead[:, 0], universes.winner[:, 0]
    for k in universes.varying:
        found = flips(universes, neighbours(universes, k))[0].all
        counts = np.zeros(4, dtype=int)
        for a, b in combinations(range(len(universes)), 2):
            if np.flatnonzero(universes.codes[a] != universes.codes[b]).tolist() == [k]:
                turned = won[a] * won[b] == -1
                counts += [1, lead[a] * lead[b] == -1, turned, (won[a] == 0) != (won[b] == 0)]
        assert found == Counted(*counts.tolist())
        before, after = reversals(universes, neighbours(universes, k), 0)
        assert len(before) == found.reversed
        assert (won[before] * won[after] == -1).all()


def test_a_minimal_pair_in_words():
    universes = made(
        {
            "split": ["ratio(train=0.4)", "ratio(train=0.5)", "ratio(train=0.6)"],
            "metric": ["P", "nDCG"],
            "gain": ["linear", "exp2"],
            "cutoff": ["5", "10"],
        },
        lambda row: -0.02 if (row["split"], row["gain"], row["cutoff"]) == ("ratio(train=0.4)", "exp2", "10") else 0.03,
    )
    (found,) = most_convincing(universes, neighbours(universes, universes.decision("split")), 0)
    assert found is not None
    assert found.sentence == (
        "split ratio(train=0.4) → ratio(train=0.5), all else equal (nDCG(gain=exp2)@10), turns the winner round: "
        "B ahead by 2.0% (p = 0.002) becomes A ahead by 3.0% (p < 0.001)."
    )
    assert found.adjacent
    assert (found.before, found.after) == ("ratio(train=0.4)", "ratio(train=0.5)")


def test_neighbouring_amounts_are_preferred_and_then_the_surest():
    effect = {"1": 0.2, "5": 0.011, "10": -0.012, "20": -0.3}
    universes = made({"cutoff": list(effect)}, lambda row: effect[row["cutoff"]])
    (found,) = most_convincing(universes, neighbours(universes, universes.decision("cutoff")), 0)
    assert found is not None
    assert (found.before, found.after) == ("5", "10")
    size = {"AllItems": 0.2, "TestItems": 0.011, "TestRatings": -0.012, "TrainingItems": -0.3}
    universes = made({"target": list(size)}, lambda row: size[row["target"]])
    found = most_convincing(universes, neighbours(universes, universes.decision("target")), 0)
    # the first two turn round with the last two: of these four the three surest, told by the smaller effect
    assert [(one.before, one.after) for one in found] == [
        ("AllItems", "TrainingItems"),
        ("AllItems", "TestRatings"),
        ("TestItems", "TestRatings"),
    ]


def test_no_minimal_pair_where_nothing_reverses():
    universes = made({"cutoff": ["1", "5"]}, lambda row: 0.1)
    assert most_convincing(universes, neighbours(universes, universes.decision("cutoff")), 0) == ()
