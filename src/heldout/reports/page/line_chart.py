"""Lines with bands in a drawing that needs no script: each line is named at its end, and each point on hovering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from heldout.reports.axis import Axis
from heldout.reports.label_places import label_places
from heldout.reports.page.markup import el, join
from heldout.reports.page.small_chart import text

LETTER, PITCH = 7.2, 13.0
"""Width of a letter of a label, on the wide side, and the least distance between labels."""
LEFT, BELOW, ABOVE = 46, 40, 10
"""Margins; the left one is wider where the numbers of the axis need it."""
NAME = 22
"""Room for the name of the upright axis, and between it, the numbers and the lines."""
NARROW = {"width": 360, "height": 300}
"""Of the same drawing on a telephone, where a wide one would have to be scrolled or read with a lens."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line of a chart."""

    label: str
    """Its name at its end; nothing where it is named on hovering only."""
    cls: str
    hover: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float, float]] = ()
    """x, low, high."""
    opacity: float = 1.0


def line_chart(
    lines: Sequence[Line], x: Axis, y: Axis, *, title: str, width: int = 880, height: int = 320, mark: float | None = None
) -> Markup:
    """Lines over both axes, the best at the top; `mark` is a vertical rule at some x.

    A wide drawing comes in a narrow form too, and the page shows the one that fits.
    """
    if width <= NARROW["width"]:
        return _drawing(lines, x, y, title, width, height, mark, "")
    broad = _drawing(lines, x, y, title, width, height, mark, "broad")
    return join(broad, _drawing(lines, x, y, title, **NARROW, mark=mark, room="narrow"))


def _drawing(
    lines: Sequence[Line], x: Axis, y: Axis, title: str, width: int, height: int, mark: float | None, room: str
) -> Markup:
    right = 20 + LETTER * max((len(line.label) for line in lines), default=0)
    left = max(LEFT, NAME + LETTER * max((len(words) for _, words in y.ticks), default=0))
    wide, tall = width - left - right, height - ABOVE - BELOW

    def at(px: float, py: float) -> str:
        return f"{left + wide * x.place(px):.1f} {ABOVE + tall * (1 - y.place(py)):.1f}"

    parts = _frame(x, y, left, wide, tall)
    if mark is not None:
        parts.append(el("path", d=f"M{at(mark, y.start)}L{at(mark, y.end)}", cls="mark"))
    for line in lines:
        if line.band:
            edge = [at(px, low) for px, low, _ in line.band] + [at(px, high) for px, _, high in reversed(line.band)]
            parts.append(el("path", d="M" + "L".join(edge) + "z", cls=f"band {line.cls}"))
    for line in lines:
        path = "M" + "L".join(_thinned([at(px, py) for px, py in line.points]))
        faint = f"{line.opacity:.2f}" if line.opacity < 1 else None
        parts.append(el("path", el("title", line.hover), d=path, cls=f"line {line.cls}", opacity=faint))
    named = [line for line in lines if line.label]
    ends = [ABOVE + tall * (1 - y.place(line.points[-1][1])) for line in named]
    lowest = max([ABOVE + tall, ABOVE + PITCH * (len(named) - 1)])
    for line, end, label_y in zip(named, ends, label_places(ends, PITCH, ABOVE, lowest), strict=True):
        end_x = left + wide * x.place(line.points[-1][0])
        if abs(label_y - end) > 2 or end_x < left + wide - 1:
            parts.append(el("path", d=f"M{end_x + 1:.1f} {end:.1f}L{left + wide + 8:.1f} {label_y:.1f}", cls="lead"))
        parts.append(text(line.label, left + wide + 10, label_y + 3.5, "start", f"name {line.cls}"))
    return el(
        "svg",
        *parts,
        viewBox=f"0 0 {width} {max(height, lowest + 10):.0f}",
        cls=f"lines {room}".rstrip(),
        role="img",
        aria_label=title,
        style=f"max-width:{width}px",
    )


def _frame(x: Axis, y: Axis, left: float, wide: float, tall: float) -> list[Markup]:
    """Rules with their words, and the names of both axes."""
    parts = []
    for value, words in y.ticks:
        h = ABOVE + tall * (1 - y.place(value))
        parts += [el("path", d=f"M{left:.1f} {h:.1f}h{wide:.1f}", cls="rule"), text(words, left - 6, h + 3.5, "end")]
    for value, words in _ticks_apart(x, wide):
        parts.append(text(words, left + wide * x.place(value), ABOVE + tall + 15, "middle"))
    parts.append(text(x.label, left + wide / 2, ABOVE + tall + 32, "middle", "axis"))
    turned = f"translate(11 {ABOVE + tall / 2:.1f}) rotate(-90)"
    return [*parts, el("text", y.label, transform=turned, text_anchor="middle", cls="axis")]


def _ticks_apart(x: Axis, wide: float) -> list[tuple[float, str]]:
    """The ticks whose words do not touch; the first and the last stay."""

    def room(tick: tuple[float, str]) -> tuple[float, float]:
        middle, half = wide * x.place(tick[0]), (LETTER * len(tick[1]) + 4) / 2
        return middle - half, middle + half

    first, *others = sorted(x.ticks, key=lambda tick: x.place(tick[0]))
    shown = [first]
    for tick in others[:-1]:
        if room(tick)[0] >= room(shown[-1])[1] and room(tick)[1] <= room(others[-1])[0]:
            shown.append(tick)
    return [*shown, *others[-1:]]


def _thinned(places: Sequence[str]) -> list[str]:
    """Without places between two others of the same height: a long flat line needs its two ends."""
    kept: list[str] = []
    for k, place in enumerate(places):
        height = place.split()[1]
        inside = 0 < k < len(places) - 1
        if inside and places[k - 1].split()[1] == height == places[k + 1].split()[1]:
            continue
        kept.append(place)
    return kept
