"""What may be said of a pair, and where it is reversed."""

from __future__ import annotations

import numpy as np
import pytest
from tests.universes.grids import made, of

from heldout.universes.analysis import multiverse_findings
from heldout.universes.findings import Counted, Shares
from heldout.universes.stability import shares, stability

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
    found = multiverse_findings(of(universes.decisions, universes.codes, values), level=0.05).pairs[0]
    assert (found.shares.universes, found.shares.without) == (5, 5)
    assert (found.stability.second.only.words, found.stability.second.only.universes) == ("cut-off 50", 1)
    by_name = {one.decision: one.all for one in found.flips}
    assert by_name["cutoff"] == Counted(10, 4, 4, 0)  # of 5 · 4 / 2 pairs, those with cut-off 50
    assert by_name["target"] == Counted(0, 0, 0, 0)


def test_shares_of_universes_with_a_value():
    counted = Shares(universes=8, without=2, first=4, second=1, neither=2, untested=1, ahead=5, behind=2, equal=1)
    assert counted.undecided == 3 and counted.share(counted.first) == 0.5
    assert Shares(universes=0, without=2, first=0, second=0, neither=0, untested=0, ahead=0, behind=0, equal=0).share(0) == 0


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
        universes.winner[:, 0] = np.where(cases, -1, 1)
        found = judged(universes).second.only
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
        assert judged(universes).second.only.words == words
    splits = [f"ratio(train={share})" for share in (0.4, 0.5, 0.6)]
    universes = made({"split": splits, "seed": ["1", "2"]}, lambda row: 0.1 if row["split"] == splits[2] else -0.1)
    assert judged(universes).second.only.words == "split ratio ≤ 0.5"


def test_a_metric_is_named_rather_than_the_gain_that_comes_with_it():
    universes = made(
        {"metric": ["P", "nDCG", "ERR"], "gain": ["binary", "exp2"]}, lambda row: -0.1 if row["metric"] == "P" else 0.1
    )
    assert judged(universes).second.only.words == "P"


@pytest.mark.parametrize(("name", "level", "words"), [("test", "sign", "sign test"), ("seed", "2", "seed 2")])
def test_options_that_say_little_by_themselves_have_their_kind(name, level, words):
    universes = made({"test": ["t", "sign"], "seed": ["1", "2"]}, lambda row: -0.1 if row[name] == level else 0.1)
    assert judged(universes).second.only.words == words


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
    universes.winner[:, 0] = np.where(cases[:, 0], -1, 1)
    found = judged(universes).second.densest
    assert (found.words, found.universes, found.cases) == ("cut-off 1", 20, 9)
