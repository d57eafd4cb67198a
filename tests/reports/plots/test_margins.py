"""Margins of the leader, drawn for papers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.reports.sample import facts
from tests.universes.grids import made

from heldout.errors import NotApplicableError
from heldout.reports.plots.margins import margin_curve_plot, margins_plot
from heldout.reports.views import margins
from heldout.universes.explored import explored_universes

pytest.importorskip("matplotlib")


def test_a_dot_stands_at_the_margin_of_each_setting() -> None:
    sample = facts()
    [axes] = margins_plot(sample).axes
    dots = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"]
    assert dots == sorted((held.margin for _, held in margins(sample)), reverse=True) and len(dots) > 1


def test_the_curve_is_sorted_and_coloured_by_the_winner() -> None:
    """Margins of −5 % and +5 %, all significant: half of the columns for either."""
    universes = made(
        {"target": ["AllItems", "TestRatings"], "cutoff": ["1", "5"]},
        lambda row: -0.05 if row["target"] == "TestRatings" else 0.05,
    )
    board = explored_universes(universes, level=0.05).explored
    [axes] = margin_curve_plot(board).axes
    ahead, behind = axes.collections
    tops = [np.abs(path.vertices[:, 1]).max() for path in (*ahead.get_paths(), *behind.get_paths())]
    assert len(ahead.get_paths()) == len(behind.get_paths()) == 2 and tops == pytest.approx([0.05] * 4)
    assert behind.get_hatch() and not ahead.get_hatch()
    assert "A wins 50.0%" in ahead.get_label()


def test_one_setting_has_no_margins_to_draw() -> None:
    sample = facts()
    one = replace(sample, settings=sample.settings[:1], verdict=replace(sample.verdict, rows=sample.verdict.rows[:1]))
    with pytest.raises(NotApplicableError):
        margins_plot(one)
    with pytest.raises(NotApplicableError):
        margin_curve_plot(explored_universes(made({}, lambda row: 0.05), level=0.05).explored)
