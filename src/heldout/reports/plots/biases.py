"""Figures of biases for papers, by matplotlib: systems under every protocol, expectations, and sweeps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from heldout.biases.findings import BiasFindings
from heldout.errors import NotApplicableError, UnknownNameError
from heldout.reports.bias_views import (
    SHARED,
    SWEEP_HEADS,
    curves_of,
    expectation_lines,
    protocol_lines,
    sweeps_drawn,
)
from heldout.reports.plots.metric_quality import MARKS
from heldout.reports.plots.multiverse import PALETTE
from heldout.reports.plots.study import COLUMN_WIDE, INK, SOFT, TEXT_WIDE, key_below, new_figure, titled
from heldout.words import percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HATCHES = ("", "///", "...", "xxx", "---", "\\\\\\", "|||", "ooo")


def protocols_plot(findings: BiasFindings) -> Figure:
    """Each system as a multiple of the best one under every protocol: what popularity gives goes down (Figure 8)."""
    lines = [line for line in protocol_lines(findings) if line.effect.role != "metric"]
    figure, axes = new_figure(TEXT_WIDE, 2.8)
    wide = 0.8 / len(findings.systems)
    for k, system in enumerate(findings.systems):
        places, heights, errors = [], [], []
        for at, line in enumerate(lines):
            row = line.values.get(system)
            best = max(value.value for value in line.values.values())
            if row is not None and best > 0:
                places.append(at + (k - (len(findings.systems) - 1) / 2) * wide)
                heights.append(row.value / best)
                errors.append(0.0 if math.isnan(row.high) else (row.high - row.value) / best)
        drawn: dict[str, Any] = {"color": PALETTE[k % len(PALETTE)], "label": system, "linewidth": 0}
        drawn |= {"hatch": HATCHES[k % len(HATCHES)], "edgecolor": "white"}  # told apart in grey too
        axes.bar(places, heights, wide * 0.92, yerr=errors, error_kw={"elinewidth": 0.7, "ecolor": INK}, **drawn)
    axes.set_xticks(range(len(lines)), [line.effect.protocol for line in lines], fontsize=8)
    axes.set_ylabel(f"{findings.metric} by that of the best")
    axes.grid(visible=False, axis="x")
    axes.grid(visible=True, axis="y")
    axes.set_axisbelow(True)
    key_below(figure, axes, 6)
    return figure


def expected_plot(findings: BiasFindings) -> Figure:
    """Measured precision against what was expected, of Random and Popularity under every protocol."""
    rows = expectation_lines(findings)
    if not rows:
        raise NotApplicableError("no expectations were worked out", where="figure")
    figure, axes = new_figure(COLUMN_WIDE, 1.0 + 0.17 * len(rows))
    for at, row in enumerate(reversed(rows)):
        if not math.isnan(row.lower):
            ends = [row.lower, row.upper]
            axes.plot(ends, [at, at], color=SOFT, linewidth=5, alpha=0.35, solid_capstyle="butt", label="bounds (eq. 2)")
        axes.plot([row.low, row.high], [at, at], color=PALETTE[0], linewidth=1)
        axes.plot([row.measured], [at], "o", color=PALETTE[0], markersize=3.5, label="measured, 95%")
        if not math.isnan(row.expected):
            axes.plot(
                [row.expected], [at], "D", color=PALETTE[1], markersize=5.5, markerfacecolor="none", label="closed form"
            )
        if not math.isnan(row.exact):
            axes.plot([row.exact], [at], "|", color=INK, markersize=9, markeredgewidth=1, label="given the split")
    axes.set_yticks(range(len(rows)), [f"{row.system}, {row.protocol}" for row in reversed(rows)], fontsize=7)
    axes.set_xlabel(findings.precision)
    axes.set_xlim(left=0)
    axes.grid(visible=True, axis="x")
    key_below(figure, axes, 2)
    return figure


def sweep_plot(findings: BiasFindings, sweep: str, protocol: str | None = None) -> Figure:
    """Curves of all systems over a sweep; bounds of 1R as bands."""
    protocols = [of for name, of in sweeps_drawn(findings) if name == sweep]
    if not protocols:
        raise NotApplicableError(f"the sweep {sweep} was not made", where="figure")
    if protocol is not None and protocol not in protocols:
        raise UnknownNameError(f"protocol of the sweep {sweep}", protocol, protocols, where="figure")
    shown = protocol or protocols[0]
    figure, axes = new_figure(COLUMN_WIDE, 3.0)
    for system, points in curves_of(findings, sweep, shown).items():
        k = findings.systems.index(system)
        x = [point.x for point in points]
        style: dict[str, Any] = {
            "color": PALETTE[k % len(PALETTE)],
            "marker": MARKS[k % len(MARKS)],
            "markersize": 3,
            "linewidth": 1.2,
        }
        axes.plot(x, [point.value for point in points], label=system, **style)
        if not any(math.isnan(point.lower) for point in points):
            low, high = [point.lower for point in points], [point.upper for point in points]
            axes.fill_between(x, low, high, color=PALETTE[k % len(PALETTE)], alpha=0.1, linewidth=0)
    if sweep in SHARED:
        axes.xaxis.set_major_formatter(lambda share, _: percent(share, 0))
    axes.set_xlabel(SWEEP_HEADS[sweep][1])
    axes.set_ylabel(findings.precision)
    axes.set_ylim(bottom=0)
    axes.grid(visible=True, axis="both")
    titled(axes, f"{SWEEP_HEADS[sweep][0]}: {shown}")
    key_below(figure, axes, 2)
    return figure
