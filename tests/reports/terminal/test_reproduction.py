"""Reproductions on the terminal."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console
from tests.reports.reproduced import looked_into, without_data

from heldout import list_experiments
from heldout.reports.reproduction_views import HEADS
from heldout.reports.terminal.reproduction import render, render_list


@pytest.mark.parametrize("width", [60, 80, 140])
def test_the_terminal_fits_its_width(width: int) -> None:
    console = Console(width=width, record=True, file=StringIO())
    console.print(render(without_data()))
    text = console.export_text()
    assert max(map(len, text.splitlines())) <= width
    assert all(head in text for head in HEADS) and "Left out" not in text
    assert "Popularity wins" in text and "✓" in text and "✗" in text and "?" in text
    assert "lacks lost/*.txt" in " ".join(text.split()) and "nobody asked" in text
    lost = text.partition("lacks lost/*.txt")[2]
    assert "published" in lost and not any(head in lost.partition("?")[0] for head in ("measured", "agrees"))


def test_reasons_follow_the_claims_that_lead_to_them() -> None:
    console = Console(width=80, record=True, file=StringIO())
    console.print(render(looked_into()))
    text = console.export_text()
    assert "no (1, 2)" in text and "does not hold here (2):" in text
    assert text.index("does not hold here (2):") < text.index("(1) The data are others.")
    assert text.count("(2) Chance is ruled out by five splits.") == 1


def test_the_list_names_experiments_and_layouts() -> None:
    row = {
        "paper": "a-2000", "name": "A", "experiment": "table-1", "title": "A table", "needs": "ratings", "data": "Ratings",
        "minutes": 8.0, "numbers": 4, "claims": 0, "missing": ["x.csv"], "files": ["x.csv"], "layout": "user,item",
    }  # fmt: skip
    console = Console(width=80, record=True, file=StringIO())
    console.print(render_list([row]))
    text = console.export_text()
    assert "table-1" in text and "8 min" in text and "ratings (Ratings): x.csv. user,item" in text and "no" in text


@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_list_of_all_papers_is_whole_at_any_width(width: int) -> None:
    rows = list_experiments("simulated").to_dicts()
    console = Console(width=width, record=True, file=StringIO())
    console.print(render_list(rows))
    lines = console.export_text().splitlines()
    assert max(map(len, lines)) <= width and "…" not in "".join(lines).replace("[EXPERIMENT …]", "")
    words = {word for line in lines for word in line.split()}
    for row in rows:
        assert {*row["title"].split(), row["experiment"], row["needs"]} <= words
    assert {"claims", "numbers", "takes", "here"} <= words
