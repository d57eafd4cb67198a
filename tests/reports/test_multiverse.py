"""A multiverse's report in a terminal, a page, Markdown and figures."""

import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console
from tests.reports.page.test_saving import without_saving
from tests.universes.grids import USUAL, made, of

from heldout.errors import NotApplicableError, SpecError
from heldout.reports.markdown.multiverse import to_markdown
from heldout.reports.multiverse_views import MultiverseReport
from heldout.reports.page.multiverse import to_html
from heldout.reports.plots.multiverse import map_plot, specification_plot
from heldout.reports.plots.study import save
from heldout.reports.terminal.multiverse import render
from heldout.universes.analysis import multiverse_findings
from heldout.universes.grid.decisions import NAMES, decision
from heldout.universes.sentences import overall_sentence

TARGETS = ["AllItems", "TestRatings"]
LONG = "UserKNN(k=100, similarity=cosine, normalise=true)"


def turned(row):
    return -0.05 if row["target"] == "TestRatings" and int(row["cutoff"]) <= 5 else 0.05


@pytest.fixture(scope="module")
def two():
    return multiverse_findings(made({"cutoff": ["1", "5", "10", "20"], "target": TARGETS}, turned), level=0.05)


@pytest.fixture(scope="module")
def several():
    """Five systems with long names, some of which a page must escape, over 240 universes."""
    levels = {"cutoff": ["1", "5", "10", "20", "50"], "target": TARGETS, "metric": ["P", "nDCG"], "gain": ["binary", "exp2"]}
    levels["seed"] = [str(k) for k in range(1, 9)]
    decisions = tuple(decision(name, levels.get(name, USUAL[name])) for name in NAMES)
    codes = made(levels, lambda row: 0.0).codes
    values = (
        0.4 + np.random.default_rng(4).normal(0, 0.01, size=(len(codes), 5)) + 0.01 * (codes[:, [11]] - 2) * np.arange(5)
    )
    return multiverse_findings(
        of(decisions, codes, values, systems=(LONG, "WRMF", "<i>&", "Popularity", "EASE")), level=0.05
    )


def films(found):
    return MultiverseReport(findings=found, title="Films")


def printed(found, width):
    console = Console(width=width, record=True, no_color=True, file=open("/dev/null", "w"))  # noqa: SIM115, PTH123
    console.print(render(films(found)))
    return console.export_text().splitlines()


@pytest.mark.parametrize("width", [60, 80, 120])
def test_terminal_keeps_the_width(two, several, width):
    for found in (two, several):
        assert max(cell_len(line.rstrip()) for line in printed(found, width)) <= width


def test_terminal_says_and_draws(two):
    text = "\n".join(printed(two, 100))
    assert "B in 2, only under TestRatings with cut-off ≤ 5 (2 of 2 universes there)." in text
    assert "cut-off 5 → 10, all else equal (TestRatings), turns the winner round" in text
    assert re.search(r"AllItems +(███)", text)
    assert "8 universes: 2 targets × 4 cut-offs." in text
    # By hand: A leads by 5 % in 6 universes; both decisions and both jointly explain a third.
    assert re.search(r"target +33\.3%.*33\.3%", text)


