"""Metrics on trial in a terminal."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len
from tests.metric_quality.sample import small_trial
from tests.reports.metric_trial import films, trial

from heldout.reports.metric_quality_figures import figures
from heldout.reports.terminal.metric_quality import NEED, render
from heldout.reports.terminal.screen import printed


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_width_is_kept(width: int) -> None:
    for report in (films(), films(small_trial()), films(trial(), trial(), labels=("AllItems", "TestRatings"))):
        assert max(cell_len(line.rstrip()) for line in printed(render(report), width).splitlines()) <= width


def test_what_is_said() -> None:
    text = printed(render(films()), 80)
    assert "On these data nDCG@10 separates systems best." in text
    assert "data films_&_books.csv  target AllItems\n" in re.sub(" +\n", "\n", text)
    # Places by mean p and τ: P@10 and nDCG@10 1.5 each, then nDCG@5, P@5, the third metric at 10, AUC, it at 5.
    assert re.search(r"^nDCG +3 +2 +–$", text, re.MULTILINE)
    assert re.search(r"^AUC +– +– +6$", text, re.MULTILINE)
    assert re.search(r"^nDCG@10 \* +1\.5 +0\.12 +0\.020 ± 0\.010 +0\.970 +5% ", text, re.MULTILINE)
    assert "– At 10, P and <b>& agree least: τ 0.67." in text
    assert "– τ of 4 systems has 6 pairs" in text
    assert "– <i>Failing</i>: no score" in text


@pytest.mark.parametrize("width", [60, 80, 220])
def test_everything_is_shown_at_every_width(width: int) -> None:
    text = printed(render(films()), width)
    for figure in figures(trial()):
        assert re.search(rf"(?<!\S){re.escape(figure.brief)}(?!\S)", text.partition("* no other beats it")[0])


def test_every_figure_has_its_need() -> None:
    rows = tuple(
        type(row)(**{**row.__dict__, "stability_tau": 0.5, "tie_tau": 0.5, "validity_tau": 0.5}) for row in trial().rows
    )
    assert {figure.key for figure in figures(trial(rows=rows))} == NEED.keys()
