"""Pictures of the primary setting for papers: pairs, users who gain and lose, groups, curves, trade-offs, popularity."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from heldout.analysis.details import CurveRow, GroupValues
from heldout.analysis.findings import Findings
from heldout.analysis.overview import TradeOff, cost_and_quality, trade_offs
from heldout.errors import NotApplicableError, SpecError
from heldout.reports.captions import correction_note
from heldout.reports.label_places import beside_points
from heldout.reports.picture_views import board_order, drawn_systems, figure_of, gains_sentence
from heldout.reports.plots.study import ACCENT, COLUMN_WIDE, INK, SOFT, key_below, labelled, new_figure, new_panels, titled
from heldout.words import count, percent, shorten_all, signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#1f5fa8", "#b84a0c", "#0f766e", "#7c3aed", "#8a6d00", "#a3285b", "#3f6212", "#57606f")
MARKS = "osD^vPX*"
DASHES = ("-", "--", ":", "-.")
"""Beside its colour, each system has a mark and dashes of its own."""
SHADES = ("#2558c4", "#7f9edf", "#d3def6", "#ffffff")
"""Popularity classes from the head to cold items."""


def pairwise_matrix_plot(findings: Findings, setting: int | None = None, test: str | None = None) -> Figure:
    """Differences of all pairs above the diagonal, shaded where significant, with the effect; adjusted p below it."""
    from heldout.words import p_number

    chosen = findings.setting(findings.primary if setting is None else setting)
    order = [row.system for row in findings.board(chosen.id)]
    test = test or findings.deciding_test(chosen.id)
    pairs = {} if test is None else {(p.a, p.b): p for p in findings.pairs(chosen.id, test)}
    if not pairs or len(order) < 2:
        raise SpecError(f"setting {chosen.id} has no tested pairs", hint=f"its tests: {findings.tests(chosen.id) or 'none'}")
    n, digits = len(order), findings.digits(chosen.id)
    figure, axes = new_figure(1.6 + 0.72 * n, 0.9 + 0.42 * n)
    short = shorten_all(order, 18)
    for i, row in enumerate(order):
        for j, column in enumerate(order):
            pair = pairs.get((row, column) if i < j else (column, row))
            if pair is None:
                continue
            if i < j:
                apart = pair.significant(findings.level)
                if apart:
                    axes.fill([j - 0.5, j + 0.5, j + 0.5, j - 0.5], [i - 0.5, i - 0.5, i + 0.5, i + 0.5], color="#e8effc")
                words = signed(pair.difference, digits) + ("*" if apart else "")
                words += "" if pair.effect is None else f"\nd {signed(pair.effect, 2)}"
                axes.text(j, i, words, ha="center", va="center", fontsize=7, fontweight="bold" if apart else "normal")
            else:
                axes.text(j, i, p_number(pair.p_adjusted), ha="center", va="center", fontsize=7, color=SOFT)
    axes.set_xticks(range(n), [str(k + 1) for k in range(n)])
    axes.set_yticks(range(n), [f"{k + 1} {short[name]}" for k, name in enumerate(order)])
    axes.set_xlim(-0.5, n - 0.5)
    axes.set_ylim(n - 0.5, -0.5)
    axes.xaxis.tick_top()
    axes.grid(visible=False)
    first = next(iter(pairs.values()))
    labelled(
        axes, f"row − column in {chosen.metric}, * p < {findings.level:g}; below p of {test}, {correction_note(first)}", 7
    )
    titled(axes, chosen.label)
    return figure


def user_differences_plot(findings: Findings) -> Figure:
    """Users from the largest gain to the largest loss by the leader against its strongest rival."""
    pair = findings.pictures.differences
    if pair is None:
        raise _lacking(findings, "user-differences")
    figure, axes = new_figure(COLUMN_WIDE, 2.4)
    step = pair.users / max(1, len(pair.curve) - 1)
    across = [k * step for k in range(len(pair.curve))]
    axes.fill_between(across, [max(v, 0.0) for v in pair.curve], color=ACCENT, linewidth=0)
    axes.fill_between(
        across, [min(v, 0.0) for v in pair.curve], color="#d98a5b", linewidth=0, hatch="////", edgecolor="white"
    )
    axes.axhline(0, color=INK, linewidth=0.6)
    short = shorten_all([pair.a, pair.b], 22)
    axes.text(
        0.98,
        0.96,
        f"{count(pair.wins)} better with {short[pair.a]}",
        transform=axes.transAxes,
        ha="right",
        va="top",
        fontsize=8,
    )
    axes.text(
        0.02, 0.04, f"{count(pair.losses)} better with {short[pair.b]}", transform=axes.transAxes, va="bottom", fontsize=8
    )
    axes.set_ylabel(f"{pair.metric}, difference", fontsize=8)
    axes.tick_params(labelsize=8)
    labelled(axes, f"users. {gains_sentence(pair)}", 7)
    return figure


def groups_plot(findings: Findings, name: str) -> Figure:
    """Values of systems on groups of users, or with groups of items; columns of a table have a panel each."""
    shown = [groups for groups in findings.pictures.groups if figure_of(groups.by) == name]
    if not shown:
        raise _lacking(findings, name)
    figure, panels = new_panels(COLUMN_WIDE * len(shown), 2.9, len(shown))
    systems = drawn_systems(findings, shown[0].systems)
    for axes, groups in zip(panels, shown, strict=True):
        for place, (system, series) in enumerate(systems.items()):
            _draw_group(axes, groups, system, series, 0.05 * (place - (len(systems) - 1) / 2))
        _name_groups(axes, groups)
    key_below(figure, panels[0], 2 * len(shown))
    return figure


def _name_groups(axes: Axes, groups: GroupValues) -> None:
    """The groups with their users, below the axis; turned where they are many."""
    short = shorten_all(groups.groups, 12)
    many = len(groups.groups) > 5
    labels = [f"{short[g]}{' ' if many else chr(10)}({count(n)})" for g, n in zip(groups.groups, groups.users, strict=True)]
    axes.set_xticks(range(len(labels)), labels, fontsize=7, rotation=40 if many else 0, ha="right" if many else "center")
    axes.set_ylim(bottom=0 if axes.get_ylim()[0] < 0.05 else None)
    axes.set_ylabel(groups.metric, fontsize=8)
    axes.tick_params(axis="y", labelsize=7)
    axes.grid(visible=False, axis="x")
    axes.grid(axis="y")
    labelled(axes, f"{groups.title} (users)", 7)


def _draw_group(axes: Axes, groups: GroupValues, system: str, series: int, shift: float) -> None:
    own = groups.systems.index(system)
    points = [(k, v) for k, v in enumerate(groups.values[own]) if v is not None]
    shift = shift if groups.low else 0.0
    colour = COLOURS[series % len(COLOURS)]
    if groups.low:
        for k, (low, high) in enumerate(zip(groups.low[own], groups.high[own], strict=True)):
            if low is not None and high is not None:
                axes.plot([k + shift] * 2, [low, high], color=colour, linewidth=0.8, alpha=0.6)
    axes.plot(
        [k + shift for k, _ in points],
        [v for _, v in points],
        color=colour,
        marker=MARKS[series % len(MARKS)],
        markersize=4,
        linewidth=1.1,
        linestyle=DASHES[series % len(DASHES)] if groups.ordered else "",
        label=shorten_all(groups.systems, 24)[system],
    )


def precision_recall_plot(findings: Findings) -> Figure:
    """Users' mean precision against their mean recall at each depth."""
    return _operating(findings, findings.pictures.precision_recall, "precision-recall")