class _Checked(HTMLParser):
    """Every element is closed by its own end."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in ("br", "wbr", "meta"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_page_is_whole_escaped_and_asks_for_nothing(two, several):
    for found in (two, several):
        page = to_html(replace(films(found), title="Films & <books>"))
        reader = _Checked()
        reader.feed(page)
        assert reader.open == []
        assert "Films &amp; &lt;books&gt;" in page
        assert not re.search(r"(src|href)=\"(?!#)", page)
        assert "<script" not in without_saving(page)
        assert to_html(replace(films(found), title="Films & <books>")) == page
    assert "&lt;i&gt;&amp;" in page
    assert "<i>&" not in page


def test_page_has_all_parts(two, several):
    for key in ("holds", "pairs", "rankings", "papers", "grid"):
        assert f'id="{key}"' in to_html(films(two))
    page = to_html(films(several))
    assert page.count('class="speccurve broad"') == page.count('class="speccurve narrow"') == 10
    assert page.count('class="map"') == 1
    first = re.search(r'<p class="sentence">([^<]+)<', page)  # the page begins with what it found
    assert first and unescape(first.group(1)) == (overall_sentence(several) or several.contested[0].stability.sentence)
    assert 'class="map"' not in to_html(films(two))


def test_options_of_the_grid_stand_apart_each_with_its_universes(two):
    page = to_html(films(two))
    options = re.findall(r'<span class="option"><code>([^<]+)</code> ([\d,]+)</span>', page)
    levels = [(level, n) for decision in two.decisions for level, n in zip(decision.levels, decision.counts, strict=True)]
    assert [int(n) for _, n in options] == [n for _, n in levels] and len(options) > 2


def test_markdown(two):
    text = to_markdown(films(two))
    assert "| target | 33.3% | 33.3% | 33.3% | 50.0% | 50.0% | 0% |" in text
    assert "test\\_users(n=2000)" in text
    assert to_markdown(films(two)) == text


def test_figures_are_the_same_bytes_each_time(two, several, tmp_path):
    for name, figure in (("a", specification_plot), ("b", specification_plot)):
        save(figure(two), tmp_path / f"{name}.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert save(map_plot(several), tmp_path / "map.svg").stat().st_size > 5000
    with pytest.raises(NotApplicableError, match="no map"):
        map_plot(two)


def test_a_curve_by_the_names_of_its_systems(several):
    titles = [specification_plot(several, pair).axes[0].get_title(loc="left") for pair in (("WRMF", LONG), 0)]
    assert titles[0] == titles[1] == "UserKNN against WRMF: 240 universes"
    first = several.contested[0]  # without a pair, the one that the page shows first
    assert specification_plot(several).axes[0].get_title(loc="left").startswith(f"{first.first} against {first.second}:")
    for wrong in (("WRMF", "SLIM"), 99):
        with pytest.raises(SpecError, match="there is no pair"):
            specification_plot(several, wrong)


def test_one_universe_and_one_decision(tmp_path):
    for levels in ({}, {"cutoff": ["1", "5"]}):
        found = multiverse_findings(made(levels, lambda row: 0.1), level=0.05)
        assert printed(found, 60)
        assert "A beats B significantly" in to_html(films(found))
        assert to_markdown(films(found))
        save(specification_plot(found), tmp_path / "curve.png")
    empty = made({"cutoff": ["1", "5"]}, lambda row: 0.1)
    for column in (empty.effect, empty.difference, empty.p, empty.values):
        column[:] = np.nan
    empty.winner[:] = 0
    found = multiverse_findings(empty, level=0.05)
    told = "\n".join(printed(found, 60))
    assert "No universe has a value of both" in told
    assert "neither 100%" not in told + to_html(films(found))
    with pytest.raises(NotApplicableError, match="no universe"):
        specification_plot(found)


def test_the_caption_is_of_the_curve_drawn(two, several):
    narrow, wide = (" ".join(" ".join(printed(several, width)).split()) for width in (60, 120))
    columns = [int(re.search(r"240 universes in (\d+) columns", text)[1]) for text in (narrow, wide)]
    assert columns[0] < 60 < columns[1] < 120
    assert "Below, what they chose in the" in narrow
    small = " ".join(" ".join(printed(two, 100)).split())
    assert "Each column is a universe" in small
    assert "A column is 3 characters wide." in small
    assert "240 universes in 120 columns" in to_html(films(several))


def test_labels_have_room():
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    levels = {"split": ["temporal_ratio(at=0.8)", "temporal_ratio(at=0.9)"], "unrated": ["zero", "leave_out"]}
    found = multiverse_findings(made(levels, turned_by_split), level=0.05)
    page = to_html(films(found))
    # The first label ends 8 left of the columns, and its decision begins at the left edge: both fit at 6 a letter.
    left = -int(re.search(r'viewBox="(-\d+) 0', page)[1])
    assert ">temporal_ratio(at=0.8)</text>" in page
    assert left >= 8 + 6 * (len("temporal_ratio(at=0.8)") + len("split"))
    figure = specification_plot(found)
    FigureCanvasAgg(figure).draw()
    below = figure.axes[1]
    labels = [text for text in below.get_yticklabels() if text.get_text()]
    assert "temporal_ratio(at=0.8)" in [text.get_text() for text in labels]
    assert len(below.texts) == 2
    for words in below.texts:
        assert not any(words.get_window_extent().overlaps(text.get_window_extent()) for text in labels)


def turned_by_split(row):
    return -0.05 if "0.8" in row["split"] else 0.05


def test_what_moves_it_is_explained(two, several):
    for text in (" ".join(printed(two, 100)), to_html(films(two)), to_markdown(films(two))):
        text = " ".join(text.split())
        for words in ("how often the leader changes", "significance is gained or lost (one", "– stands where"):
            assert words in text
    distinct = several.agreement.distinct
    assert f"The 8 most frequent of {distinct} rankings are listed." in to_html(films(several))
    assert f"The 5 most frequent of {distinct} rankings are listed." in " ".join(printed(several, 100))
