"""The ends of an interval bound values: they stand beside these, and no system wins, loses or flips by them."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import heldout as ho
from heldout.errors import SpecError
from heldout.universes.grid.file import multiverse_from

STUDY: dict[str, Any] = {
    "data": "simulate(users=90, items=40, ratings=1500)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "UserKNN(k=7)"],
    "relevance": "threshold(4)",
    "metrics": ["P@5", "RR@5"],
    "compare": ["t"],
}


@pytest.fixture(scope="module")
def bounded() -> ho.Results:
    return ho.run({**STUDY, "unrated": ["zero", "interval"]})


def test_bounds_change_neither_the_verdict_nor_any_comparison(bounded: ho.Results) -> None:
    plain = ho.run(STUDY)
    assert bounded.verdict == plain.verdict
    assert bounded.facts.verdict == plain.facts.verdict
    assert bounded.facts.comparisons == plain.facts.comparisons
    assert {s.label for s in bounded.facts.settings if not s.descriptive} == {"P@5", "RR@5"}


def test_the_first_written_end_is_no_primary_setting() -> None:
    found = ho.run({**STUDY, "unrated": ["interval", "zero"]})
    assert found.facts.settings[0].choices["unrated"] == "zero"


def test_bounds_stand_beside_the_values_in_every_form(bounded: ho.Results) -> None:
    ends = bounded.leaderboard.filter(pl.col("unrated") != "zero")
    assert len(ends) == 2 * 2 * 2
    shown, page = repr(bounded), bounded.to_html()
    most = ends.filter(unrated="interval(end=high)", metric="P@5", system="Popularity")["value"].item()
    assert "P@5 most" in shown and f"{most:.4f}" in shown and "in 2 of 2 settings" in shown
    assert "Bounds of values" in page and "describe the lists and decide nothing" not in page


def test_bounds_alone_call_no_winner() -> None:
    told = ho.run({**STUDY, "unrated": "interval"}).verdict
    assert told.startswith("No winner is called: the ends of an interval bound values") and "objectives" not in told


def test_judged_runs_are_not_compared_by_bounds() -> None:
    test = pl.DataFrame({"user": ["u1", "u1", "u2"], "item": ["i1", "i2", "i1"], "rating": [5.0, 3.0, 4.0]})
    run = pl.DataFrame({"user": ["u1", "u1", "u2"], "item": ["i1", "i9", "i1"], "score": [2.0, 1.0, 1.0]})
    asked = {"relevance": "threshold(4)", "unrated": ["zero", "interval"]}
    found = ho.evaluate(test, {"A": run, "B": run.reverse()}, ["P@2"], **asked)
    assert [s.choices["unrated"] for s in found.facts.settings if not s.descriptive] == ["zero"]


def test_no_universe_is_a_bound() -> None:
    made = multiverse_from({**STUDY, "unrated": ["zero", "interval"]})
    assert len(made) == len(multiverse_from(STUDY))
    assert made.left_out == ("unrated = interval: its ends bound values and are no contest",)
    with pytest.raises(SpecError, match="interval bounds values and is no contest"):
        multiverse_from({**STUDY, "unrated": "interval"})
