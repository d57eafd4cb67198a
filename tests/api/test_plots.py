"""`results.plot`: figures by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reports.every_kind import KINDS, results_of

pytest.importorskip("matplotlib")


def test_by_call_and_by_attribute() -> None:
    plot = results_of("study").plot
    assert plot("critical-difference").axes and plot.critical_difference(width=7).get_size_inches()[0] == 7
    assert "critical_difference" in dir(plot) and "leaderboard" in list(plot)
    assert plot.titles["leaderboard"] == "Value and interval of each system"
    with pytest.raises(AttributeError, match="no figure is called leaderbord; did you mean leaderboard"):
        _ = plot.leaderbord


@pytest.mark.parametrize("kind", KINDS)
def test_results_of_every_kind_have_figures(kind: str, tmp_path: Path) -> None:
    results = results_of(kind)
    first = next(iter(results.plot))
    results.save_plot(tmp_path / "first.svg", first)
    results.plot.save(tmp_path / "again.svg", first)
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "again.svg").read_bytes()
