"""The critical-difference diagram for papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heldout.analysis.findings import Findings
from heldout.errors import SpecError
from heldout.reports.axis import round_ticks
from heldout.reports.diagrams import LEAST_SYSTEMS, Diagram, diagrams
from heldout.reports.plots.study import ACCENT, INK, SOFT, labelled, letters, new_figure, titled
from heldout.words import number, shorten_all

if TYPE_CHECKING:
    from matplotlib.figure import Figure


WIDE, LETTER, NUMBER = 6.8, 0.068, 8
"""Inches of the figure and of a letter of its labels, and the letters that a place takes beside a name."""


def critical_difference_plot(findings: Findings, setting: int | None = None, test: str | None = None) -> Figure:
    """Systems along an axis, those that are not told apart joined by bars: by the study's own adjusted tests, or by the
    test of all systems at once that `test` names."""
    chosen = findings.setting(findings.primary if setting is None else setting)
    diagram = _diagram(findings, chosen.id, test)
    order = diagram.order
    digits = diagram.digits
    short = shorten_all([name for name, _ in order], max(10, letters(34, WIDE) - NUMBER))
    half = (len(order) + 1) // 2
    runs = diagram.groups
    figure, axes = new_figure(WIDE, 0.26 * half + 0.14 * len(runs) + 1.5)
    low, high = min(p for _, p in order), max(p for _, p in order)
    span = (high - low) or 1.0
    first, last = order[0][1], order[-1][1]
    toward = 1.0 if last >= first else -1.0
    axes.plot([low, high], [0, 0], color=INK, linewidth=1)
    drop = 0.45 + 0.28 * len(runs)
    for k, (name, place) in enumerate(order):
        left = k < half
        depth = drop + 0.6 * (k if left else len(order) - 1 - k)
        edge = (first if left else last) - (1 if left else -1) * toward * 0.06 * span
        axes.plot([place, place, edge], [0, -depth, -depth], color=SOFT, linewidth=0.9)
        axes.plot([place], [0], "o", color=ACCENT, markersize=4)
        axes.text(
            edge - (1 if left else -1) * toward * 0.015 * span,
            -depth,
            f"{short[name]}  {number(place, digits)}" if left else f"{number(place, digits)}  {short[name]}",
            ha="right" if left else "left",
            va="center",
            fontsize=8,
        )
    places = dict(order)
    for k, run in enumerate(runs):
        ends = [places[name] for name in run]
        y = -0.22 - 0.28 * k
        axes.plot([min(ends), max(ends)], [y, y], color=INK, linewidth=3, solid_capstyle="butt")
        axes.plot(ends, [y] * len(ends), "s", color=INK, markersize=4)
    if diagram.critical is not None:
        ruler = first + toward * diagram.critical
        axes.plot([first, ruler], [0.6, 0.6], color=INK, linewidth=1.2, marker="|", markersize=6)
        label = f"critical difference {number(diagram.critical, digits + 1)}"
        axes.text(ruler + toward * 0.02 * span, 0.6, label, fontsize=8, ha="left", va="center")
    axes.grid(visible=False)
    axes.set_ylim(-drop - 0.6 * half, 1.0)
    axes.set_yticks([])
    axes.set_xticks([])
    for tick, words in _apart([(t, w) for t, w in round_ticks(low, high) if low <= t <= high], span) or [(low, number(low))]:
        axes.plot([tick, tick], [0, 0.12], color=INK, linewidth=0.8)
        axes.text(tick, 0.2, words, fontsize=7, color=SOFT, ha="center", va="bottom")
    room = (
        LETTER * (max(map(len, short.values())) + NUMBER) / figure.get_size_inches()[0]
    )  # of the figure's width, each side
    axes.set_xlim(*sorted((low - span * room / (1 - 2 * room), high + span * room / (1 - 2 * room))))
    if toward < 0:
        axes.invert_xaxis()
    labelled(axes, diagram.caption, 8)
    titled(axes, chosen.label)
    return figure


def _apart(ticks: list[tuple[float, str]], span: float) -> list[tuple[float, str]]:
    """Every tick, or every second where they would touch."""
    return ticks[:: 2 if len(ticks) > 1 and (ticks[1][0] - ticks[0][0]) / span < 0.14 else 1]


def _diagram(findings: Findings, key: int, test: str | None) -> Diagram:
    drawn = [diagram for diagram in diagrams(findings, key) if test in (None, diagram.test)]
    if not drawn:
        raise SpecError(
            f"setting {key} has no critical-difference diagram" + (f" by {test}" if test else ""),
            hint=f"compare {LEAST_SYSTEMS} systems or more in all pairs, without a baseline, by a test that gives p-values",
        )
    return drawn[0]
