"""The critical-difference diagram as a figure."""

from __future__ import annotations

import pytest
from tests.reports.kept import facts_of, outcome_of

from heldout.errors import SpecError
from heldout.reports.plots.critical_difference import critical_difference_plot


@pytest.mark.parametrize("test", ["friedman", "tukey"])
def test_systems_stand_at_their_place_and_cliques_have_a_bar(test: str) -> None:
    sample = facts_of(outcome_of(), metrics="P@10", tests=[test])
    (layout,) = sample.layouts
    (axes,) = critical_difference_plot(sample).axes
    dots = sorted(float(line.get_xdata()[0]) for line in axes.lines if line.get_marker() == "o")
    assert dots == pytest.approx(sorted(layout.places.values()))
    bars = [line for line in axes.lines if line.get_linewidth() == 3]
    assert len(bars) == len(layout.cliques) >= 1
    assert layout.name in axes.get_xlabel().replace("\n", " ") and any(
        "critical difference" in t.get_text() for t in axes.texts
    )
    assert axes.xaxis_inverted() == (layout.scale == "mean")  # the best stands on the left


def test_the_study_s_own_tests_make_a_diagram_without_a_critical_difference() -> None:
    sample = facts_of(outcome_of(), metrics="P@10", tests=["t"])
    (axes,) = critical_difference_plot(sample).axes
    values = {row.system: row.value for row in sample.leaderboard}
    dots = sorted(float(line.get_xdata()[0]) for line in axes.lines if line.get_marker() == "o")
    assert dots == pytest.approx(sorted(values.values()))
    bars = [line for line in axes.lines if line.get_linewidth() == 3]
    assert [sorted(line.get_xdata()) for line in bars] == [sorted([values["Good"], values["Twin"]])]
    assert not any("critical difference" in text.get_text() for text in axes.texts)
    with pytest.raises(SpecError, match="no critical-difference diagram by friedman"):
        critical_difference_plot(sample, test="friedman")


def test_with_a_baseline_there_is_no_diagram() -> None:
    sample = facts_of(outcome_of(), metrics="P@10", tests=["t"], baseline="Poor")
    with pytest.raises(SpecError, match="no critical-difference diagram"):
        critical_difference_plot(sample)
