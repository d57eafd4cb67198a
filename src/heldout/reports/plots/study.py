"""Figures for papers by matplotlib: leaderboard with intervals, differences between systems, settings as a heat map."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from heldout.analysis.findings import Findings
from heldout.errors import MissingExtraError, SpecError
from heldout.reports.captions import correction_note, uncalled_note
from heldout.words import number, shorten_all, shorten_labels, signed
from heldout.writing import write_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, SOFT, _LINE, ACCENT, _TINT = "#1b2330", "#5a6473", "#e1e5ea", "#2558c4", "#e8effc"
_STYLE = {
    "font.size": 9,
    "axes.edgecolor": _LINE,
    "axes.labelcolor": SOFT,
    "text.color": INK,
    "xtick.color": SOFT,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.spines.bottom": False,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "axes.grid": True,
    "axes.grid.axis": "x",
    "grid.color": _LINE,
    "grid.linewidth": 0.8,
    "axes.axisbelow": True,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
}
COLUMN_WIDE, TEXT_WIDE = 3.4, 7.0
"""Inches: one column of a paper of two columns, and both."""
_SUFFIXES = (".pdf", ".svg", ".png")
_NARROWEST, _WIDEST, _PANEL = 2.0, 30.0, 2.6
_WIDTH: ContextVar[float | None] = ContextVar("width", default=None)
"""The width that figures are drawn at; their own where there is none."""


def leaderboard_plot(findings: Findings, setting: int | None = None) -> Figure:
    """Each system's value as a dot with its interval, best on top."""
    chosen = findings.setting(findings.primary if setting is None else setting)
    rows = [(row.system, row.value, row.low, row.high) for row in findings.board(chosen.id) if row.value is not None]
    if not rows:
        raise SpecError(f"setting {chosen.id} has no values to plot")
    figure, axes = new_figure(6.4, 0.32 * len(rows) + 1.1)
    short = shorten_all([r[0] for r in rows], letters(34, 6.4))
    for y, (_, value, low, high) in enumerate(rows):
        if low is not None and high is not None:
            axes.plot([low, high], [y, y], color=ACCENT, alpha=0.55, linewidth=2.2, solid_capstyle="round")
        axes.plot([value], [y], "o", color=ACCENT, markersize=6)
    label_rows(axes, [short[r[0]] for r in rows])
    labelled(axes, chosen.metric + ("" if chosen.higher_is_better else " (lower is better)"))
    titled(axes, chosen.label)
    return figure


def difference_plot(findings: Findings, setting: int | None = None, test: str | None = None) -> Figure:
    """The leader against each other system, or each system against the baseline: difference, interval, and hollow where
    the test does not reject."""
    chosen = findings.setting(findings.primary if setting is None else setting)
    tests = findings.tests(chosen.id)
    if not tests or (test is not None and test not in tests):
        raise SpecError(
            f"setting {chosen.id} has no comparison by {test or 'any test'}", hint=f"its tests: {', '.join(tests) or 'none'}"
        )
    pairs = findings.against_others(chosen.id, test or tests[0])
    figure, axes = new_figure(6.4, 0.32 * len(pairs) + 1.45)
    named = [pair.a if findings.baseline else pair.b for pair in pairs]
    short = shorten_all(named, letters(34, 6.4))
    axes.axvline(0, color=SOFT, linewidth=1)
    for y, pair in enumerate(pairs):
        if pair.low is not None and pair.high is not None:
            axes.plot([pair.low, pair.high], [y, y], color=ACCENT, alpha=0.55, linewidth=2.2, solid_capstyle="round")
        axes.plot(
            [pair.difference],
            [y],
            "o",
            color=ACCENT,
            markersize=6,
            markeredgewidth=1.5,
            markerfacecolor=ACCENT if pair.significant(findings.level) else "white",
        )
    label_rows(axes, [short[name] for name in named])
    fixed = pairs[0].b if findings.baseline else pairs[0].a
    fixed = shorten_all([fixed], letters(40, 6.4))[fixed]
    lines = [
        (f"system − {fixed}" if findings.baseline else f"{fixed} − other")
        + f", {chosen.metric}"
        + ("" if chosen.higher_is_better else " (lower is better)"),
        f"filled: p < {findings.level:g}, {pairs[0].test}",
        correction_note(pairs[0]),
        uncalled_note(findings.verdict_row(chosen.id)),
    ]
    labelled(axes, "\n".join(filter(None, lines)))
    titled(axes, chosen.label)
    return figure


def settings_plot(findings: Findings) -> Figure:
    """Systems × settings: each system's place between the worst (0) and best (1) of its setting, values written in."""
    systems = [row.system for row in findings.board(findings.primary)]
    systems += [s for s in findings.systems if s not in systems]
    settings = findings.contests
    if not systems or not settings:
        raise SpecError("there are no settings to plot")
    wide = 2.6 + 0.95 * len(systems)
    figure, axes = new_figure(wide, 0.34 * len(settings) + 1.3)
    share = [[_share(findings, s.id, system, higher=s.higher_is_better) for system in systems] for s in settings]
    from matplotlib.colors import LinearSegmentedColormap

    ramp = LinearSegmentedColormap.from_list("heldout", ["#ffffff", _TINT, "#9dbbf2"])
    shade = [[float("nan") if v is None else v for v in line] for line in share]
    axes.imshow(shade, cmap=ramp, aspect="auto", vmin=0, vmax=1)
    for y, s in enumerate(settings):
        for x, system in enumerate(systems):
            first = findings.leader(s.id) == system
            axes.text(
                x,
                y,
                number(findings.value(s.id, system), findings.digits(s.id)),
                ha="center",
                va="center",
                fontsize=8,
                fontweight="bold" if first else "normal",
                color=INK,
            )
    short = shorten_all(systems, letters(16, wide))
    axes.set_xticks(range(len(systems)), [short[s].replace("(", "\n(", 1) for s in systems], fontsize=8)
    axes.xaxis.tick_top()
    marks = ["" if s.higher_is_better else " ↓" for s in settings]
    labels = shorten_labels([s.label for s in settings], letters(36, wide))
    axes.set_yticks(range(len(settings)), [label + m for label, m in zip(labels, marks, strict=True)])
    axes.set_xticks([x - 0.5 for x in range(1, len(systems))], minor=True)
    axes.set_yticks([y - 0.5 for y in range(1, len(settings))], minor=True)
    axes.tick_params(which="minor", length=0)
    axes.grid(visible=False)
    axes.grid(visible=True, which="minor", axis="both", color="white", linewidth=2)
    lower = "; ↓ lower is better" if any(marks) else ""
    labelled(axes, f"bold: leader of the setting; shade: from the worst to the best of each row{lower}", 8)
    return figure


