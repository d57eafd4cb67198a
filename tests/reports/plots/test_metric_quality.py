"""Figures of a trial of metrics for papers."""

from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.figure import Figure
from tests.metric_quality.sample import small_trial
from tests.reports.metric_trial import trial

from heldout.errors import NotApplicableError, SpecError, UnknownNameError
from heldout.metric_quality.findings import MetricFindings
from heldout.reports.figures import METRIC_QUALITY, draw_figure
from heldout.reports.plots.study import save


def plot(of: MetricFindings, kind: str, at: int | str | None = None) -> Figure:
    return draw_figure(METRIC_QUALITY, of, kind, at=at)


@pytest.mark.parametrize("kind", [entry.name for entry in METRIC_QUALITY])
def test_the_same_bytes_each_time(kind: str, tmp_path: Path) -> None:
    first, second = (save(plot(trial(), kind), tmp_path / f"{k}.svg").read_bytes() for k in (1, 2))
    assert first == second
    assert save(plot(small_trial(), kind), tmp_path / "real.pdf").read_bytes().startswith(b"%PDF")


def texts(kind: str, at: int | str | None = None) -> set[str]:
    figure = plot(trial(), kind, at)
    drawn = [text.get_text() for axes in figure.axes for text in axes.texts]
    labels = [label for axes in figure.axes for label in axes.get_legend_handles_labels()[1]]
    ticks = [label.get_text() for axes in figure.axes for label in axes.get_yticklabels()]
    return {*drawn, *labels, *ticks}


def test_what_is_named() -> None:
    assert texts("front") >= {"nDCG@10", "P@10"}  # nothing beats them
    assert "nDCG@5" not in texts("front")
    assert texts("missing") >= {"P", "nDCG"}
    assert texts("missing", "nDCG") >= {"nDCG@5", "nDCG@10"}
    assert texts("agreement") >= {"P", "nDCG", "0.67", "1.00"}
    assert texts("depths", "nDCG") >= {"5", "10", "0.67"}


def test_lines_are_those_of_the_trial() -> None:
    (axes,) = plot(trial(), "missing", 5).axes
    lines = {line.get_label(): list(line.get_ydata()) for line in axes.lines}
    assert lines["P"] == [1.0, 0.9, 0.9]
    (axes,) = plot(trial(), "power").axes
    assert list(axes.lines[0].get_ydata()) == [0.0001, 0.01, 0.1, 0.6]  # from the third pair on
    tree = plot(trial(), "agreement").axes[1]
    assert len(tree.lines) == 2


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="figure"):
        plot(trial(), "pie")
    with pytest.raises(UnknownNameError):
        plot(trial(), "missing", "AP")
    with pytest.raises(SpecError, match="no metric has the depth 7"):
        plot(trial(), "power", 7)
    with pytest.raises(NotApplicableError):
        plot(trial(between_depths=()), "depths")
    with pytest.raises(NotApplicableError):
        plot(trial(between_metrics=()), "agreement")
