"""What may be said of a pair, and where it is reversed."""

from __future__ import annotations

import numpy as np
import pytest
from tests.universes.findings.grids import made, of

from heldout.universes.findings.findings import findings
from heldout.universes.findings.flips import Counted
from heldout.universes.findings.stability import Shares, shares, stability

CUT = ["1", "5", "10", "20", "50"]


TARGETS = ["AllItems", "TestItems", "TrainingItems", "TestRatings"]


def judged(universes):
    return stability(universes, tuple(shares(universes, p) for p in range(len(universes.pairs))))[0]


@pytest.mark.parametrize(
    ("better", "worse", "kind"),
    [(51, 4, "holds"), (50, 4, "undecided"), (51, 5, "depends"), (30, 30, "depends"), (0, 0, "undecided"), (4, 51, "holds")],
)
def test_the_rule(better, worse, kind):
    universes = made({"seed": [str(k) for k in range(1, 101)]}, lambda row: 0.0)
    effect = np.zeros(100)
    effect[:better], effect[better : better + worse] = 0.1, -0.1
    universes.difference[:, 0] = universes.effect[:, 0] = effect
    universes.winner[:, 0] = np.sign(effect)
    found = judged(universes)
    assert found.kind == kind
    assert found.winner == ({51: "A", 4: "B"}[better] if kind == "holds" else "")
    assert ("No winner can be named" in found.sentence) == (kind != "holds")


def test_two_equal_systems_get_no_winner():
    named = 0
    for seed in range(200):  # all universes of a study share their users: half of the noise is common to all of them
        universes = made({"cutoff": CUT, "target": TARGETS, "split": ["ratio(train=0.5)", "ratio"]}, lambda row: 0.0)
        rng = np.random.default_rng(seed)
        z = np.sqrt(0.5) * rng.standard_normal() + np.sqrt(0.5) * rng.standard_normal(len(universes))
        universes.difference[:, 0] = universes.effect[:, 0] = z
        universes.winner[:, 0] = np.where(np.abs(z) > 1.96, np.sign(z), 0)
        named += judged(universes).winner != ""
    assert named <= 4  # one in forty would be 5; never more than the level, 10


def test_shares_tell_the_untested_and_those_without_a_value_apart():
    universes = made({"cutoff": CUT}, lambda row: 0.1)
    universes.p[0] = np.nan
    universes.winner[0] = 0
    universes.difference[1] = np.nan
    found = shares(universes, 0)
    assert (found.universes, found.without, found.first, found.second, found.neither, found.untested) == (4, 1, 3, 0, 0, 1)
    assert (found.ahead, found.behind, found.equal) == (4, 0, 0)
    assert "1 universe without a value left out" in judged(universes).sentence


def test_universes_without_a_value_are_in_no_place_and_no_flip():
    """B failed at cut-off 50: of 10 there, 5 (TestItems) have no value and are neither a place nor a pair."""
    levels = {"cutoff": ["1", "5", "10", "20", "50"], "target": ["AllItems", "TestItems"]}
    universes = made(levels, lambda row: -0.1 if row["cutoff"] == "50" else 0.1)
    lost = universes.codes[:, universes.decision("target")] == 1
    values = np.where(lost[:, None] & np.array([False, True]), np.nan, universes.values)
    found = findings(of(universes.decisions, universes.codes, values), level=0.05).pairs[0]
    assert (found.shares.universes, found.shares.without) == (5, 5)
    assert (found.stability.second.only.words, found.stability.second.only.universes) == ("cut-off 50", 1)
    by_name = {one.decision: one.all for one in found.flips}
    assert by_name["cutoff"] == Counted(10, 4, 4, 0)  # of 5 · 4 / 2 pairs, those with cut-off 50
    assert by_name["target"] == Counted(0, 0, 0, 0)


def test_shares_of_universes_with_a_value():
    counted = Shares(universes=8, without=2, first=4, second=1, neither=2, untested=1, ahead=5, behind=2, equal=1)
    assert counted.undecided == 3 and counted.share(counted.first) == 0.5
    assert Shares(universes=0, without=2, first=0, second=0, neither=0, untested=0, ahead=0, behind=0, equal=0).share(0) == 0
