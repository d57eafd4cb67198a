"""Figures of protocols held against the truth, by matplotlib: how often each was right, and bias against standard error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heldout.biases.truth.findings import TruthFindings
from heldout.errors import NotApplicableError, UnknownNameError
from heldout.reports.plots.multiverse import PALETTE
from heldout.reports.plots.study import INK, SOFT, new_figure
from heldout.reports.truth_views import best_of_each, metrics, scaled
from heldout.words import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKS = "osD^vP*Xph"
SMALLEST = 1e-3
"""Of the true value: smaller biases and errors are drawn there."""


def plot(findings: TruthFindings, kind: str = "right") -> Figure:
    """One figure: "right" or "bias"."""
    if kind not in PLOTS:
        raise UnknownNameError("plot", kind, PLOTS, where="plot")
    return PLOTS[kind](findings)


def right_plot(findings: TruthFindings) -> Figure:
    """How often each protocol, by its best metric, chose the truly better system, with the 95 % interval."""
    rows = best_of_each(findings)
    figure, axes = new_figure(6.4, 0.6 + 0.24 * len(rows))
    for k, row in enumerate(rows):
        axes.plot([row.right_low, row.right_high], [k, k], color=SOFT, linewidth=1.2)
        sure = PALETTE[0] if row.right_low > 0.5 else PALETTE[1] if row.right_high < 0.5 else INK
        axes.plot([row.right], [k], "o", color=sure, markersize=4)
    axes.axvline(0.5, color=INK, linewidth=0.6, linestyle=":")
    axes.set_yticks(range(len(rows)), [f"{row.protocol}, {row.metric}" for row in rows], fontsize=7)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, 1.02)
    axes.xaxis.set_major_formatter(lambda share, _: percent(share, 0))
    axes.set_xlabel("pairs of systems ordered as the truth orders them")
    return figure


def bias_plot(findings: TruthFindings) -> Figure:
    """Bias against standard error, both relative to the true value, of estimators on the scale of the truth."""
    rows = scaled(findings)
    if not rows:
        raise NotApplicableError("no estimator is on the scale of the truth", where="plot")
    figure, axes = new_figure(6.4, 4.4)
    points = [(row, max(SMALLEST, abs(row.bias) / row.truth), max(SMALLEST, row.error / row.truth)) for row in rows]
    for k, metric in enumerate(metrics(rows)):
        of = [(x, y) for row, x, y in points if row.metric == metric]
        x, y = ([point[axis] for point in of] for axis in (0, 1))
        axes.scatter(x, y, s=22, color=PALETTE[k % len(PALETTE)], marker=MARKS[k % len(MARKS)], label=metric, linewidths=0)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.margins(0.12)
    axes.set_xlabel("|bias| ÷ true value")
    axes.set_ylabel("standard error ÷ true value")
    axes.grid(visible=True, axis="both")
    axes.legend(fontsize=7, frameon=False, loc="best")
    figure.draw_without_rendering()
    _name_points(axes, [(row.protocol, x, y) for row, x, y in points])
    return figure


def _name_points(axes: Axes, points: Sequence[tuple[str, float, float]]) -> None:
    """Names beside their points, moved up or down where another stands; figures are 72 dots to the inch for this."""
    taken: list[tuple[float, float, float]] = []
    scale = 72 / axes.get_figure(root=True).dpi  # type: ignore[union-attr]
    for name, x, y in points:
        left, base = axes.transData.transform((x, y)) * scale
        width = 3.6 * len(name)
        steps = [7.0 * step * sign for step in range(20) for sign in (1, -1)]
        shift = next(
            s for s in steps if not any(abs(base + s - h) < 7 and left < r and b < left + width for b, h, r in taken)
        )
        taken.append((left, base + shift, left + width))
        axes.annotate(name, (x, y), (5, shift - 2), textcoords="offset points", fontsize=6)


PLOTS = {"right": right_plot, "bias": bias_plot}
