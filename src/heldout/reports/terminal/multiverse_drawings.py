"""The specification curve and bars of shares, drawn of characters."""

from __future__ import annotations

from itertools import groupby

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from heldout.reports.multiverse_views import curve_note, exact_papers, reach, shade, short_paper
from heldout.reports.terminal.parts import ShortNames
from heldout.universes.findings import MultiverseFindings, PairFindings, SpecificationCurve
from heldout.universes.variance import telling
from heldout.words import percent, shorten, shorten_all, signed

HEIGHT, DECISIONS = 8, 4
"""Lines of the curve, and decisions below it: those that explain most."""
_SHADES = " ░▒▓█"
_STYLES = {1: "blue", 0: "dim", -1: "dark_orange"}


def shares_text(pair: PairFindings, width: int) -> list[Text]:
    """One bar of three characters, and what they are; nothing where no universe has a value."""
    s = pair.shares
    if not s.universes:
        return []
    outcomes = [
        (s.first, "█", 1, f"{pair.first} better"),
        (s.undecided, "░", 0, "neither"),
        (s.second, "▓", -1, f"{pair.second} better"),
    ]
    line, at, done = Text(), 0, 0
    for n, char, side, _ in outcomes:
        done += n
        to = round(s.share(done) * width)
        line.append(char * (to - at), style=_STYLES[side])
        at = to
    key = Text()
    for n, char, side, words in outcomes:
        key.append(f"{char} ", style=_STYLES[side])
        key.append(f"{words} {percent(s.share(n))}   ")
    return [line, key]


def curve_text(pair: PairFindings, findings: MultiverseFindings, width: int) -> tuple[list[RenderableType], str]:
    """The curve and the options of the decisions that explain most, each column a few universes; and how to read it."""
    kept = telling(findings, pair, DECISIONS)
    rows = [row for row in pair.curve.rows if row.decision in kept]
    names = [short_paper(name) for name, columns in pair.curve.papers if columns]
    labels = [*(row.label for row in rows), *names, "+00.0%"]
    margin = min(max((cell_len(text) for text in labels), default=8) + 1, max(12, width // 3))
    curve = pair.curve.thinned(max(8, width - margin - 1))
    each = max(1, min(3, (width - margin - 1) // max(len(curve.sizes), 1)))
    lines: list[RenderableType] = [*_drawn(curve, margin, each)]
    for decision in kept:
        lines.append(Text(findings.words(decision), style="bold"))
        of_decision = [row for row in curve.rows if row.decision == decision]
        short = shorten_all([row.label for row in of_decision], margin - 1)
        for row in of_decision:
            cells = "".join(_SHADES[_step(v)] * each for v in shade(row, curve.sizes))
            lines.append(Text(f"{short[row.label]:>{margin - 1}} ") + Text(cells))
        lines.append(ShortNames({brief: label for label, brief in short.items()}))
    marks = [(name, set(columns)) for name, columns in curve.papers if columns]
    if marks:
        lines.append(Text("papers", style="bold"))
    for name, columns in marks:
        mark = "▲" if name in exact_papers(findings) else "△"
        cells = "".join((mark if c in columns else " ") * each for c in range(len(curve.sizes)))
        lines.append(Text(f"{shorten(short_paper(name), margin - 1):>{margin - 1}} ") + Text(cells, style="green"))
    most = "decision that explains" if len(kept) == 1 else f"{len(kept)} decisions that explain"
    below = f"what they chose in the {most} most"
    note = curve_note(curve, pair, below)
    return lines, note if each == 1 else f"{note} A column is {each} characters wide."


def _step(value: float) -> int:
    return 0 if value <= 0 else max(1, min(4, round(value * 4)))


def _drawn(curve: SpecificationCurve, margin: int, each: int) -> list[Text]:
    """Columns from the line of no effect: full where significant in most universes, light where not."""
    low, high = reach(curve)
    up = round(HEIGHT * high / (high - low))
    up = min(HEIGHT - 1, max(1, up)) if low < 0 < high and min(curve.effect) < 0 < max(curve.effect) else up
    scale = max(high / up if up else 0.0, -low / (HEIGHT - up) if up < HEIGHT else 0.0)
    side = [curve.winner(c) for c in range(len(curve.sizes))]
    lines = []
    for line in range(HEIGHT):
        cells = []
        for c, value in enumerate(curve.effect):
            size = abs(value) / scale if scale else 0.0
            depth = up - line if value >= 0 else line - up + 1  # the first line from the axis is 1
            shown = depth > 0 and size > depth - 1 + (0.25 if depth > 1 else 0.0)
            partly = shown and side[c] != 0 and size < depth - 0.5
            char = " " if not shown else "░" if side[c] == 0 else ("▄" if value >= 0 else "▀") if partly else "█"
            cells.append((char * each, _STYLES[side[c]] if shown else ""))
        word = (
            f"{signed(100 * high, 1)}%"
            if line == 0 and up
            else f"{signed(100 * low, 1)}%"
            if line == HEIGHT - 1 and up < HEIGHT
            else ""
        )
        word = "equal" if line == up and not word else word
        text = Text(f"{word:>{margin - 1}} ")
        for style, run in groupby(cells, key=lambda cell: cell[1]):
            text.append("".join(char for char, _ in run), style=style)
        lines.append(text)
    return lines