def titled(axes: Axes, title: str) -> None:
    """A title that is broken into lines where the figure is too narrow for it."""
    axes.set_title(_broken(axes, title, 10), loc="left", fontsize=10, pad=8)


def labelled(axes: Axes, label: str, size: float = 9) -> None:
    """A label below the figure, broken like a title; lines that are there stay."""
    axes.set_xlabel(_broken(axes, label, size), fontsize=size)


def _broken(axes: Axes, text: str, size: float) -> str:
    """Text in lines that fit the figure: a letter is about 0.55 of its size wide, and rows have names on the left."""
    room = axes.get_figure(root=True).get_size_inches()[0] * 72  # type: ignore[union-attr]
    most = max(24, int(0.64 * room / (0.55 * size)))
    return "\n".join(piece for line in text.split("\n") for piece in wrap(line, most, break_long_words=False) or [""])


def key_below(figure: Figure, axes: Axes, columns: int = 3) -> None:
    """The names of what is drawn, each once, below the figure, so that they cover nothing; fewer beside each other where
    they are long."""
    handles = dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    room = figure.get_size_inches()[0] * 72 / (0.55 * 7)  # letters of 7 points
    columns = max(1, min(columns, int(room / (7 + max(map(len, handles), default=0)))))
    figure.legend(
        list(handles.values()), list(handles), loc="outside lower center", ncols=columns, frameon=False, fontsize=7
    )


def save(figure: Figure, path: str | os.PathLike[str]) -> Path:
    """Write a figure as PDF, SVG or PNG by its suffix, without a date, so that the same figure gives the same bytes."""
    target = Path(path)
    if target.suffix.lower() not in _SUFFIXES:
        raise SpecError(f"cannot write a figure as '{target.suffix}'", where=str(target), hint="use .pdf, .svg or .png")
    stream = BytesIO()  # on a full disk, matplotlib hides the reason behind an error of its own
    figure.savefig(stream, format=target.suffix.lower().lstrip("."))
    return write_file(target, lambda temporary: temporary.write_bytes(stream.getvalue()))


@contextmanager
def drawn_at(width: float | None) -> Iterator[None]:
    """Figures that are made inside are as wide as this, in inches, where it is given."""
    if width is not None and not _NARROWEST <= width <= _WIDEST:
        hint = f"{COLUMN_WIDE:g} is one column of a paper, {TEXT_WIDE:g} are two"
        raise SpecError(f"no figure is {width:g} inches wide", where="width", hint=hint)
    token = _WIDTH.set(width)
    try:
        yield
    finally:
        _WIDTH.reset(token)


def letters(most: int, width: float) -> int:
    """How many letters a name may have: `most` in a figure that is as wide as it was meant, fewer in a narrower one."""
    return max(10, round(most * min(1.0, (_WIDTH.get() or width) / width)))


def new_figure(width: float, height: float) -> tuple[Figure, Axes]:
    """A figure in the house's style, `width` inches wide unless `drawn_at` says otherwise.

    MissingExtraError without matplotlib.
    """
    figure, [axes] = new_panels(width, height, 1)
    return figure, axes


def new_panels(width: float, height: float, count: int, across: int | None = None) -> tuple[Figure, list[Axes]]:
    """A figure of panels of one height, at most `across` side by side, or one where it is drawn too narrow for more."""
    try:
        from matplotlib import rc_context

        from heldout.reports.plots.paper_figure import PaperFigure
    except ImportError as error:
        raise MissingExtraError("matplotlib", "plots", "plotting") from error
    with rc_context(_STYLE):  # type: ignore[arg-type, unused-ignore]
        wide = _WIDTH.get() or width
        columns = min(count, across or count)
        columns = columns if wide / columns >= _PANEL else 1
        rows = -(-count // columns)
        figure = PaperFigure(figsize=(wide, height * rows), layout="constrained")
        panels: list[Any] = [figure.add_subplot(rows, columns, number + 1) for number in range(count)]
    return figure, panels


def label_rows(axes: Axes, names: list[str]) -> None:
    """Names of rows on the left, the first on top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.xaxis.set_major_formatter(lambda v, _: signed(v, 2) if v < 0 else f"{v:g}")


def _share(findings: Findings, key: int, system: str, *, higher: bool) -> float | None:
    value = findings.value(key, system)
    values = [row.value for row in findings.board(key) if row.value is not None]
    if value is None or not values:
        return None
    low, high = min(values), max(values)
    if high == low:
        return 1.0
    share = (value - low) / (high - low)
    return share if higher else 1 - share
