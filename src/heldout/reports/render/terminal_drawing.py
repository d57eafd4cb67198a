"""Small drawings of characters: bars, columns and lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rich.table import Table
from rich.text import Text

from heldout.words import count, percent

_BLOCKS = "▏▎▍▌▋▊▉"
_COLUMNS = " ▁▂▃▄▅▆▇█"
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


def bar(share: float, width: int = 40) -> str:
    """A bar of a share of the width, to an eighth of a character."""
    eighths = round(width * 8 * share)
    return "█" * (eighths // 8) + (_BLOCKS[eighths % 8 - 1] if eighths % 8 else "")


def bars(labels: Sequence[str], counts: Sequence[int], *, width: int = 40, room: int = 80) -> Table:
    """One bar for each label, with its count and share; bars are shorter where a line of `room` characters needs it."""
    table = Table(box=None, show_header=False, pad_edge=False)
    for side in ("right", "left", "right", "right"):
        table.add_column(justify=side)
    most, total = max(counts, default=0) or 1, sum(counts) or 1
    words = [(label, count(n), percent(n / total)) for label, n in zip(labels, counts, strict=True)]
    beside = sum(max(map(len, column)) + 2 for column in zip(*words, strict=True))
    width = max(1, min(width, room - beside))
    for (label, number, share), n in zip(words, counts, strict=True):
        table.add_row(label, bar(n / most, width), number, share)
    return table


def columns(counts: Sequence[float], *, width: int = 60, height: int = 5) -> list[str]:
    """Columns side by side, the highest as high as the drawing; neighbours are summed where there are too many."""
    if not counts:
        return []
    if len(counts) > width:
        edges = [round(k * len(counts) / width) for k in range(width + 1)]
        counts = [sum(counts[a:b]) for a, b in pairwise(edges)]
    each = max(1, width // len(counts))
    most = max(counts) or 1
    eighths = [round(c / most * height * 8) for c in counts]
    eighths = [max(e, 1) if c > 0 else 0 for e, c in zip(eighths, counts, strict=True)]
    return [
        "".join(_COLUMNS[min(8, max(0, e - 8 * row))] * each for e in eighths).rstrip() for row in range(height - 1, -1, -1)
    ]


def line(x: Sequence[float], y: Sequence[float], *, width: int = 56, height: int = 8) -> list[str]:
    """A line through points with x and y in [0, 1], in dots of Braille, two by four to a character."""
    grid = [[0] * width for _ in range(height)]
    points = sorted(zip(x, y, strict=True))
    for column in range(2 * width):
        at = (column + 0.5) / (2 * width)
        value = _between(points, at)
        if value is None:
            continue
        dot = min(4 * height - 1, max(0, int((1 - value) * 4 * height)))
        grid[dot // 4][column // 2] |= _DOTS[dot % 4][column % 2]
    return ["".join(chr(0x2800 + cell) if cell else " " for cell in row) for row in grid]


def line_width(word: str, room: int) -> int:
    """How wide a framed drawing may be, beside the longest word at its axis, in lines of `room` characters."""
    return max(1, min(56, room - len(word) - 2))


def framed(rows: Sequence[str], *, top: str, bottom: str, left: str, right: str, width: int = 56) -> Text:
    """Rows with an axis at their left and below, and words at its ends."""
    margin = max(len(top), len(bottom))
    lines = []
    for k, row in enumerate(rows):
        word = top if k == 0 else bottom if k == len(rows) - 1 else ""
        lines.append(f"{word:>{margin}} │{row}")
    lines.append(f"{'':>{margin}} └{'─' * width}")
    gap = max(1, width - len(left) - len(right))
    lines.append(f"{'':>{margin}}  {left}{' ' * gap}{right}")
    return Text("\n".join(lines))


def _between(points: Sequence[tuple[float, float]], at: float) -> float | None:
    """The line's value at x, by linear interpolation; None outside the points."""
    if not points or at < points[0][0] or at > points[-1][0]:
        return None
    for (xa, ya), (xb, yb) in pairwise(points):
        if xa <= at <= xb:
            return ya if xb == xa else ya + (yb - ya) * (at - xa) / (xb - xa)
    return points[-1][1]
