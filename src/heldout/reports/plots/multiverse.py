"""A multiverse's figures for papers by matplotlib: the specification curve and the map of rankings."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from heldout.errors import NotApplicableError, SpecError
from heldout.reports.multiverse_views import reach, shade, short_paper
from heldout.reports.plots.study import ACCENT, INK, SOFT, letters, new_figure
from heldout.universes.findings import MultiverseFindings, PairFindings
from heldout.words import counted, percent, shorten_all, signed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SECOND, NEITHER, PAPER = "#c2410c", "#b4bccb", "#0f766e"
PALETTE = ("#2558c4", "#b4430c", "#0f766e", "#7c3aed", "#8a6d00", "#9d174d", "#3f6212", "#475569", "#0369a1", "#a21caf")
SIZE, LABEL, WIDE = 7, 38, 7.2
"""Of the options' labels: points, and letters at most."""
_COLOURS = {1: ACCENT, 0: NEITHER, -1: SECOND}


def specification_plot(findings: MultiverseFindings, pair: int | tuple[str, str] | None = None) -> Figure:
    """The specification curve of one pair of systems, by its place or their names, with the choices marked below.

    Without a pair, it is the one that the page shows first, on which universes disagree most.
    """
    compared = _first_drawn(findings) if pair is None else findings.pairs[_place(findings, pair)]
    curve = compared.curve
    if not curve.sizes:
        raise NotApplicableError("no universe has a value of both systems", where="figure", hint="choose another pair")
    marks = [(name, set(columns)) for name, columns in curve.papers if columns]
    groups = [(findings.words(name), list(rows)) for name, rows in groupby(curve.rows, key=lambda row: row.decision)]
    narrow = letters(LABEL, WIDE) < 28  # then decisions are named above their options
    lines = len(curve.rows) + len(marks) + (1.6 if narrow else 0.6) * (len(groups) + 1)
    figure, above = new_figure(WIDE, 2.2 + 0.15 * lines)
    above.remove()
    above, below = figure.subplots(2, 1, height_ratios=(2.0, max(0.15 * lines, 0.4)), sharex=True)
    for axes in (above, below):
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0, labelsize=7, labelcolor=SOFT)
    columns = range(len(curve.sizes))
    above.bar(
        columns, [100 * v for v in curve.effect], width=1.0, color=[_COLOURS[curve.winner(c)] for c in columns], linewidth=0
    )
    above.axhline(0, color=SOFT, linewidth=0.8)
    low, high = reach(curve)
    above.set_ylim(100 * low, 100 * high)
    above.yaxis.set_major_formatter(lambda v, _: "equal" if v == 0 else f"{signed(v, 0)}%")
    above.grid(visible=False)
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.font_manager import FontProperties
    from matplotlib.patches import Patch
    from matplotlib.textpath import TextPath

    ramp = LinearSegmentedColormap.from_list("heldout", ["#ffffff", INK])

    names = shorten_all([compared.first, compared.second], letters(34, WIDE))
    words = (
        (ACCENT, f"{names[compared.first]} significantly better"),
        (NEITHER, "not significant"),
        (SECOND, f"{names[compared.second]} significantly better"),
    )
    handles = [Patch(color=c, label=w) for c, w in words]
    # Above the columns, which may fill any corner; long names below each other.
    side = 3 if sum(len(w) for _, w in words) <= letters(80, WIDE) else 1
    key = above.legend(
        handles=handles, frameon=False, fontsize=7, loc="lower left", ncols=side, borderaxespad=0.2, borderpad=0
    )
    key.set_bbox_to_anchor((0.0, 1.0))
    names = shorten_all([compared.first, compared.second], letters(20, WIDE))
    gap = "\n" if narrow else " "
    above.set_title(
        f"{names[compared.first]} against {names[compared.second]}:{gap}{counted(sum(curve.sizes), 'universe')}",
        loc="left",
        fontsize=10,
        pad=18 if side == 3 else 40,
    )
    at, ticks, labels = 0.0, [], []
    heads = []
    for words_, rows in groups:
        heads.append((at, words_))
        if narrow:
            ticks.append(at)
            labels.append(words_)
            at += 1
        shades = [[min(1.0, dark) for dark in shade(row, curve.sizes)] for row in rows]
        edges = (-0.5, len(curve.sizes) - 0.5, at + len(rows) - 0.5, at - 0.5)
        below.imshow(shades, cmap=ramp, vmin=0, vmax=1, aspect="auto", extent=edges, interpolation="nearest")
        ticks += [at + k for k in range(len(rows))]
        short = shorten_all([row.label for row in rows], letters(LABEL, WIDE))
        labels += [short[row.label] for row in rows]
        below.hlines([at + k + 0.5 for k in range(len(rows) - 1)], *edges[:2], color="white", linewidth=1)
        at += len(rows)
        at += 0.6
    for name, chosen in marks:
        below.plot(sorted(chosen), [at] * len(chosen), "|", color=PAPER, markersize=4)
        ticks.append(at)
        labels.append(short_paper(name))
        at += 1
    below.set_yticks(ticks, labels, fontsize=SIZE)
    for y, tick in zip(ticks, below.get_yticklabels(), strict=True):
        tick.set_fontweight("bold" if narrow and y in {y for y, _ in heads} else "normal")
    # Left of the widest label, in points, so that neither is printed on the other.
    heavy = FontProperties(weight="bold")
    room = max((TextPath((0, 0), label, size=SIZE).get_extents().width for label in labels), default=0.0) + 14
    room += max((TextPath((0, 0), words_, size=7, prop=heavy).get_extents().width for _, words_ in heads), default=0.0)
    for y, words_ in () if narrow else heads:
        where = {"xycoords": below.get_yaxis_transform(), "textcoords": "offset points", "annotation_clip": False}
        below.annotate(words_, (0, y), (-room, 0), fontsize=7, fontweight="bold", va="center", color=INK, **where)
    below.set_ylim(at - 0.4, -0.8)
    below.set_xticks([])
    below.grid(visible=False)
    below.set_xlim(-0.5, len(curve.sizes) - 0.5)
    return figure


