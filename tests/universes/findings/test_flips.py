"""How often changing one decision alone changes the verdict."""

from itertools import combinations

import numpy as np
from tests.universes.findings.grids import made

from heldout.universes.findings.flips import Counted, flips
from heldout.universes.findings.minimal_pairs import reversals
from heldout.universes.findings.neighbours import neighbours


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
