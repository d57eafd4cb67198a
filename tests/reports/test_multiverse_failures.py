"""What a multiverse's report says of systems that failed and of options that made no universe."""

import numpy as np
import pytest
from rich.console import Console
from tests.universes.findings.grids import USUAL, made, of

from heldout.reports.markdown.multiverse import to_markdown
from heldout.reports.multiverse_failures import failed_systems, marked_systems
from heldout.reports.multiverse_views import outcome, overall, shade
from heldout.reports.page.multiverse import to_html
from heldout.reports.terminal.multiverse import render
from heldout.universes.findings.curve import CurveRow
from heldout.universes.findings.findings import findings
from heldout.universes.grid.decisions import NAMES, decision

LEVELS = {"split": ["ratio", "folds"], "seed": ["1", "2"], "cutoff": ["5", "10"]}
FAILED = {
    "given | none | folds | seed 1 | KNN(k=5)": "fit: out of memory",
    "given | none | folds | seed 2 | KNN(k=5)": "score: not a number",
    **{f"given | none | {split} | seed {seed} | EASE": "fit: singular" for split in LEVELS["split"] for seed in (1, 2)},
}
LEFT_OUT = ("TestRatings under folds: no <rated> item",)


@pytest.fixture(scope="module")
def found():
    """KNN failed on one of two splits, EASE on both; Popularity is ahead of KNN, and KNN of Random, wherever compared."""
    decisions = tuple(decision(name, LEVELS.get(name, USUAL[name])) for name in NAMES)
    codes = made(LEVELS, lambda row: 0.0).codes
    values = np.tile([0.3, 0.4, np.nan, 0.2], (len(codes), 1))
    values[codes[:, NAMES.index("split")] == 1, 0] = np.nan
    universes = of(decisions, codes, values, systems=("KNN(k=5)", "Popularity", "EASE", "Random"))
    return findings(universes.compared(), level=0.05)


def printed(found, width=120, **missing):
    console = Console(width=width, no_color=True, highlight=False)
    with console.capture() as captured:
        console.print(render(found, "Films", width, **missing))
    return captured.get()


def test_by_system_how_often_and_why(found):
    knn, ease = failed_systems(found, FAILED)
    assert knn.sentence == (
        "KNN failed on 2 splits, each seed counted: fit: out of memory (on 1); score: not a number (on 1)"
    )
    assert ease.sentence == "EASE failed on 4 splits, each seed counted, so that no universe compares it: fit: singular"
    assert marked_systems(found, FAILED) == ["KNN(k=5)", "Popularity", "EASE (failed)", "Random"]
    one = failed_systems(found, {"given | none | folds | seed 1 | KNN(k=5)": "fit: no"})
    assert [a.sentence for a in one] == ["KNN failed on given | none | folds | seed 1: fit: no"]


def test_every_form_draws_them_and_nothing_where_nothing_failed(found):
    for text in (
        printed(found, failed=FAILED, left_out=LEFT_OUT),
        to_markdown(found, "Films", failed=FAILED, left_out=LEFT_OUT),
        to_html(found, "Films", failed=FAILED, left_out=LEFT_OUT),
    ):
        for words in ("Failed", "EASE (failed)", "each seed counted", "No universe", "TestRatings under folds"):
            assert words in text.replace("<wbr>", "").replace("EASE  (", "EASE (")
        assert "fit: singular" in text
    assert "no &lt;rated&gt; item" in text
    for text in (printed(found), to_markdown(found, "Films"), to_html(found, "Films")):
        assert "(failed)" not in text
        assert "No universe" not in text


def test_a_papers_counts_add_up(found):
    # Popularity is significantly better than KNN in all universes of `ratio`; those of `folds` have no value of KNN.
    paper = next(one for one in found.papers if one.universes == 8)
    assert outcome(paper, 0, found) == "Popularity better in all 4 with a value (4 without)"
    partly = type(paper)(paper.paper, paper.key, 8, (), ((3, 1, 2),))
    assert outcome(partly, 0, found) == "KNN better in 3, Popularity better in 1, neither in 2 of 6 with a value (2 without)"
    none = type(paper)(paper.paper, paper.key, 8, (), ((0, 0, 0),))
    assert outcome(none, 0, found) == "no value in any of 8"


def test_the_system_that_beats_all_others(found):
    assert overall(found) == "Popularity significantly beats every other system that was compared, each in most universes."
    assert overall(found) in printed(found)
    assert overall(found) in to_html(found, "Films")
    # Of two systems the sentence of the pair says it.
    assert overall(findings(made({"cutoff": ["1", "5"]}, lambda row: 0.1), level=0.05)) == ""


def test_an_option_without_a_value_is_not_shaded():
    assert shade(CurveRow("split", "folds", (0, 0)), (2, 2)) == [0, 0]
