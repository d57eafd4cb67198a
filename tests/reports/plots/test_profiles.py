"""Figures of data sets."""

from __future__ import annotations

import pytest

import heldout as ho
from heldout.errors import NotApplicableError
from heldout.reports.plots.profiles import profile_plot
from heldout.reports.profile_views import data_facts

pytest.importorskip("matplotlib")
RATINGS = {"user": ["a", "a", "a", "b"], "item": ["x", "y", "z", "x"], "rating": [5, 3, 4, 5]}
FACTS = data_facts(ho.profile(RATINGS, ["min_ratings(user=2)"]).findings)


def test_bars_have_the_heights_of_the_profile() -> None:
    [axes] = profile_plot(FACTS, "values").axes
    assert [round(bar.get_height()) for bar in axes.patches] == [1, 1, 2, 1, 1, 1]
    assert axes.get_xlabel() == "rating" and axes.get_ylabel() == "ratings"


def test_lines_have_a_dash_of_their_own() -> None:
    [axes] = profile_plot(FACTS, "popularity").axes
    assert len({line.get_linestyle() for line in axes.lines}) == 2
    assert list(axes.lines[0].get_ydata())[-1] == 1.0


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(NotApplicableError, match="data-activity"):
        profile_plot(FACTS, "activity")
