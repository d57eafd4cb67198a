"""Figures 1 to 3."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.papers.figures import panel
from heldout.papers.findings import Panel, PlotSeries
from heldout.papers.gunawardana2009.rules import popularity_by_rating, value
from heldout.papers.gunawardana2009.works import LENGTHS
from heldout.papers.paper import MeasuredTables
from heldout.papers.rules import plotted


def popularity(measured: MeasuredTables) -> tuple[Panel, ...]:
    """Mean number of ratings by mean rating."""
    x, y = popularity_by_rating(measured)
    series = PlotSeries(name="films", x=tuple(round(place, 2) for place in x), y=tuple(y))
    return (panel([series], x_label="mean rating", y_label="mean number of ratings"),)


def precision_recall(measured: MeasuredTables, systems: Sequence[str]) -> tuple[Panel, ...]:
    """Precision against recall at each length."""
    series = []
    for system in systems:
        recall, precision = ([plotted(value(measured, system, f"{m}@{n}")) for n in LENGTHS] for m in ("Recall", "P"))
        x = tuple(float("nan") if place is None else place for place in recall)
        series.append(PlotSeries(name=system, x=x, y=tuple(precision)))
    return (panel(series, x_label="recall", y_label="precision"),)
