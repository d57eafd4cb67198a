"""Small drawings with two axes."""

from __future__ import annotations

import re
from dataclasses import replace

from heldout.reports.axis import Axis
from heldout.reports.page.small_chart import ABOVE, RIGHT, TALL, WIDTH, SmallChart


def panel() -> SmallChart:
    return SmallChart(
        x=Axis(start=0.0, end=2.0, ticks=[(0.0, "few\n7"), (2.0, "many\n9")], label="groups"),
        y=Axis(start=0.0, end=1.0, ticks=[(0.5, "0.5")], label="P@5"),
        title="P@5 <by> group",
    )


def test_points_stand_at_their_place() -> None:
    """The middle of both axes is half the width and half the height between them; the margin grows with its words."""
    drawn = panel()
    left = 49  # 30 beside the words, and 0.5 has 3 letters of 6.2 each, together 48.6
    assert drawn.left == left
    longer = replace(drawn, y=replace(drawn.y, ticks=[(0.5, "100,000")]))
    assert longer.left == 73  # 30 and 7 letters, together 73.4
    assert drawn.at(1.0, 0.5) == (left + (WIDTH - left - RIGHT) / 2, ABOVE + TALL / 2)
    drawn.line([(0.0, 0.0), (2.0, 1.0)], 0, "A & B")
    markup = drawn.svg()
    assert f"M{left}.0 {ABOVE + TALL}.0L{WIDTH - RIGHT}.0 {ABOVE}.0" in markup
    assert "A &amp; B" in markup and "&lt;by&gt;" in markup and ">9</text>" in markup


def test_series_differ_without_colour() -> None:
    """By their marks, or by dashes where lines have none; the key shows what the lines have."""
    for marked, differing in ((True, r'd="(M-?[\d.]+ [^"]+z)"'), (False, r'stroke-dasharray="([^"]+)"')):
        drawn = panel()
        drawn.marked = marked
        for k in range(4):
            drawn.line([(0.0, 0.1 * k), (2.0, 0.1 * k)], k, f"S{k}")
            drawn.key.append((f"S{k}", k))
        shapes = re.findall(differing, drawn.svg())
        assert len(set(shapes)) == (4 if marked else 3) and len(shapes) == (12 if marked else 6)
