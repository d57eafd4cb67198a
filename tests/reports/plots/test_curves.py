"""Figures of curves."""

from __future__ import annotations

import pytest
from tests.reports.curves import curve
from tests.reports.sample import SYSTEMS, facts, with_details

from heldout.errors import NotApplicableError
from heldout.reports.plots.curves import curve_plot


def test_a_figure_has_a_line_for_each_system_and_one_for_chance() -> None:
    sample = with_details(facts(), curves=(curve(SYSTEMS[0]), curve(SYSTEMS[1])))
    (axes,) = curve_plot(sample).axes
    assert [line.get_ydata().tolist() for line in axes.lines[:2]] == [[0.0, 0.75, 1.0]] * 2
    assert len(axes.lines) == 3 and axes.get_xlabel() == "false positive rate"
    with pytest.raises(NotApplicableError, match="no curve"):
        curve_plot(facts())
    with pytest.raises(NotApplicableError, match="no curve"):
        curve_plot(sample, 0)
