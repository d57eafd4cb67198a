"""Curves of metrics that have one: on the page and as a figure."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.reports.sample import SYSTEMS, facts

from heldout.analysis.facts import CurveRow
from heldout.errors import NotApplicableError
from heldout.reports.page.curves import LEFT, SIZE, section
from heldout.reports.plots.curves import curve_plot
from heldout.reports.views import View


def curve(system: str) -> CurveRow:
    labels = {"x_label": "false positive rate", "y_label": "true positive rate"}
    return CurveRow(setting=1, system=system, **labels, x=(0.0, 0.5, 1.0), y=(0.0, 0.75, 1.0))


def test_points_stand_at_their_place() -> None:
    """The middle of the axis is half its length right of the margin; 0.75 lies a quarter of the height below the top."""
    sample = replace(facts(), curves=(curve(SYSTEMS[0]), curve(SYSTEMS[1])))
    markup = section(View(sample))
    assert f"M{LEFT}.0,{SIZE + 8}.0 L{LEFT + SIZE / 2:.1f},{SIZE / 4 + 8:.1f} L{LEFT + SIZE}.0,8.0" in markup
    assert markup.count("<li>") == 2 and sample.settings[1].label in markup
    assert section(View(facts())) == ""


def test_a_figure_has_a_line_for_each_system_and_one_for_chance() -> None:
    sample = replace(facts(), curves=(curve(SYSTEMS[0]), curve(SYSTEMS[1])))
    (axes,) = curve_plot(sample).axes
    assert [line.get_ydata().tolist() for line in axes.lines[:2]] == [[0.0, 0.75, 1.0]] * 2
    assert len(axes.lines) == 3 and axes.get_xlabel() == "false positive rate"
    with pytest.raises(NotApplicableError, match="no curve"):
        curve_plot(facts())
    with pytest.raises(NotApplicableError, match="no curve"):
        curve_plot(sample, 0)
