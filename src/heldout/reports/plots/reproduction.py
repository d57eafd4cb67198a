"""Figures of papers drawn again in the paper's form, by matplotlib."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

from heldout.errors import NotApplicableError, UnknownNameError
from heldout.papers.record import BARS_WIDE, Panel, ReproductionRecord, bar_place
from heldout.reports.plots.multiverse import PALETTE
from heldout.reports.plots.study import SOFT, new_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKS = "os^Dv*Pph"


def drawn(record: ReproductionRecord) -> list[str]:
    """The figures that there are, as paper/experiment."""
    return [f"{experiment.paper}/{experiment.key}" for experiment in record.experiments if experiment.panels]


def plot(record: ReproductionRecord, key: str) -> Figure:
    """The figure of an experiment: "fig-2", or "canamares-2020/fig-2" where several papers have one."""
    names = drawn(record)
    if not names:
        raise NotApplicableError("no experiment that was run has a figure", where="plot")
    chosen = [name for name in names if key in (name, name.partition("/")[2])]
    if len(chosen) != 1:
        raise UnknownNameError("figure", key, names, where="plot")
    panels = next(e.panels for e in record.experiments if f"{e.paper}/{e.key}" == chosen[0])
    figure, axes = new_panels(4.6 * len(panels) + 0.4, 3.6, len(panels))
    for panel, where in zip(panels, axes, strict=True):
        _draw(where, panel)
    return figure


ACROSS = 60
"""About how many letters stand below a panel."""


def _draw(axes: Axes, panel: Panel) -> None:
    right = axes.twinx() if panel.right_label else None
    bars = [series.name for series in panel.series if series.form == "bars"]
    for k, series in enumerate(panel.series):
        where = right if series.right and right is not None else axes
        y = [float("nan") if value is None else value for value in series.y]
        colour, mark = PALETTE[k % len(PALETTE)], MARKS[k % len(MARKS)]
        if series.form == "bars":
            number = bars.index(series.name)
            x = [bar_place(int(group), number, len(bars)) for group in series.x]
            where.bar(x, y, width=0.92 * BARS_WIDE / len(bars), color=colour, label=series.name)
        elif series.form == "points":
            where.plot(series.x, y, "x", color=colour, label=series.name, markersize=5)
        else:
            style = "--" if series.form == "dashes" else "-"
            where.plot(series.x, y, style, marker=mark, color=colour, label=series.name, markersize=4, linewidth=1.4)
    if panel.log_x:
        axes.set_xscale("log")
        places = sorted({value for series in panel.series for value in series.x})
        axes.set_xticks(places, [f"{value:g}" for value in places])
        axes.minorticks_off()
    if panel.ticks:
        room = ACROSS // len(panel.ticks)
        axes.set_xticks(range(len(panel.ticks)), [fill(tick, max(room, 4), break_long_words=False) for tick in panel.ticks])
    axes.grid(visible=True, axis="y")
    axes.grid(visible=False, axis="x")
    if panel.title:
        axes.set_title(panel.title, pad=10 + 12 * -(-len(panel.series) // 3))
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(panel.y_label)
    handles, labels = axes.get_legend_handles_labels()
    if right is not None:
        right.set_ylabel(panel.right_label, fontsize=9, color=SOFT)
        right.grid(visible=False)
        more = right.get_legend_handles_labels()
        handles, labels = handles + more[0], labels + more[1]
        for spine in right.spines.values():
            spine.set_visible(False)
        right.tick_params(length=0, labelsize=9)
    columns = min(len(labels), 3)
    axes.legend(
        handles,
        labels,
        fontsize=7,
        frameon=False,
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        ncols=columns,
        borderaxespad=0.2,
    )
