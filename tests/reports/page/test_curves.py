"""Curves of metrics that have one: on the page and as a figure."""

from __future__ import annotations

from tests.reports.curves import curve
from tests.reports.sample import SYSTEMS, facts, with_details

from heldout.reports.page.curves import section
from heldout.reports.page.small_chart import ABOVE, RIGHT, TALL, WIDTH


def test_points_stand_at_their_place() -> None:
    """The middle of the axis is half its length right of the margin; 0.75 lies a quarter of the height below the top."""
    sample = with_details(facts(), curves=(curve(SYSTEMS[0]), curve(SYSTEMS[1])))
    markup = section(sample)
    left = 55  # 30 beside the words, of which 100% is the longest: 4 letters of 6.2 each, together 54.8
    wide, high = WIDTH - left - RIGHT, ABOVE + TALL / 4
    assert f"M{left}.0 {ABOVE + TALL}.0L{left + wide / 2:.1f} {high:.1f}L{left + wide}.0 {ABOVE}.0" in markup
    assert markup.count('class="series') == 4 and sample.settings[1].label in markup  # two lines, and each in the key
    assert "stroke-dasharray" in markup  # told apart in grey too
    assert section(facts()) == ""
