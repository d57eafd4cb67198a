"""Figures of reproductions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.reports.reproduced import reproduced, without_data

from heldout.errors import NotApplicableError, UnknownNameError
from heldout.papers.findings import Panel, PlotSeries
from heldout.reports.plots.reproduction import drawn, plot


def test_figures_are_drawn_by_their_names() -> None:
    pytest.importorskip("matplotlib")
    assert drawn(reproduced()) == ["sample-2000/table-1", "sample-2000/fig-2"]
    figure = plot(reproduced(), "fig-2")
    assert len(figure.axes) == 3  # two panels, one of them with an axis on the right
    assert figure.axes[0].get_ylabel() == "P@3" and figure.axes[1].get_xscale() == "log"
    with pytest.raises(UnknownNameError, match="unknown figure 'fig-3'"):
        plot(reproduced(), "fig-3")
    nothing = replace(without_data(), papers=())
    with pytest.raises(NotApplicableError, match="no experiment"):
        plot(nothing, "fig-2")


def test_many_panels_stand_two_abreast_and_matrices_are_shades_with_numbers() -> None:
    pytest.importorskip("matplotlib")
    record = reproduced()
    first = record.papers[0].experiments[0]
    rows = tuple(PlotSeries(name=name, x=(0.0, 1.0), y=y) for name, y in (("P", (1.0, 0.25)), ("AP", (0.25, 1.0))))
    square = Panel(title="", x_label="metric", y_label="τ", series=rows, ticks=("P", "AP"), matrix=True)
    many = tuple(PlotSeries(name=str(k), x=(1.0, 2000.0), y=(0.1, 0.2)) for k in range(12))
    lines = Panel(title="", x_label="n", y_label="τ", series=many, log_x=True)
    alone = replace(lines, series=many[:1])
    paper = replace(record.papers[0], experiments=(replace(first, panels=(square, lines, alone)),))
    figure = plot(replace(record, papers=(paper,)), "table-1")
    heat, curves, single = figure.axes
    assert [text.get_text() for text in heat.texts] == ["1.00", "0.25", "0.25", "1.00"]
    assert len({line.get_color() for line in curves.get_lines()}) == 12
    assert [label.get_text() for label in curves.get_xticklabels()] == ["1", "2k"]
    assert curves.get_legend() is not None and single.get_legend() is None  # one series needs no name
    assert {axes.get_subplotspec().get_gridspec().ncols for axes in figure.axes} == {2}
