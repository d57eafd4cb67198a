"""Margins of the leader for papers: over its strongest rival in each setting, and in all settings or universes, sorted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from heldout.analysis.explored import Switchboard
from heldout.analysis.findings import Findings
from heldout.errors import NotApplicableError
from heldout.reports.plots.study import (
    ACCENT,
    COLUMN_WIDE,
    SOFT,
    key_below,
    label_rows,
    labelled,
    letters,
    new_figure,
    titled,
)
from heldout.reports.views import margins, margins_drawn
from heldout.words import percent, shorten_all, shorten_labels, signed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OUTCOMES = ((1, ACCENT, None), (0, "#b4bccb", None), (-1, "#c2410c", "//////"))
"""Outcome for the system, its colour and its hatching, which tells the last from the first in grey."""


def margins_plot(findings: Findings) -> Figure:
    """Each setting's margin as a dot on a line from 0, filled where it is significant; the largest on top."""
    if not margins_drawn(findings):
        raise NotApplicableError("there are no margins of several settings to draw", hint="heldout report --list")
    rows = sorted(margins(findings), key=lambda entry: entry[1].margin or 0.0, reverse=True)
    figure, axes = new_figure(6.4, 0.3 * len(rows) + 1.3)
    axes.axvline(0, color=SOFT, linewidth=1)
    for y, (row, held) in enumerate(rows):
        fill = ACCENT if row.significant else "white"
        axes.plot([0, held.margin or 0.0], [y, y], color=ACCENT, alpha=0.45, linewidth=2)
        axes.plot([held.margin or 0.0], [y], "o", color=ACCENT, markersize=6, markeredgewidth=1.5, markerfacecolor=fill)
    labels = shorten_labels([findings.setting(row.setting).label for row, _ in rows], letters(44, 6.4))
    label_rows(axes, labels)
    axes.xaxis.set_major_formatter(lambda share, _: f"{signed(100 * share, 0)}%" if share else "0")
    leader = findings.leader(findings.primary) or ""
    own = f"each setting's leader over {findings.baseline}" if findings.baseline else f"{leader} over its strongest rival"
    labelled(axes, f"margin of {own}, as a share of the mean of both; filled: p < {findings.level:g}")
    titled(axes, "Margin in each setting")
    return figure


def margin_curve_plot(board: Switchboard) -> Figure:
    """All settings or universes from where the reference is furthest behind the best other system to furthest ahead."""
    from matplotlib.collections import PolyCollection

    if not board.has_curve:
        raise NotApplicableError("there is one setting alone, or nothing to compare", hint="heldout report --list")
    finite = np.flatnonzero(np.isfinite(board.margin))
    order = finite[np.argsort(board.margin[finite], kind="stable")]
    margin, outcome = board.margin[order], board.verdict_of_reference[order]
    figure, axes = new_figure(COLUMN_WIDE, 2.4)
    name = board.systems[board.reference]
    short = shorten_all([name], letters(24, COLUMN_WIDE))[name]
    words = {1: f"{short} wins", 0: "no significant winner", -1: "another wins"}
    for side, colour, hatch in OUTCOMES:
        at = np.flatnonzero(outcome == side)
        if len(at):
            boxes = [[(k, 0.0), (k, margin[k]), (k + 1, margin[k]), (k + 1, 0.0)] for k in at]
            share = percent(len(at) / len(order))
            bars = PolyCollection(boxes, facecolor=colour, hatch=hatch, linewidth=0, label=f"{words[side]} {share}")
            bars.set_edgecolor("white")
            axes.add_collection(bars)
    axes.axhline(0, color=SOFT, linewidth=0.8)
    axes.set_xlim(0, len(order))
    reach = max(abs(float(margin[0])), abs(float(margin[-1])), 1e-9)
    axes.set_ylim(-1.05 * reach, 1.05 * reach)
    axes.set_xticks([])
    axes.yaxis.set_major_formatter(lambda share, _: f"{signed(100 * share, 1)}%" if share else "0")
    axes.tick_params(labelsize=7)
    axes.grid(visible=True, axis="y")
    labelled(axes, f"all {len(order):,} {board.noun}s, sorted", 7)
    axes.set_ylabel("ahead of the best other system", fontsize=7)
    titled(axes, f"Where {short} stands")
    key_below(figure, axes, 1)
    return figure
