"""Lines with bands, drawn."""

from __future__ import annotations

import re
from itertools import pairwise

from heldout.reports.axis import Axis
from heldout.reports.page.line_chart import ABOVE, BELOW, LEFT, PITCH, Line, line_chart

X = Axis(start=1.0, end=0.0, ticks=[(1.0, "100%"), (0.0, "0%")], label="kept")
Y = Axis(start=0.0, end=1.0, ticks=[(0.0, "0"), (1.0, "1")], label="τ")


def line(label: str, *heights: float) -> Line:
    points = [(1 - k / (len(heights) - 1), height) for k, height in enumerate(heights)]
    return Line(label=label, cls="c0", hover=f"line {label}", points=points)


def test_a_line_goes_through_its_points() -> None:
    """340 × 150: 100 high between 10 and 110; the label of one letter takes 20 + 7.2 at the right."""
    markup = line_chart([line("a", 1.0, 0.5, 0.0)], X, Y, title="t", width=340, height=150)
    (path,) = re.findall(r'<path d="([^"]*)" class="line c0">', markup)
    right = 340 - 20 - 7.2
    middle = (LEFT + right) / 2
    assert path == f"M{LEFT:.1f} {ABOVE:.1f}L{middle:.1f} 60.0L{right:.1f} {150 - BELOW:.1f}"
    assert "<title>line a</title>" in markup


def test_the_band_goes_out_above_and_comes_back_below() -> None:
    banded = Line(label="a", cls="c1", hover="", points=[(1, 0.5), (0, 0.5)], band=[(1, 0.4, 0.6), (0, 0.2, 0.8)])
    markup = line_chart([banded], X, Y, title="t", width=340, height=150)
    (path,) = re.findall(r'<path d="([^"]*)" class="band c1">', markup)
    assert [float(place.split()[1]) for place in path.strip("Mz").split("L")] == [70, 90, 30, 50]


def test_labels_do_not_cover_each_other() -> None:
    lines = [line(str(k), 1.0, 0.001 * k) for k in range(6)]
    markup = line_chart(lines, X, Y, title="t", width=340, height=150)
    heights = sorted(float(y) for y in re.findall(r'y="([\d.]+)" text-anchor="start" class="name', markup))
    assert len(heights) == 6
    assert min(b - a for a, b in pairwise(heights)) >= PITCH - 0.1
    assert heights[-1] <= 150 - BELOW + 4


def test_a_line_without_a_label_is_named_on_hovering_only() -> None:
    markup = line_chart([line("", 1.0, 0.0)], X, Y, title="t")
    assert 'class="name' not in markup
    assert "<title>line </title>" in markup


def test_a_flat_line_needs_its_two_ends() -> None:
    flat = Line(label="", cls="c0", hover="", points=[(1 - k / 100, 0.5) for k in range(101)])
    (path,) = re.findall(r'<path d="([^"]*)" class="line', line_chart([flat], X, Y, title="t", width=340))
    assert path.count("L") == 1


def test_a_wide_drawing_has_a_narrow_form_whose_ticks_do_not_touch() -> None:
    """21 ticks of 4 letters would take 4 × 7.2 + 4 each, 688 in all: too many for 360, not for 880."""
    ticks = [(k / 20, f"{5 * k:>3}%") for k in range(21)]
    markup = line_chart([line("a", 1.0, 0.0)], Axis(start=0.0, end=1.0, ticks=ticks, label="kept"), Y, title="t")
    broad, narrow = (form for form in markup.split("</svg>") if form)
    assert 'class="lines broad"' in broad and 'class="lines narrow"' in narrow and 'viewBox="0 0 360 ' in narrow
    places = [float(x) for x in re.findall(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="middle">[^<]*%', narrow)]
    assert broad.count("%</text>") == 21 > len(places) > 5
    assert min(b - a for a, b in pairwise(places)) >= 4 * 7.2 + 4 - 0.1
    assert places[0] == LEFT and "  0%" in narrow and "100%" in narrow


def test_numbers_of_the_upright_axis_keep_clear_of_its_name() -> None:
    """Five letters of 7.2 end 6 before the lines: they begin right of 13, where the name of the axis ends."""
    long = Axis(start=0.0, end=1.0, ticks=[(0.0, "0.000"), (1.0, "1.000")], label="P@10")
    markup = line_chart([line("a", 1.0, 0.0)], X, long, title="t", width=340, height=150)
    ends = [float(x) for x in re.findall(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="end"', markup)]
    assert len(ends) == 2 and min(ends) - 5 * 7.2 >= 13
    (path,) = re.findall(r'<path d="M([\d.]+) [^"]*" class="line', markup)
    assert float(path) == ends[0] + 6