def roc_plot(findings: Findings) -> Figure:
    """Users' mean true against their mean false positive rates at each depth."""
    figure = _operating(findings, findings.pictures.roc, "roc")
    figure.axes[0].plot([0, 1], [0, 1], color="0.6", linewidth=0.7)
    return figure


def _operating(findings: Findings, curves: tuple[CurveRow, ...], name: str) -> Figure:
    if not curves:
        raise _lacking(findings, name)
    figure, axes = new_figure(COLUMN_WIDE, 3.2)
    by_system = {row.system: row for row in curves}
    short = shorten_all(list(by_system), 24)
    for system, series in drawn_systems(findings, list(by_system)).items():
        row = by_system[system]
        style = {"color": COLOURS[series % len(COLOURS)], "linestyle": DASHES[series % len(DASHES)], "linewidth": 1.3}
        axes.plot(row.x, row.y, label=short[system], **style)  # type: ignore[arg-type]
    axes.set_xlabel(curves[0].x_label, fontsize=8)
    axes.set_ylabel(curves[0].y_label, fontsize=8)
    axes.tick_params(labelsize=7)
    axes.grid(axis="both")
    key_below(figure, axes, 2)
    return figure


def accuracy_beyond_plot(findings: Findings) -> Figure:
    """The first metric against each metric beyond accuracy, a point for each system."""
    pairs = trade_offs(findings)
    if not pairs:
        raise SpecError(
            "no metric beyond accuracy was measured", where="figure", hint="add Novelty@10, ILD@10 or ItemCoverage@10"
        )
    figure, panels = new_panels(COLUMN_WIDE * len(pairs) * 0.9, 2.7, len(pairs))
    for axes, pair in zip(panels, pairs, strict=True):
        _scatter(axes, findings, pair)
    return figure


