"""Figures of protocols held against the truth, by matplotlib: how often each was right, and bias against standard error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heldout.biases.truth.findings import TruthFindings
from heldout.errors import NotApplicableError
from heldout.reports.label_places import beside_points
from heldout.reports.plots.multiverse import PALETTE
from heldout.reports.plots.study import COLUMN_WIDE, INK, SOFT, TEXT_WIDE, key_below, labelled, new_figure
from heldout.reports.truth_views import best_of_each, metrics, scaled
from heldout.words import percent, shorten_all

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKS = "osD^vP*Xph"
SMALLEST = 1e-3
"""Of the true value: smaller biases and errors are drawn there."""


def right_plot(findings: TruthFindings) -> Figure:
    """How often each protocol, by its best metric, chose the truly better system, with the 95 % interval."""
    rows = best_of_each(findings)
    figure, axes = new_figure(COLUMN_WIDE, 0.7 + 0.17 * len(rows))
    short = shorten_all([row.metric for row in rows], 12)
    for k, row in enumerate(rows):
        axes.plot([row.right_low, row.right_high], [k, k], color=SOFT, linewidth=1.2)
        sure = PALETTE[0] if row.right_low > 0.5 else PALETTE[1] if row.right_high < 0.5 else INK
        axes.plot([row.right], [k], "o", color=sure, markersize=4)
    axes.axvline(0.5, color=INK, linewidth=0.6, linestyle=":")
    axes.set_yticks(range(len(rows)), [f"{row.protocol}, {short[row.metric]}" for row in rows], fontsize=7)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, 1.02)
    axes.xaxis.set_major_formatter(lambda share, _: percent(share, 0))
    axes.set_xticks([0, 0.5, 1])
    labelled(axes, "pairs of systems ordered as the truth orders them", 8)
    return figure


def bias_plot(findings: TruthFindings) -> Figure:
    """Bias against standard error, both relative to the true value, of estimators on the scale of the truth."""
    rows = scaled(findings)
    if not rows:
        raise NotApplicableError("no estimator is on the scale of the truth", where="figure")
    from matplotlib.ticker import NullLocator

    figure, axes = new_figure(TEXT_WIDE, 4.4)
    points = [(row, max(SMALLEST, abs(row.bias) / row.truth), max(SMALLEST, row.error / row.truth)) for row in rows]
    for k, metric in enumerate(metrics(rows)):
        of = [(x, y) for row, x, y in points if row.metric == metric]
        x, y = ([point[axis] for point in of] for axis in (0, 1))
        axes.scatter(x, y, s=22, color=PALETTE[k % len(PALETTE)], marker=MARKS[k % len(MARKS)], label=metric, linewidths=0)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.margins(0.12)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda share, _: percent(share, 0 if share >= 0.01 else 1))
        axis.set_minor_locator(NullLocator())
    labelled(axes, "|bias| in shares of the true value")
    axes.set_ylabel("standard error in shares\nof the true value")
    axes.grid(visible=True, axis="both")
    key_below(figure, axes)
    figure.draw_without_rendering()
    colours = {metric: PALETTE[k % len(PALETTE)] for k, metric in enumerate(metrics(rows))}
    _name_points(axes, [(row.protocol, colours[row.metric], x, y) for row, x, y in points])
    return figure


def _name_points(axes: Axes, points: Sequence[tuple[str, str, float, float]]) -> None:
    """Names in the colours of their points, beside them; a line leads to names that had to move. In 72 dots to the inch."""
    figure = axes.get_figure(root=True)
    scale = 72 / figure.dpi  # type: ignore[union-attr]
    spots = [tuple(axes.transData.transform((x, y)) * scale) for _, _, x, y in points]
    widths = [4 + 4.6 * len(name) for name, _, _, _ in points]
    wide, tall = (72 * inches for inches in figure.get_size_inches())  # type: ignore[union-attr]
    places = beside_points(spots, widths, line=8, gap=5, top=tall, right=wide)
    for (name, colour, x, y), (spot, base), (left, height) in zip(points, spots, places, strict=True):
        line = {"arrowstyle": "-", "color": SOFT, "linewidth": 0.5, "shrinkA": 0, "shrinkB": 2} if height != base else None
        beside = left > spot
        axes.annotate(
            name,
            (x, y),
            (5 if beside else -5, height - base),
            textcoords="offset points",
            fontsize=7,
            color=colour,
            ha="left" if beside else "right",
            va="center",
            arrowprops=line,
        )
