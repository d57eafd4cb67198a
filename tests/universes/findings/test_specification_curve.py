"""The specification curve: order, columns, and universes of equal effect."""

import numpy as np
from tests.universes.findings.grids import made

from heldout.universes.findings.specification_curve import SpecificationCurve, SpecificationRow, curve

SEEDS = [str(k) for k in range(1, 5)]


def rows(found, decision):
    return np.array([row.counts for row in found.rows if row.decision == decision])


def test_columns_by_hand():
    effects = {"1": 0.3, "5": -0.1, "10": 0.2}
    found = curve(made({"cutoff": ["1", "5", "10"]}, lambda row: effects[row["cutoff"]]), 0, {})
    assert np.sign(found.effect).tolist() == [-1, 1, 1]
    assert rows(found, "cutoff").tolist() == [[0, 0, 1], [1, 0, 0], [0, 1, 0]]


def test_a_decision_that_changes_nothing_does_not_look_sorted():
    """800 universes of two effects: within each half no seed stands in a place of its own."""
    levels = {"seed": SEEDS, "cutoff": [str(k) for k in range(1, 101)], "target": ["AllItems", "TestRatings"]}
    universes = made(levels, lambda row: 0.1 if row["target"] == "AllItems" else -0.1)
    found = curve(universes, 0, {})
    assert list(found.effect) == sorted(found.effect)
    place = np.arange(len(found.sizes))
    means = rows(found, "seed") @ place / rows(found, "seed").sum(axis=1)
    # In the order of the grid, the four seeds' mean places lie 30 columns apart; by chance about 5.
    assert np.ptp(means) < 15
    assert curve(universes, 0, {}) == found


def test_columns_are_joined_by_hand():
    """Five columns in two: rounding k·5/2 gives edges 0, 2 and 5; a joined column has the effect of its middle one."""
    row = SpecificationRow("cutoff", "5", (1, 0, 2, 0, 1))
    whole = SpecificationCurve(
        sizes=(2, 2, 2, 2, 2),
        effect=(-0.2, -0.1, 0.1, 0.2, 0.3),
        first=(0, 0, 1, 2, 2),
        second=(2, 1, 0, 0, 0),
        rows=(row,),
        papers=(("paper", (0, 4)),),
    )
    joined = whole.thinned(2)
    assert joined.sizes == (4, 6) and joined.effect == (-0.1, 0.2)
    assert (joined.first, joined.second) == ((0, 5), (3, 0))
    assert joined.rows[0].counts == (1, 3) and joined.papers == (("paper", (0, 1)),)
    assert whole.thinned(5) is whole
    assert [whole.winner(c) for c in range(5)] == [-1, 0, 0, 1, 1]  # half of a column is not most of it


def test_seen_from_the_other_system_by_hand():
    row = SpecificationRow("cutoff", "5", (1, 0, 2))
    whole = SpecificationCurve(
        sizes=(2, 3, 4),
        effect=(-0.2, 0.1, 0.3),
        first=(0, 1, 4),
        second=(2, 0, 0),
        rows=(row,),
        papers=(("paper", (0, 0, 1)),),
    )
    turned = whole.flipped()
    assert turned.sizes == (4, 3, 2) and turned.effect == (-0.3, -0.1, 0.2)
    assert (turned.first, turned.second) == ((0, 0, 2), (4, 1, 0)) and turned.rows[0].counts == (2, 0, 1)
    assert turned.papers == (("paper", (1, 2, 2)),) and turned.flipped() == whole
