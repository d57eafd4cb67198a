"""Figures of biases."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.biases.sample import small_findings

from heldout.errors import HeldoutError
from heldout.reports.figures import BIASES, draw_figure
from heldout.reports.plots.study import save


@pytest.mark.parametrize("kind", [entry.name for entry in BIASES])
def test_every_figure_is_drawn(kind: str, tmp_path: Path) -> None:
    figure = draw_figure(BIASES, small_findings(), kind)
    save(figure, tmp_path / f"{kind}.svg")
    assert (tmp_path / f"{kind}.svg").read_text().rstrip().endswith("</svg>")


def test_curves_hold_the_values() -> None:
    findings = small_findings()
    axes = draw_figure(BIASES, findings, "classes").axes[0]
    drawn = {line.get_label(): list(line.get_ydata()) for line in axes.get_lines()}
    for system in findings.systems:
        points = [p for p in findings.curves if p.sweep == "classes" and p.system == system]
        assert drawn[system] == [p.value for p in sorted(points, key=lambda p: p.x)]


def test_what_there_is_no_figure_of_is_refused() -> None:
    with pytest.raises(HeldoutError, match="unknown figure 'protocol'; did you mean protocols"):
        draw_figure(BIASES, small_findings(), "protocol")
    with pytest.raises(HeldoutError, match="unknown protocol of the sweep removed"):
        draw_figure(BIASES, small_findings(), "removed", protocol="P1R")
