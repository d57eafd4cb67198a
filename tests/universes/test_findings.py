"""Findings as a whole: curve, papers, JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.universes.grids import made

from heldout.catalogue import describe, find, make
from heldout.storage.codec import from_plain, to_plain
from heldout.study.published import PAPERS
from heldout.universes import analysis
from heldout.universes.analysis import multiverse_findings, specification_curve
from heldout.universes.findings import MultiverseFindings, SpecificationCurve, SpecificationRow
from heldout.universes.grid.decisions import KIND_OF, NAMES
from heldout.universes.papers import universes_of, with_papers

NESTED = {
    "metric": ["P", "nDCG"],
    "gain": ["binary", "exp2"],
    "cutoff": ["5", "10"],
    "test": ["t", "sign"],
    "users": ["with_train"],
}


def test_curve_by_hand():
    effect = {"1": 0.3, "5": -0.1, "10": 0.2}
    universes = made({"cutoff": list(effect)}, lambda row: effect[row["cutoff"]])
    found = specification_curve(universes, 0, {"someone 1999": np.array([0, 2])})
    assert found.effect == pytest.approx((-0.1, 0.2, 0.3))
    assert [row.counts for row in found.rows] == [(0, 0, 1), (1, 0, 0), (0, 1, 0)]
    assert found.first == (0, 1, 1)
    assert found.second == (1, 0, 0)
    assert found.papers == (("someone 1999", (2, 1)),)


def test_many_universes_share_columns_without_losing_any(monkeypatch):
    monkeypatch.setattr(analysis, "COLUMNS", 7)
    monkeypatch.setattr(analysis, "ROWS", 3)
    universes = made({"cutoff": [str(k) for k in range(1, 21)], "seed": ["1", "2"]}, lambda row: 0.0, noise=0.02)
    universes.effect[5] = np.nan
    found = specification_curve(universes, 0, {})
    assert len(found.sizes) == 7
    assert sum(found.sizes) == 39
    assert max(found.sizes) - min(found.sizes) <= 1
    assert list(found.effect) == sorted(found.effect)
    cutoffs = [row for row in found.rows if row.decision == "cutoff"]
    assert [row.label for row in cutoffs] == ["1 … 7", "8 … 14", "15 … 20"]
    for c in range(7):
        assert sum(row.counts[c] for row in cutoffs) == found.sizes[c]


def test_what_papers_chose_is_what_studies_write():
    for paper in PAPERS:
        assert [c.decision for c in paper.choices] == sorted((c.decision for c in paper.choices), key=NAMES.index)
        for choice in paper.choices:
            assert choice.source.startswith("§")
            for text in choice.options:
                kind = KIND_OF[choice.decision]
                if kind == "metric":
                    found = (
                        str(make(kind, f"{text}@10")).partition("@")[0]
                        if text not in ("RMSE", "HLU")
                        else str(make(kind, text))
                    )
                    assert found == text
                elif kind:
                    assert str(make(kind, text)) == text


def test_the_universes_of_a_paper():
    levels = {**NESTED, "split": ["ratio(train=0.5)", "ratio(train=0.4)"], "seed": ["1", "2"]}
    universes = made(levels, lambda row: 0.1)
    paper = next(p for p in PAPERS if p.key == "canamares2020")
    rows, missing = universes_of(universes, paper)
    assert missing == ()
    assert rows.sum() == 4  # P and nDCG with binary gain, by two seeds
    told = [
        {universes.level(u, universes.decision(name)) for u in np.flatnonzero(rows)}
        for name in ("metric", "gain", "cutoff", "test", "split")
    ]
    assert told == [{"P", "nDCG"}, {"–", "binary"}, {"10"}, {"t"}, {"ratio(train=0.5)"}]
    table = with_papers(universes)
    assert ["Cañamares et al. 2020" in text for text in table["papers"].to_list()] == rows.tolist()
    assert set(table.filter(table["papers"].cast(str).str.contains("Cañamares"))["cutoff"].to_list()) == {"10"}


def test_what_a_grid_lacks_of_a_paper_is_told():
    universes = made(NESTED, lambda row: 0.1)
    found = {one.key: one for one in multiverse_findings(universes, level=0.05).papers}
    assert [c.decision for c in found["canamares2020"].missing] == ["split"]
    assert found["canamares2020"].universes == 2
    assert found["canamares2020"].outcomes == ((2, 0, 0),)
    assert [c.decision for c in found["valcarce2018"].missing] == ["split", "ties", "cutoff", "gain", "test"]
    assert not found["valcarce2018"].exact


def test_findings_survive_json():
    universes = made({**NESTED, "seed": ["1", "2", "3"]}, lambda row: -0.05 if row["cutoff"] == "5" else 0.05, noise=0.03)
    found = multiverse_findings(universes, level=0.05)
    record = to_plain(found)
    assert to_plain(from_plain(MultiverseFindings, json.loads(json.dumps(record)))) == record
    assert to_plain(multiverse_findings(universes, level=0.05)) == record
    assert [one.name for one in found.varying] == ["seed", "metric", "cutoff", "gain", "test"]
    assert found.words("cutoff") == "cut-off"
    gain = next(one for one in found.decisions if one.name == "gain")
    assert (gain.counts, gain.without) == ((12, 12), 12)


def test_sentences_name_systems_shortly_where_that_tells_them_apart():
    universes = made({}, lambda row: 0.1)
    for systems, names in (
        (("UserKNN(k=100)", "WRMF"), ("UserKNN", "WRMF")),
        (("UserKNN(k=100)", "UserKNN(k=50)"), ("UserKNN(k=100)", "UserKNN(k=50)")),
    ):
        found = multiverse_findings(replace(universes, systems=systems), level=0.05)
        assert (found.systems, found.names) == (systems, names)
        assert found.pairs[0].stability.sentence.startswith(f"{names[0]} beats {names[1]} significantly")


def test_findings_of_one_universe_and_of_none_with_a_value():
    found = multiverse_findings(made({}, lambda row: 0.1), level=0.05)
    assert (
        found.pairs[0].stability.sentence
        == "A beats B significantly in the one universe there is; B is significantly better in none."
    )
    assert found.pairs[0].anova.single == ()
    empty = made({"cutoff": ["1", "5"]}, lambda row: 0.1)
    for column in (empty.effect, empty.difference, empty.p, empty.values):
        column[:] = np.nan
    empty.winner[:] = 0
    found = multiverse_findings(empty, level=0.05)
    assert found.pairs[0].stability.kind == "undecided"
    assert found.pairs[0].stability.sentence == "No universe has a value of both A and B."
    assert found.pairs[0].curve.sizes == ()
    assert to_plain(found)["agreement"]["mean"] is None


SEEDS = [str(k) for k in range(1, 5)]


def rows(found, decision):
    return np.array([row.counts for row in found.rows if row.decision == decision])


def test_a_decision_that_changes_nothing_does_not_look_sorted():
    """800 universes of two effects: within each half no seed stands in a place of its own."""
    levels = {"seed": SEEDS, "cutoff": [str(k) for k in range(1, 101)], "target": ["AllItems", "TestRatings"]}
    universes = made(levels, lambda row: 0.1 if row["target"] == "AllItems" else -0.1)
    found = specification_curve(universes, 0, {})
    assert list(found.effect) == sorted(found.effect)
    place = np.arange(len(found.sizes))
    means = rows(found, "seed") @ place / rows(found, "seed").sum(axis=1)
    # In the order of the grid, the four seeds' mean places lie 30 columns apart; by chance about 5.
    assert np.ptp(means) < 15
    assert specification_curve(universes, 0, {}) == found


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


def test_lists_of_one_relevant_item_are_averaged_by_rating_in_bellogin_2017() -> None:
    """Its eq. 1 sums over test ratings, where the paper of 2011 averages over users."""
    (paper,) = [one for one in PAPERS if one.key == "bellogin2017"]
    options = next(choice.options for choice in paper.choices if choice.decision == "target")
    (single,) = [target for target in (make("target", option) for option in options) if target.single]
    assert single.by_rating and single.form.sample == 99
    earlier = next(one for one in PAPERS if one.key == "bellogin2011")
    targets = [make("target", o) for c in earlier.choices if c.decision == "target" for o in c.options]
    assert not any(target.by_rating for target in targets)


def test_both_cards_say_whose_figures_are_whose() -> None:
    exp2, scaled = (describe.describe(find("gain", key)).assumes for key in ("exp2", "chapelle_scaled"))
    assert "chapelle_scaled" in exp2 and "exp2" in scaled and "Cañamares" in exp2 and "Cañamares" in scaled