def _first_drawn(findings: MultiverseFindings) -> PairFindings:
    """The pair on which universes disagree most, of those that have a curve."""
    return next((pair for pair in findings.contested if pair.curve.sizes), findings.pairs[0])


def _place(findings: MultiverseFindings, pair: int | tuple[str, str]) -> int:
    places = {frozenset((p.first, p.second)): k for k, p in enumerate(findings.pairs)}
    if isinstance(pair, int):
        if 0 <= pair < len(findings.pairs):
            return pair
        raise SpecError(f"there is no pair {pair}", where="figure", hint=f"pairs are 0 to {len(findings.pairs) - 1}")
    short = dict(zip(findings.systems, findings.names, strict=True))
    wanted = frozenset(short.get(name, name) for name in pair)
    if wanted not in places:
        hint = "pairs are " + ", ".join(f"{p.first} and {p.second}" for p in findings.pairs)
        raise SpecError(f"there is no pair of {' and '.join(pair)}", where="figure", hint=hint)
    return places[wanted]


def map_plot(findings: MultiverseFindings) -> Figure:
    """The rankings that universes give, near where alike, as large as frequent."""
    agreement = findings.agreement
    if len(agreement.points) < 2 or len(findings.systems) < 3:
        raise NotApplicableError("there is no map of fewer than two rankings of three systems", where="figure")
    figure, axes = new_figure(5.4, 4.6)
    most = max(p.universes for p in agreement.points)
    for level in sorted({p.level for p in agreement.points}):
        mine = [p for p in agreement.points if p.level == level]
        axes.scatter(
            [p.x for p in mine],
            [p.y for p in mine],
            s=[max(6.0, 240 * p.universes / most) for p in mine],
            color=PALETTE[level % len(PALETTE)],
            marker="osD^vP*Xph"[level % 10],
            alpha=0.8,
            linewidths=0.5,
            edgecolors="white",
            label=agreement.levels[level],
        )
    axes.set_aspect("equal", adjustable="datalim")
    axes.grid(visible=False)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_xlabel(f"{percent(agreement.axes[0])} of the spread across, {percent(agreement.axes[1])} up")
    key = axes.legend(
        title=findings.words(agreement.decision), frameon=False, fontsize=7, title_fontsize=8, loc="center left"
    )
    key.set_bbox_to_anchor((1.0, 0.5))
    handles: list[Any] = list(key.legend_handles)
    for handle in handles:
        handle.set_sizes([24.0])
    axes.set_title(f"{counted(agreement.distinct, 'ranking')} of {len(findings.systems)} systems", loc="left", fontsize=10)
    return figure
