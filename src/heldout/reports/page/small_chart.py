"""A small drawing with two axes that is legible in a column of a phone: lines, points, bars, and a key below them.

Series differ by colour, by dashes and by the shape of their marks, so that they are told apart in greyscale too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from heldout.reports.axis import Axis
from heldout.reports.page.markup import el
from heldout.words import shorten_all

WIDTH, RIGHT, ABOVE, TALL = 380, 18, 12, 210
"""Of the whole drawing, its margins, and the height between the axes."""
LETTER = 6.2
"""Width of a letter."""
BESIDE = 30
"""The room that the name of the upright axis takes, and the gaps beside the words."""
SERIES = 8
"""Colours; further series repeat them with other dashes."""
_DASHES = (None, "6 3", "2 3", "8 3 2 3")
_MARKS = (
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
    "M-3.2 -3.2h6.4v6.4h-6.4z",
    "M0 -4.4L4.4 0L0 4.4L-4.4 0z",
    "M0 -4L4 3.2H-4z",
    "M0 4L4 -3.2H-4z",
)
"""Circle, square, diamond, and triangles up and down."""


@dataclass(kw_only=True)
class SmallChart:
    """Two axes and what is drawn between them; `svg` gives the whole."""

    x: Axis
    y: Axis
    title: str
    tall: float = TALL
    marked: bool = True
    """Whether series are told apart by their marks; else by their dashes."""
    parts: list[Markup] = field(default_factory=list)
    key: list[tuple[str, int]] = field(default_factory=list)
    """Names of series, with their numbers, in the order in which they are listed below."""

    @property
    def left(self) -> float:
        """The margin that the words of the upright axis and its name need."""
        return round(BESIDE + LETTER * max((len(words) for _, words in self.y.ticks), default=0))

    @property
    def wide(self) -> float:
        """The width between the axes."""
        return WIDTH - self.left - RIGHT

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The place of a point."""
        return self.left + self.wide * self.x.place(x), ABOVE + self.tall * (1 - self.y.place(y))

    def line(self, points: Sequence[tuple[float, float]], series: int, hover: str) -> None:
        """A line through points, with the marks or the dashes of the series."""
        places = [self.at(*point) for point in points]
        path = "M" + "L".join(f"{px:.1f} {py:.1f}" for px, py in places)
        self.parts.append(self._stroke(path, series, hover))
        if self.marked:
            self.parts += [mark(px, py, series) for px, py in places]

    def _stroke(self, path: str, series: int, hover: str = "") -> Markup:
        dashes = None if self.marked else _DASHES[series % len(_DASHES)]
        inside = [el("title", hover)] if hover else []
        return el("path", *inside, d=path, cls=f"series {series_class(series)}", stroke_dasharray=dashes)

    def point(self, x: float, y: float, series: int, hover: str) -> None:
        """A mark of a series."""
        px, py = self.at(x, y)
        self.parts.append(mark(px, py, series, hover))

    def bar(self, start: float, end: float, height: float, cls: str, hover: str) -> None:
        """A bar that stands on the first axis."""
        (left, top), (right, bottom) = self.at(start, height), self.at(end, self.y.start)
        box = {"x": f"{left:.1f}", "y": f"{top:.1f}", "width": f"{right - left:.1f}", "height": f"{bottom - top:.1f}"}
        self.parts.append(el("rect", el("title", hover), **box, cls=cls))

    def whisker(self, x: float, low: float, high: float, series: int) -> None:
        """An upright line from low to high."""
        (px, bottom), (_, top) = self.at(x, low), self.at(x, high)
        self.parts.append(el("path", d=f"M{px:.1f} {bottom:.1f}V{top:.1f}", cls=f"whisker {series_class(series)}"))

    def rule(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """A thin line, such as that of 0."""
        (ax, ay), (bx, by) = self.at(x0, y0), self.at(x1, y1)
        self.parts.append(el("path", d=f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}", cls="zero"))

    def svg(self) -> Markup:
        """The drawing with its axes, and below them the key."""
        parts = [*self._frame(), *self.parts]
        height = ABOVE + self.tall + self._below + 9
        short = shorten_all([name for name, _ in self.key], 44)
        columns = 2 if all(len(short[name]) <= 20 for name, _ in self.key) and len(self.key) > 3 else 1
        for k, (name, series) in enumerate(self.key):
            px, py = 14 + (k % columns) * (WIDTH / 2), height + 8 + 18 * (k // columns)
            parts += [self._stroke(f"M{px - 10:.1f} {py:.1f}h22", series), text(short[name], px + 18, py + 4, "start")]
            if self.marked:
                parts.append(mark(px + 1, py, series))
        height += 18 * math.ceil(len(self.key) / columns)
        return drawing(parts, WIDTH, height + 4, self.title)

    @property
    def _two_rows(self) -> bool:
        return any("\n" in words for _, words in self.x.ticks)

    @property
    def _turned(self) -> bool:
        """Whether words below the axis would cover one another, and so are turned."""
        longest = max((len(words.partition("\n")[0]) for _, words in self.x.ticks), default=0)
        return self._two_rows and LETTER * longest > self.wide / len(self.x.ticks)

    @property
    def _below(self) -> float:
        """The room between the axis and its name."""
        longest = max((len(words) + 3 for _, words in self.x.ticks), default=0)
        return 26 + 0.62 * LETTER * longest if self._turned else 46 if self._two_rows else 32

    def _frame(self) -> list[Markup]:
        parts = []
        for value, words in self.y.ticks:
            _, py = self.at(self.x.start, value)
            parts.append(el("path", d=f"M{self.left} {py:.1f}h{self.wide:.1f}", cls="rule"))
            parts.append(text(words, self.left - 6, py + 4, "end"))
        for value, words in self.x.ticks:
            px, _ = self.at(value, self.y.start)
            if self._turned:
                name, _, users = words.partition("\n")
                at = f"translate({px + 4:.1f} {ABOVE + self.tall + 12:.1f}) rotate(-40)"
                parts.append(el("text", f"{name} ({users})", transform=at, text_anchor="end", cls="small"))
                continue
            for row, line in enumerate(words.split("\n")):
                parts.append(text(line, px, ABOVE + self.tall + 15 + 12 * row, "middle", "small" if row else ""))
        if self.x.label:
            parts.append(text(self.x.label, self.left + self.wide / 2, ABOVE + self.tall + self._below, "middle", "axis"))
        turned = f"translate(12 {ABOVE + self.tall / 2:.1f}) rotate(-90)"
        return [*parts, el("text", self.y.label, transform=turned, text_anchor="middle", cls="axis")]


def drawing(parts: Sequence[Markup], width: float, height: float, title: str) -> Markup:
    """A drawing that shrinks with the page and is never much larger than drawn."""
    box = f"0 0 {width:.0f} {height:.0f}"
    return el("svg", *parts, viewBox=box, cls="panel", role="img", aria_label=title, style=f"max-width:{1.25 * width:.0f}px")


def mark(px: float, py: float, series: int, hover: str = "") -> Markup:
    """The mark of a series."""
    inside = [el("title", hover)] if hover else []
    shape = _MARKS[series % len(_MARKS)]
    return el("path", *inside, d=shape, transform=f"translate({px:.1f} {py:.1f})", cls=f"mark {series_class(series)}")


def series_class(series: int) -> str:
    """The class that has the colour of a series."""
    return f"c{series % SERIES}"


def text(words: str, x: float, y: float, anchor: str, cls: str = "") -> Markup:
    """Words in a drawing."""
    return el("text", words, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, cls=cls)
