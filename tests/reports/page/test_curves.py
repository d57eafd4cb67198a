"""Curves of metrics that have one: on the page and as a figure."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.curves import curve
from tests.reports.sample import SYSTEMS, facts

from heldout.reports.page.curves import LEFT, SIZE, section
from heldout.reports.views import View


def test_points_stand_at_their_place() -> None:
    """The middle of the axis is half its length right of the margin; 0.75 lies a quarter of the height below the top."""
    sample = replace(facts(), curves=(curve(SYSTEMS[0]), curve(SYSTEMS[1])))
    markup = section(View(sample))
    assert f"M{LEFT}.0,{SIZE + 8}.0 L{LEFT + SIZE / 2:.1f},{SIZE / 4 + 8:.1f} L{LEFT + SIZE}.0,8.0" in markup
    assert markup.count("<li>") == 2 and sample.settings[1].label in markup
    assert section(View(facts())) == ""