def cost_quality_plot(findings: Findings) -> Figure:
    """The first metric against seconds of fitting and scoring, by powers of ten."""
    pair = cost_and_quality(findings)
    if pair is None:
        raise NotApplicableError("no seconds of fits were measured", where="figure", hint="load the folder of a run")
    figure, axes = new_figure(COLUMN_WIDE, 2.7)
    logs = tuple((name, math.log10(max(x, 1e-3)), y) for name, x, y in pair.points)
    _scatter(axes, findings, replace(pair, points=logs))
    low, high = math.floor(min(x for _, x, _ in logs)), math.ceil(max(x for _, x, _ in logs))
    ticks = range(low, max(high, low + 1) + 1)
    room = (axes.get_xlim()[0], axes.get_xlim()[1])
    axes.set_xticks(
        [t for t in ticks if room[0] <= t <= room[1]], [f"{10.0**t:g} s" for t in ticks if room[0] <= t <= room[1]]
    )
    axes.set_xlabel("seconds of fitting and scoring", fontsize=8)
    return figure


def _scatter(axes: Axes, findings: Findings, pair: TradeOff) -> None:
    """A point for each system, named beside it."""
    series = drawn_systems(findings, [name for name, _, _ in pair.points])
    short = shorten_all([name for name, _, _ in pair.points], 20)
    low, high = min(x for _, x, _ in pair.points), max(x for _, x, _ in pair.points)
    bottom, top = min(y for _, _, y in pair.points), max(y for _, _, y in pair.points)
    wide, tall = (high - low) or 1.0, (top - bottom) or 1.0
    spots = [(0.1 + 0.8 * (x - low) / wide, 0.1 + 0.8 * (y - bottom) / tall) for _, x, y in pair.points]
    widths = [0.036 * len(short[name]) for name, _, _ in pair.points]
    places = beside_points(spots, widths, line=0.06, gap=0.035, top=1.0, right=1.0)
    axes.set_xlim(low - wide / 8, high + wide / 8)
    axes.set_ylim(bottom - tall / 8, top + tall / 8)
    for (name, x, y), (left, height), (px, py) in zip(pair.points, places, spots, strict=True):
        number = series.get(name, 0)
        axes.plot([x], [y], MARKS[number % len(MARKS)], color=COLOURS[number % len(COLOURS)], markersize=5)
        end = left + widths[[n for n, _, _ in pair.points].index(name)] if left < px else left
        side = "right" if left < px else "left"
        if abs(height - py) > 0.02:
            axes.plot([px, end], [py, height], color=SOFT, linewidth=0.5, transform=axes.transAxes)
        axes.text(end, height, short[name], transform=axes.transAxes, ha=side, va="center", fontsize=7)
    axes.set_xlabel(pair.across.name, fontsize=8)
    axes.set_ylabel(pair.up.name, fontsize=8)
    axes.tick_params(labelsize=7)
    axes.grid(axis="both")


def recommended_popularity_plot(findings: Findings) -> Figure:
    """Shares of popularity classes in what systems recommend, beside test ratings, training ratings and catalogue."""
    shares = findings.pictures.popularity
    if shares is None:
        raise _lacking(findings, "recommended-popularity")
    entries = board_order(findings, shares)
    figure, axes = new_figure(COLUMN_WIDE, 0.24 * len(entries) + 1.0)
    short = shorten_all([name for name, _ in entries], 22)
    heights = [k + (0.4 if k >= shares.systems else 0.0) for k in range(len(entries))]
    start = [0.0] * len(entries)
    for k, name in enumerate(shares.classes):
        own = [of_name[k] for _, of_name in entries]
        axes.barh(heights, own, 0.72, left=start, color=SHADES[k % len(SHADES)], edgecolor=INK, linewidth=0.4, label=name)
        for y, left, share in zip(heights, start, own, strict=True):
            if share > 0.14:
                ink = "white" if k == 0 else INK
                axes.text(left + share / 2, y, percent(share, 0), ha="center", va="center", fontsize=7, color=ink)
        start = [left + share for left, share in zip(start, own, strict=True)]
    axes.set_yticks(heights, [short[name] for name, _ in entries], fontsize=7)
    axes.invert_yaxis()
    axes.set_xticks([])
    axes.set_xlim(0, 1)
    axes.grid(visible=False)
    labelled(axes, f"share of the top {shares.n}", 7)
    key_below(figure, axes, 4)
    return figure


def _lacking(findings: Findings, name: str) -> NotApplicableError:
    why = findings.pictures.absent.get(name, "what it is drawn from was not kept")
    return NotApplicableError(f"these results have no {name}: {why}", where="figure")
