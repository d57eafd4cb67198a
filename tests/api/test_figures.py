"""`results.figures`: figures by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reports.every_kind import KINDS, results_of

from heldout.errors import SpecError, UnknownNameError


def test_by_name_and_with_options() -> None:
    results = results_of("study")
    assert results.figures["critical-difference"].spec["$schema"].endswith("vega-lite/v6.json")
    assert results.figure("critical_difference", test="friedman").name == "critical-difference"
    assert results.figures.options("differences") == ["setting", "test"]
    assert "leaderboard" in results.figures and "leaderbord" not in results.figures
    assert results.figures.titles["leaderboard"] == results.figures["leaderboard"].title
    with pytest.raises(UnknownNameError) as error:
        results.figure("leaderbord")
    assert error.value.where == "figure" and error.value.near == ["leaderboard"]
    with pytest.raises(SpecError):
        _ = results.figure("settings", test="t").spec


@pytest.mark.parametrize("kind", KINDS)
def test_results_of_every_kind_have_figures(kind: str, tmp_path: Path) -> None:
    results = results_of(kind)
    first = next(iter(results.figures))
    results.figures[first].save(tmp_path / "first.svg")
    results.figures[first].save(tmp_path / "again.svg")
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "again.svg").read_bytes()
