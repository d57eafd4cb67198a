"""The registry of figures: one name for the page, the command line and Python."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from tests.reports.every_kind import DRAWN_BY_HAND, results_of

from heldout.errors import SpecError, UnknownNameError
from heldout.reports.figures import (
    BIASES,
    MULTIVERSE,
    PROFILE,
    STUDY,
    TRUTH,
    available,
    draw_figure,
    of_study,
)

REGISTERED: dict[str, tuple[Any, ...]] = {
    "study": STUDY,
    "multiverse": MULTIVERSE,
    "bias": BIASES,
    "truth": TRUTH,
    "profile": PROFILE,
}


@pytest.mark.parametrize("kind", REGISTERED)
def test_names_are_stable_and_each_once(kind: str) -> None:
    names = [entry.name for entry in REGISTERED[kind]]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)


def test_figures_that_results_do_not_have_are_not_listed() -> None:
    facts = results_of("study").findings
    assert {entry.name for entry in available(of_study(facts), facts)} == set(results_of("study").figures)
    assert {entry.name for entry in available(STUDY, facts)} >= {"leaderboard", "curve", "critical-difference"}
    findings = results_of("multiverse").findings
    drawn = [entry.name for entry in available(MULTIVERSE, findings)]
    of_data = [name for name in results_of("multiverse").figures if name.startswith("data-")]
    assert [*drawn, "margin-curve", *of_data] == list(results_of("multiverse").figures) and "data-popularity" in of_data


def test_what_cannot_be_drawn_is_refused() -> None:
    facts = results_of("study").findings
    with pytest.raises(
        UnknownNameError, match=r"unknown figure 'curv'; did you mean curve\? \(known: cost-quality, critical-difference, "
    ):
        draw_figure(STUDY, facts, "curv")
    with pytest.raises(SpecError, match='the figure "settings" has no option test'):
        draw_figure(STUDY, facts, "settings", test="t")
    with pytest.raises(SpecError, match=r"no figure is 0\.5 inches wide"):
        draw_figure(STUDY, facts, "settings", width=0.5)


@pytest.mark.parametrize("kind", DRAWN_BY_HAND)
def test_every_figure_suits_a_column_of_a_paper(kind: str) -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.text import Text

    results = results_of(kind)
    for name in results.figures:
        figure = results.figures[name].draw(width=3.4)
        figure.draw_without_rendering()
        assert figure.get_size_inches()[0] == 3.4
        texts = [text for text in figure.findobj(Text) if text.get_text().strip() and text.get_visible()]
        assert min(text.get_fontsize() for text in texts) >= 7, name
        box = figure.get_tightbbox()
        assert box.x0 >= -0.05 and box.x1 <= 3.45, (name, box.x0, box.x1)


def grey(colour: tuple[float, ...]) -> float:
    """How light a colour is in print, from 0 to 1."""
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


@pytest.mark.parametrize("kind", DRAWN_BY_HAND)
def test_series_are_told_apart_in_grey_too(kind: str) -> None:
    """Lines with names differ by mark or dash, bars by hatching or by how light they are."""
    pytest.importorskip("matplotlib")
    results = results_of(kind)
    for name in results.figures:
        for axes in results.figures[name].draw().axes:
            lines = [line for line in axes.lines if not str(line.get_label()).startswith("_")]
            styles = {(str(line.get_label()), line.get_marker(), line.get_linestyle()) for line in lines}
            assert len({style[1:] for style in styles}) == len({style[0] for style in styles}), name
            bars = [bars for bars in axes.containers if not str(bars.get_label()).startswith("_")]
            greys = sorted((own[0].get_hatch() or "", grey(own[0].get_facecolor())) for own in bars if len(own))
            assert all(a[0] != b[0] or b[1] - a[1] > 0.1 for a, b in pairwise(greys)), (name, greys)


@pytest.mark.parametrize("kind", DRAWN_BY_HAND)
def test_figures_of_the_page_bear_the_names_of_the_command(kind: str) -> None:
    """A figure that the page saves under a name is one that `--figure` knows, and every figure has a name."""
    results = results_of(kind)
    figures = re.findall(r"<figure[^>]*>", results.to_html())
    named = [re.search(r'data-figure="([^"]+)"', figure) for figure in figures]
    assert figures and all(named), [figure for figure, name in zip(figures, named, strict=True) if not name]
    assert {name.group(1) for name in named if name} <= set(results.figures)
