"""Reports on protocols held against the truth: terminal, page, figures, LaTeX and Markdown say the same."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from markupsafe import escape
from rich.console import Console
from tests.reports.page.test_saving import without_saving

import heldout as ho
from heldout.errors import UnknownNameError
from heldout.reports.truth_views import best_of_each, figures

STUDY = {
    "title": "Worlds <&> truths",
    "data": "simulate(users=60, items=40, ratings=900, missing=by_value)",
    "split": "ratio(train=0.7)",
    "relevance": "threshold(4)",
    "recommend": ["Popularity", "Random", "ItemKNN(k=5)"],
}


@pytest.fixture(scope="module")
def results() -> ho.Results:
    return ho.truth(STUDY, metrics=["P@5", "Recall@5"], draws=3)


@pytest.mark.parametrize("width", [60, 80, 140])
def test_the_terminal_fits_its_width(results: ho.Results, width: int) -> None:
    console = Console(width=width, record=True, file=StringIO())
    console.print(results)
    text = console.export_text()
    assert max(map(len, text.splitlines())) <= width
    assert "Each protocol by its best metric" in text and "What is not known" in text
    assert "IPS (known)" in text


def test_the_page_escapes_titles_and_draws_both_charts(results: ho.Results) -> None:
    page = results.to_html()
    assert "Worlds &lt;&amp;&gt; truths" in page and "<script" not in without_saving(page)
    assert page.count('class="lines broad"') == page.count('class="lines narrow"') == 2
    assert page == results.to_html()
    for row in results.findings.rows:
        assert row.protocol in page
    assert all(str(escape(figure.meaning)) in page for figure in figures(results.findings))


def test_the_page_says_in_sentences_what_each_protocol_estimates(results: ho.Results) -> None:
    _, definitions = results.to_html().split("<h3>What each protocol estimates</h3>", 1)
    entries = re.findall(r"<dd>([^<]+)</dd>", definitions.split("</section>")[0])
    assert len(entries) >= len({row.protocol for row in results.findings.rows})
    assert all(entry[0].isupper() and entry.endswith(".") for entry in entries)


def test_latex_and_markdown_have_a_row_for_each(results: ho.Results) -> None:
    assert results.to_latex().count(r"\\") == 1 + len(best_of_each(results.findings))
    lines = [line for line in results.to_markdown().splitlines() if line.startswith("| ")]
    assert len(lines) == 2 + len(results.findings.rows)  # the head and the rule below it
    assert results.verdict[:20] in results.to_markdown()


def test_figures_are_drawn(results: ho.Results, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for kind in ("right", "bias"):
        results.figures[kind].draw().savefig(tmp_path / f"{kind}.png")
        assert (tmp_path / f"{kind}.png").stat().st_size > 5000
    with pytest.raises(UnknownNameError, match="unknown figure 'variance'"):
        results.figures["variance"].draw()
