"""A panel of a paper's figure, drawn without a script: lines, dashes, bars and points, with a second axis on the right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

from markupsafe import Markup

from heldout.papers.findings import BARS_WIDE, Panel, PlotSeries
from heldout.reports.axis import Axis
from heldout.reports.page.markup import el
from heldout.reports.page.metric_quality_svg import tiles
from heldout.words import MINUS

WIDTH, TALL, ABOVE, ROW, LINE = 400, 230, 26, 16, 12
"""A panel, about as wide as a narrow screen so that its words are nowhere shrunk: the height between its axes, the room for
its title, and the heights of a row of names and of a line of words."""
LEAST_SIDE, END = 44, 14
"""Room beside an axis with short numbers, and at the right where there is no axis."""
LETTER = 6.4
"""About how wide a letter of a name is."""
LONGEST, LONGEST_SHARE = 4, 3
"""Places that are longer in words, such as 0.125 and 2.13, are not written below an axis; round ones are."""
MARKS = "●■▲◆▼✚"
"""One for each line, so that lines of like colours are told apart."""
STEPS = (1, 2, 2.5, 5, 10)


def panel_chart(panel: Panel) -> Markup:
    """One panel; each point and bar is named on hovering, each series below the drawing."""
    if panel.matrix:
        names = [series.name for series in panel.series]
        rows = [[float("nan") if value is None else value for value in series.y] for series in panel.series]
        hovers = [
            [f"{name} and {other}: {value:.3f}" for other, value in zip(panel.ticks, row, strict=True)]
            for name, row in zip(names, rows, strict=True)
        ]
        return tiles(names, rows, hovers, title=panel.title or panel.y_label)
    first = [series for series in panel.series if not series.right]
    right = [series for series in panel.series if series.right]
    x, y, second = _x_axis(panel), _y_axis(first, panel.y_label), _y_axis(right, panel.right_label)
    left = _side(y)
    wide = WIDTH - left - (_side(second) if right else END)
    letters = max(4, int(wide / LETTER / max(len(x.ticks), 1)))
    below = [(value, _lines(words, letters)) for value, words in x.ticks]
    floor = ABOVE + TALL
    names_from = floor + 8 + LINE * max((len(lines) for _, lines in below), default=0)
    parts = [_text(panel.title, left, 14, "start", "axis")] if panel.title else []
    for value, words in y.ticks:
        height = ABOVE + TALL * (1 - y.place(value))
        parts += [
            el("path", d=f"M{left:.1f} {height:.1f}h{wide:.1f}", cls="rule"),
            _text(words, left - 6, height + 3.5, "end"),
        ]
    for value, words in second.ticks if right else ():
        parts.append(_text(words, left + wide + 6, ABOVE + TALL * (1 - second.place(value)) + 3.5, "start"))
    for value, lines in below:
        for k, line in enumerate(lines):
            parts.append(_text(line, left + wide * x.place(value), floor + 16 + LINE * k, "middle"))
    if x.label:
        names_from += ROW
        parts.append(_text(x.label, left + wide / 2, names_from, "middle", "axis"))
    names_from += 6
    parts.append(_turned(y.label, 11, ABOVE + TALL / 2))
    if right:
        parts.append(_turned(second.label, WIDTH - 6, ABOVE + TALL / 2))
    bars = [series.name for series in panel.series if series.form == "bars"]
    bar = wide * BARS_WIDE / max(len(bars), 1) / (x.end - x.start)
    marks = ["×" if series.form == "points" else _mark(k, series) for k, series in enumerate(panel.series)]
    names = [
        f"{mark} {series.name}{' (right)' if series.right else ''}" for mark, series in zip(marks, panel.series, strict=True)
    ]
    places = _flowing([LETTER * len(name) + 14 for name in names], WIDTH - left)
    for k, series in enumerate(panel.series):
        axis, cls = second if series.right else y, f"c{k % 12}"
        points = [
            _Point(
                hover=f"{series.name}, {px:g}: {value:.4g}",
                x=left + wide * x.place(_scaled(px, panel)),
                y=ABOVE + TALL * (1 - axis.place(value)),
            )
            for px, value in zip(series.x, series.y, strict=True)
            if value is not None and math.isfinite(value)
        ]
        if series.form == "bars":
            zero = ABOVE + TALL * (1 - axis.place(0.0))
            parts += _bars(points, cls, bar, bar * (bars.index(series.name) - len(bars) / 2), zero)
        else:
            parts += _marks(points, cls, series.form, marks[k])
        along, row = places[k]
        parts.append(_text(names[k], left + along, names_from + ROW * (row + 1), "start", f"name {cls}"))
    return el(
        "svg",
        *parts,
        viewBox=f"0 0 {WIDTH} {names_from + ROW * (1 + max((row for _, row in places), default=-1)) + 8}",
        cls="lines",
        role="img",
        aria_label=panel.title or panel.y_label,
        style=f"max-width:{WIDTH}px",
    )


def _flowing(widths: Sequence[float], room: float) -> list[tuple[float, int]]:
    """Where words of these widths stand, one after the other: how far along which row."""
    places: list[tuple[float, int]] = []
    along, row = 0.0, 0
    for wide in widths:
        if along and along + wide > room:
            along, row = 0.0, row + 1
        places.append((along, row))
        along += wide
    return places


@dataclass(frozen=True)
class _Point:
    """A point of a series on the drawing."""

    hover: str
    x: float
    y: float


def _bars(points: Sequence[_Point], cls: str, width: float, shift: float, zero: float) -> list[Markup]:
    return [
        el(
            "rect",
            el("title", point.hover),
            x=f"{point.x + shift:.1f}",
            y=f"{min(point.y, zero):.1f}",
            width=f"{width * 0.9:.1f}",
            height=f"{abs(zero - point.y):.1f}",
            cls=f"bar {cls}",
        )
        for point in points
    ]


def _lines(words: str, letters: int) -> list[str]:
    """Words in lines of about so many letters, which end at blanks and hyphens."""
    return [line.replace("- ", "-") for line in wrap(words.replace("-", "- "), letters, break_long_words=False)]


def _side(axis: Axis) -> float:
    """Room for the numbers of an axis, and for its name turned beside them."""
    return max(LEAST_SIDE, 26 + LETTER * max((len(words) for _, words in axis.ticks), default=0))


def _mark(place: int, series: PlotSeries) -> str:
    """What stands before the name of a series: bars are told apart by their order, lines by a mark of their own."""
    return "■" if series.form == "bars" else MARKS[place % len(MARKS)]


_SHAPES = {
    "●": "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0",
    "■": "m-3 -3h6v6h-6z",
    "▲": "m0 -4l4 7h-8z",
    "◆": "m0 -4.2l4.2 4.2l-4.2 4.2l-4.2 -4.2z",
    "▼": "m0 4l4 -7h-8z",
    "✚": "m-1.5 -4h3v2.5h2.5v3h-2.5v2.5h-3v-2.5h-2.5v-3h2.5z",
    "×": "m-4 -4l8 8m-8 0l8 -8",
}
"""From the place of a point."""


def _marks(points: Sequence[_Point], cls: str, form: str, mark: str) -> list[Markup]:
    if form == "points":
        return [
            part
            for p in points
            for part in (
                el("path", d=f"M{p.x:.1f} {p.y:.1f}{_SHAPES[mark]}", cls="halo"),
                el("path", el("title", p.hover), d=f"M{p.x:.1f} {p.y:.1f}{_SHAPES[mark]}", cls=f"cross {cls}"),
            )
        ]
    if not points:
        return []
    path = "M" + "L".join(f"{p.x:.1f} {p.y:.1f}" for p in points)
    line = el("path", d=path, cls=f"line {cls}{' dashed' if form == 'dashes' else ''}")
    dots = [el("path", el("title", p.hover), d=f"M{p.x:.1f} {p.y:.1f}{_SHAPES[mark]}", cls=f"dot {cls}") for p in points]
    return [line, *dots]


def _scaled(value: float, panel: Panel) -> float:
    return math.log10(value) if panel.log_x else value


def _x_axis(panel: Panel) -> Axis:
    places = [_scaled(value, panel) for series in panel.series for value in series.x] or [0.0, 1.0]
    if panel.ticks:
        ticks = [(float(k), words) for k, words in enumerate(panel.ticks)]
        return Axis(start=-0.5, end=len(panel.ticks) - 0.5, ticks=ticks, label=panel.x_label)
    start, end = min(places), max(places)
    distinct = sorted({float(value) for series in panel.series for value in series.x})
    if not panel.log_x and any(len(f"{value:g}") > (LONGEST if value.is_integer() else LONGEST_SHARE) for value in distinct):
        return _round_axis(places, panel.x_label)
    shown = distinct if len(distinct) <= 10 else distinct[:: math.ceil(len(distinct) / 8)]
    ticks = [(_scaled(value, panel), f"{value:g}") for value in shown]
    return Axis(start=start, end=end if end > start else start + 1, ticks=ticks, label=panel.x_label)


def _y_axis(series: Sequence[PlotSeries], label: str) -> Axis:
    """With 0 for bars, from the least value otherwise, with about five words."""
    values = [v for line in series for v in line.y if v is not None and math.isfinite(v)] or [0.0, 1.0]
    return _round_axis([*values, 0.0] if any(line.form == "bars" for line in series) else values, label)


def _round_axis(values: Sequence[float], label: str) -> Axis:
    """An axis that holds all values, between round ones."""
    low, high = min(values), max(values)
    step = _step((high - low) or abs(high) or 1.0)
    first, last = math.floor(low / step) * step, math.ceil(high / step - 1e-9) * step
    count = round((last - first) / step)
    digits = max(0, -math.floor(math.log10(step) + 1e-9)) + (step / 10 ** math.floor(math.log10(step)) == 2.5)
    ticks = [(first + k * step, f"{first + k * step:,.{digits}f}".replace("-", MINUS)) for k in range(count + 1)]
    return Axis(start=first, end=last if last > first else first + step, ticks=ticks, label=label)


def _step(span: float) -> float:
    """A round step that divides a span in about five."""
    power = 10.0 ** math.floor(math.log10(span / 5))
    return next(factor * power for factor in STEPS if factor * power >= span / 5 * 0.999)


def _text(words: str, x: float, y: float, anchor: str, cls: str = "") -> Markup:
    return el("text", words, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, cls=cls)


def _turned(words: str, x: float, y: float) -> Markup:
    return el("text", words, transform=f"translate({x:.1f} {y:.1f}) rotate(-90)", text_anchor="middle", cls="axis")
