"""Figures of papers: lines and bars from picked numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heldout.papers.findings import Panel, PlotSeries


def lines(names: Sequence[str], x: Sequence[float], y: Sequence[Sequence[float | None]]) -> tuple[PlotSeries, ...]:
    """A line for each name, all over the same places."""
    return tuple(
        PlotSeries(name=name, x=tuple(map(float, x)), y=tuple(values)) for name, values in zip(names, y, strict=True)
    )


def bars(names: Sequence[str], y: Sequence[Sequence[float | None]]) -> tuple[PlotSeries, ...]:
    """Bars for each name, one in each group."""
    return tuple(
        PlotSeries(name=name, x=tuple(map(float, range(len(values)))), y=tuple(values), form="bars")
        for name, values in zip(names, y, strict=True)
    )


def panel(series: Sequence[PlotSeries], *, y_label: str, title: str = "", x_label: str = "", **more: Any) -> Panel:
    """One panel of a figure."""
    return Panel(title=title, x_label=x_label, y_label=y_label, series=tuple(series), **more)
