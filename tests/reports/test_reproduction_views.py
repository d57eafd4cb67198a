"""Numbers, verdicts and missing files in words, and every form says the same."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from markupsafe import escape
from rich.console import Console
from tests.reports.reproduced import reproduced

from heldout.errors import NotApplicableError, UnknownNameError
from heldout.papers.record import FigureRow, ReproductionRecord
from heldout.reports.markdown.reproduction import to_markdown
from heldout.reports.page.reproduction import html_fragment, to_html
from heldout.reports.plots.reproduction import drawn, plot
from heldout.reports.reproduction_views import figure_cells, missing_words, sentence
from heldout.reports.terminal.reproduction import render, render_list

NAN = float("nan")
VALUE = FigureRow(
    row="P@10",
    column="kNN",
    kind="value",
    published=0.416,
    decimals=3,
    measured=0.41681,
    difference=0.00081,
    low=0.4139,
    high=0.4197,
    splits=5,
    agrees=True,
)


def _without_data() -> ReproductionRecord:
    record = reproduced()
    first, second = record.papers[0].experiments
    lost = replace(second, missing=("lost/*.txt",), rows=(), claims=(), panels=())
    return replace(record, papers=(replace(record.papers[0], experiments=(first, lost)),), simulated=False)


def test_numbers_have_a_decimal_more_than_the_paper_prints() -> None:
    assert figure_cells(VALUE).texts == ("P@10", "kNN", "0.416", "0.4168", "+0.0008", "[0.4139, 0.4197]", "yes")
    count = replace(VALUE, kind="count", published=6040, decimals=0, measured=6040, difference=0, low=NAN, high=NAN)
    assert figure_cells(count).texts[2:] == ("6,040", "6,040", "0", "", "yes")
    p = replace(
        VALUE, kind="p", published=1.8e-4, measured=0.035, difference=NAN, low=0.0013, high=0.15, place="above 0 of 5"
    )
    assert figure_cells(p).texts[2:] == ("0.00018", "0.035", "", "0.0013 to 0.15", "above 0 of 5")
    lost = replace(VALUE, measured=NAN, difference=NAN, low=NAN, high=NAN, splits=0, agrees=None)
    assert figure_cells(lost).texts[3:] == ("–", "–", "", "")


def test_the_sentence_counts_numbers_and_claims_and_leaves_other_readings_out() -> None:
    assert sentence(reproduced()) == "Of 6 claims 2 hold, 2 do not hold here and 2 cannot be tested."
    record = _without_data()
    paper = record.papers[0]
    rows = (VALUE, replace(VALUE, agrees=False), replace(VALUE, agrees=False, remark="another reading"))
    counted = replace(record, papers=(replace(paper, experiments=(replace(paper.experiments[0], rows=rows),)),))
    assert sentence(counted).startswith("1 of 2 published numbers agree with what is measured; of 3 claims 1 hold")


@pytest.mark.parametrize("width", [60, 80, 140])
def test_the_terminal_fits_its_width(width: int) -> None:
    console = Console(width=width, record=True, file=StringIO())
    console.print(render(_without_data()))
    text = console.export_text()
    assert max(map(len, text.splitlines())) <= width
    assert "Popularity wins" in text and "✓" in text and "✗" in text and "?" in text
    assert "lacks lost/*.txt" in " ".join(text.split()) and "nobody asked" in text


def test_the_list_names_experiments_and_layouts() -> None:
    row = {
        "paper": "a-2000", "name": "A", "experiment": "table-1", "title": "A table", "data": "Ratings", "minutes": 8.0,
        "numbers": 4, "claims": 0, "missing": ["x.csv"], "files": ["x.csv"], "layout": "user,item",
    }  # fmt: skip
    console = Console(width=80, record=True, file=StringIO())
    console.print(render_list([row]))
    text = console.export_text()
    assert "table-1" in text and "8 min" in text and "Ratings: x.csv. user,item" in text and "no" in text


def test_the_page_escapes_draws_and_repeats_itself() -> None:
    page = to_html(reproduced())
    assert page == to_html(reproduced()) and "<script" not in page
    assert page.count('class="lines"') == 4 and "Popularity &lt;&amp;&gt; Random" in page
    for experiment in reproduced().experiments:
        for claim in experiment.claims:
            assert str(escape(claim.words)) in page and claim.verdict in page
    assert "lost/*.txt" in to_html(_without_data()) and "simulated data stand in" in page.lower()
    assert "Random wins" in html_fragment(reproduced())


def test_markdown_has_every_number_claim_and_figure() -> None:
    text = to_markdown(reproduced(), {"sample-2000/fig-2": "page/fig-2.svg"})
    assert text.count("](page/fig-2.svg)") == 1
    assert sum(line.startswith("| P@3 |") for line in text.splitlines()) == 8
    assert sum("wins” (§1)" in line for line in text.splitlines()) == 4
    assert "heldout reproduce sample-2000 --data simulated" in text


def test_figures_are_drawn_by_their_names() -> None:
    pytest.importorskip("matplotlib")
    assert drawn(reproduced()) == ["sample-2000/table-1", "sample-2000/fig-2"]
    figure = plot(reproduced(), "fig-2")
    assert len(figure.axes) == 3  # two panels, one of them with an axis on the right
    assert figure.axes[0].get_ylabel() == "P@3" and figure.axes[-1].get_xscale() == "log"
    with pytest.raises(UnknownNameError, match="unknown figure 'fig-3'"):
        plot(reproduced(), "fig-3")
    nothing = replace(_without_data(), papers=())
    with pytest.raises(NotApplicableError, match="no experiment"):
        plot(nothing, "fig-2")


def test_missing_files_are_named_with_their_layout() -> None:
    assert missing_words(_without_data().experiments[1]) == ("Not run: the data folder lacks lost/*.txt. Layout: user item.")
    assert missing_words(_without_data().experiments[0]) == ""
