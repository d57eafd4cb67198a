"""Figures of papers drawn again in the paper's form, by matplotlib."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

from heldout.errors import NotApplicableError, UnknownNameError
from heldout.papers.findings import BARS_WIDE, Panel, PlotSeries, ReproductionFindings, bar_place
from heldout.reports.plots.metric_quality import heat
from heldout.reports.plots.multiverse import PALETTE
from heldout.reports.plots.study import SOFT, new_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKS = "os^Dv*Pph"
HATCHES = ("", "///", "...", "xxx", "---", "\\\\\\", "|||", "ooo")


def drawn(record: ReproductionFindings) -> list[str]:
    """The figures that there are, as paper/experiment."""
    return [f"{experiment.paper}/{experiment.key}" for experiment in record.experiments if experiment.panels]


def plot(record: ReproductionFindings, key: str) -> Figure:
    """The figure of an experiment: "fig-2", or "canamares-2020/fig-2" where several papers have one."""
    names = drawn(record)
    if not names:
        raise NotApplicableError("no experiment that was run has a figure", where="figure")
    chosen = [name for name in names if key in (name, name.partition("/")[2])]
    if len(chosen) != 1:
        raise UnknownNameError("figure", key, names, where="figure")
    panels = next(e.panels for e in record.experiments if f"{e.paper}/{e.key}" == chosen[0])
    across = min(len(panels), ABREAST)
    figure, axes = new_panels(4.6 * across + 0.4, 3.6, len(panels), across)
    for panel, where in zip(panels, axes, strict=True):
        _draw(where, panel)
    return figure


ABREAST = 2
"""Panels side by side, so that their words can be read on a page."""
NAME = 14
"""Letters of a name of which three stand above a panel."""
ACROSS = 60
"""About how many letters stand below a panel."""


def _numbers(series: PlotSeries) -> list[float]:
    return [float("nan") if value is None else value for value in series.y]


def _colours(count: int) -> list[str]:
    """A colour for each series; where there are more than the palette has, shades in their order."""
    if count <= len(PALETTE):
        return list(PALETTE[:count])
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    return [to_hex(colormaps["viridis"](0.92 * k / (count - 1))) for k in range(count)]


def _draw(axes: Axes, panel: Panel) -> None:
    if panel.matrix:
        heat(axes, panel.ticks, [_numbers(series) for series in panel.series])
        return
    right = axes.twinx() if panel.right_label else None
    colours = _colours(len(panel.series))
    longest = max(len(series.name) for series in panel.series)
    across = axes.get_figure(root=True).get_size_inches()[0] / axes.get_gridspec().ncols  # type: ignore[union-attr]
    fitting = max(
        1, int((across - (1.2 if panel.right_label else 0.7)) * 72 / (0.55 * 7 * (longest + 7)))
    )  # names of 7 points, with their marks
    columns = min(len(panel.series), 3 if longest <= NAME else 2, fitting)
    bars = [series.name for series in panel.series if series.form == "bars"]
    for k, series in enumerate(panel.series):
        where = right if series.right and right is not None else axes
        y, colour, mark = _numbers(series), colours[k], MARKS[k % len(MARKS)]
        if series.form == "bars":
            number = bars.index(series.name)
            x = [bar_place(int(group), number, len(bars)) for group in series.x]
            drawn: dict[str, Any] = {
                "color": colour,
                "hatch": HATCHES[number % len(HATCHES)],
                "edgecolor": "white",
                "linewidth": 0,
            }
            where.bar(x, y, width=0.92 * BARS_WIDE / len(bars), label=series.name, **drawn)
        elif series.form == "points":
            where.plot(series.x, y, "x", color=colour, label=series.name, markersize=5)
        else:
            style = "--" if series.form == "dashes" else "-"
            where.plot(series.x, y, style, marker=mark, color=colour, label=series.name, markersize=4, linewidth=1.4)
    if panel.log_x:
        axes.set_xscale("log")
        places = sorted({value for series in panel.series for value in series.x})
        axes.set_xticks(places, [f"{value:g}" if value < 1000 else f"{value / 1000:g}k" for value in places])
        axes.minorticks_off()
    if panel.ticks:
        room = ACROSS // len(panel.ticks)
        axes.set_xticks(range(len(panel.ticks)), [fill(tick, max(room, 4), break_long_words=False) for tick in panel.ticks])
    axes.grid(visible=True, axis="y")
    axes.grid(visible=False, axis="x")
    if panel.title:
        axes.set_title(panel.title, pad=10 + 12 * -(-len(panel.series) // columns))
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
    if len(labels) == 1:
        return
    axes.legend(
        handles,
        labels,
        fontsize=8,
        frameon=False,
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        ncols=columns,
        borderaxespad=0.2,
    )
