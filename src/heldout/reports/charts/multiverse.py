"""Charts of a multiverse: the specification curve of two systems, and the map of rankings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from heldout.reports.charts.encodings import (
    FADED,
    FOCUS,
    characters,
    chosen,
    chosen_room,
    plot_height,
    text_width,
    tooltips,
)
from heldout.reports.charts.theme import MOST_SERIES, text_size
from heldout.reports.document import Layout, Spec
from heldout.text.names import shorten, shorten_all
from heldout.text.numbers import count, percent
from heldout.universes.findings import Agreement, SpecificationCurve

COLUMNS, NARROW_COLUMNS = 240, 120
NEITHER = "neither"
STEPS = 9
"""Heights of an option's row, so that each is one digit."""
LETTER = 0.55
"""Width of a letter, as a share of the height of the text."""
BOLD = 1.1
"""Width of bold text, as a multiple of other text."""


def winner_colours(systems: Sequence[str]) -> dict[str, Any]:
    """The scale that gives "neither" its colour, and each system the colour that it has in every chart."""
    domain: list[str] = []
    for start in range(0, len(systems), MOST_SERIES):  # colours repeat, and so does the place of "neither"
        domain += [f"{NEITHER}{' ' * (start // MOST_SERIES)}", *systems[start : start + MOST_SERIES]]
    return {"domain": domain, "range": "winner"}


def reach(effects: Sequence[float]) -> tuple[float, float]:
    """The scale of effects, from below 0 to above; the outermost 2% of columns may lie beyond."""
    values = sorted(effects)
    if not values:
        return -0.01, 0.01
    low, high = values[round(0.02 * (len(values) - 1))], values[round(0.98 * (len(values) - 1))]
    wide = max(high, 0.0) - min(low, 0.0) or 0.01
    return min(low, 0.0) - 0.04 * wide, max(high, 0.0) + 0.04 * wide


def beyond(effects: Sequence[float]) -> int:
    """Columns that are cut at the ends of the scale."""
    low, high = reach(effects)
    return sum(not low <= value <= high for value in effects)


def specification_curve(
    curve: SpecificationCurve,
    pair: tuple[str, str],
    *,
    systems: Sequence[str],
    words: Mapping[str, str],
    exact: Iterable[str],
    here: str,
    layout: Layout,
) -> Spec:
    """Universes from where the second system leads most to where the first does; below, what they chose.

    `systems` are those of the document in its order, `words` name decisions, and `exact` are the papers whose choices the
    grid has. The parameter named `here` is the place of the universe that a reader chose, from 0 to 1.
    """
    curve = curve.thinned(NARROW_COLUMNS if layout.narrow else COLUMNS)
    options = _Options(curve, words, set(exact), layout)
    width = layout.width - options.room - 8
    return {
        "params": [*FOCUS, {"name": here, "value": None}],
        "spacing": 8,
        "bounds": "flush",
        "vconcat": [_effects(curve, pair, systems, here, options.room, width, layout), options.view(width)],
    }


def _effects(
    curve: SpecificationCurve,
    pair: tuple[str, str],
    systems: Sequence[str],
    here: str,
    room: float,
    width: float,
    layout: Layout,
) -> Spec:
    """A column for each few universes, in the colour of the system that is significantly better in most of them."""
    low, high = reach(curve.effect)
    first, second = pair
    winner = {1: first, 0: NEITHER, -1: second}
    rows = [
        {
            "at": c,
            "to": c + 1,
            "effect": min(max(effect, low), high),
            "system": winner[curve.winner(c)],
            "lead": f"{first if effect > 0 else second} by {percent(abs(effect))}" if effect else "equal",
            "universes": count(size),
            "first": f"{count(curve.first[c])} ({percent(curve.first[c] / size)})",
            "second": f"{count(curve.second[c])} ({percent(curve.second[c] / size)})",
        }
        for c, (size, effect) in enumerate(zip(curve.sizes, curve.effect, strict=True))
    ]
    details = (
        ("lead", "Ahead in the median"),
        ("universes", "Universes"),
        ("first", f"{first} significantly better"),
        ("second", f"{second} significantly better"),
    )
    legend = {
        "title": "Significantly better",
        "titleOrient": "top",
        "values": [first, NEITHER, second],
        "columns": 1 if text_width(f"{first} {NEITHER} {second}", layout) > 0.7 * layout.width else 3,
        "symbolType": "square",
    }
    columns = {
        "data": {"values": rows},
        "mark": {"type": "rect"},
        "encoding": {
            "x": {"field": "at", "type": "quantitative"},
            "x2": {"field": "to"},
            "y": {"field": "effect", "type": "quantitative"},
            "y2": {"datum": 0},
            "color": {"field": "system", "type": "nominal", "scale": winner_colours(systems), "legend": legend},
            "opacity": FADED,
            "tooltip": tooltips(*details),
        },
    }
    zero = {"mark": {"type": "rule", "style": "zero"}, "encoding": {"x": None, "y": {"datum": 0}}}
    name = shorten(first, characters(0.5 * layout.width, layout))
    title = f"Lead of {name} in % of the mean of both"
    axis = {
        "title": title if text_width(title, layout) < layout.width else f"Lead of {name} in %",
        "titleX": -room,
        "format": "+.0%",
        "labelExpr": "datum.value === 0 ? 'equal' : datum.label",
        "tickCount": 5,
    }
    scale = {"domain": [low, high + chosen_room(layout) * (high - low)], "nice": False}
    return {
        "width": width,
        "height": plot_height(layout),
        "layer": [columns, {"data": {"values": [{}]}, **zero}, chosen(here, len(rows))],
        "encoding": {
            "x": {"type": "quantitative", "scale": {"domain": [0, len(rows)], "nice": False}, "axis": None},
            "y": {"type": "quantitative", "scale": scale, "axis": axis},
        },
    }


class _Options:
    """The rows below a curve: how often the universes of each column chose an option, and which a paper would have chosen.

    A wide layout has decisions and options left of their rows, a narrow one has decisions above their options. On a phone
    options stand above their rows, too.
    """

    def __init__(self, curve: SpecificationCurve, words: Mapping[str, str], exact: set[str], layout: Layout) -> None:
        size = text_size(paper=layout.paper)
        self.columns = len(curve.sizes)
        self.above = layout.narrow and not layout.paper
        self.pitch, self.strip = (1.2 if layout.paper else 1.35) * size, 0.95 * size
        marks = [(name, sorted(set(columns))) for name, columns in curve.papers if columns]
        letter = LETTER * size
        heads = [words[row.decision] for row in curve.rows] + ["papers"]
        beside = 0.0 if layout.narrow else BOLD * max(text_width(head, layout) for head in heads) + 1.6 * size
        most = int((0.42 * layout.width - beside) / letter) if not self.above else int(layout.width / letter) - 4
        names = [*(row.label for row in curve.rows), *(short_paper(name) for name, _ in marks)]
        longest = min(max(text_width(name, layout) for name in names), letter * max(6, most))
        axis = 3.2 * size
        self.room = max(axis, beside + longest + 8) if not self.above else axis
        self.heads: list[dict[str, Any]] = []
        self.labels: list[dict[str, Any]] = []
        self.rows: list[dict[str, Any]] = []
        self.marks: list[dict[str, Any]] = []
        self.beside = not layout.narrow
        self.layout = layout
        self.y = 0.0
        for decision, group in groupby(curve.rows, key=lambda row: row.decision):
            rows = list(group)
            short = shorten_all([row.label for row in rows], most)
            self._head(words[decision], short[rows[0].label])
            largest = max((n / of for row in rows for n, of in zip(row.counts, curve.sizes, strict=True)), default=0.0)
            for row in rows:
                base = self._row(short[row.label])
                shares = [n / of / (largest or 1.0) for n, of in zip(row.counts, curve.sizes, strict=True)]
                heights = "".join(str(max(round(STEPS * share), int(share > 0))) for share in shares)
                total = f"{count(sum(row.counts))} ({percent(sum(row.counts) / sum(curve.sizes))})"
                named = {"option": f"{words[decision]} {row.label}", "universes": total}
                self.rows.append({"base": base, "heights": heights, **named})
            self.y += 0.4 * self.pitch
        if marks:
            self._head("papers", short_paper(marks[0][0]))
        for name, columns in marks:
            base = self._row(short_paper(name))
            near = "" if name in exact else "as near as the grid comes"
            for c in columns:
                self.marks.append({"at": c, "to": c + 1, "base": base, "paper": name, "near": near})

    def _head(self, words: str, first: str) -> None:
        """The head of a decision: left of its first option if both have room, else above it."""
        self.heads.append({"words": words, "y": self.y + self.strip / 2 + 2})
        both = BOLD * text_width(words, self.layout) + text_width(first, self.layout) + 14
        self.y += 0.0 if self.beside or (both < self.room and not self.above) else self.pitch

    def _row(self, label: str) -> float:
        """The lower edge of a new row."""
        self.labels.append({"label": label, "y": self.y + self.strip / 2 + 2})
        self.y += 2 * self.pitch if self.above else self.pitch
        return self.y - (self.pitch - self.strip)

    def view(self, width: float) -> Spec:
        """The rows as one view, of which y is the distance from its upper edge in pixels."""
        across = {"type": "quantitative", "scale": {"domain": [0, self.columns], "nice": False}, "axis": None}
        down = {"type": "quantitative", "scale": {"domain": [self.y, 0], "nice": False, "zero": False}, "axis": None}
        left = {"value": 0} if self.above else {"value": -8}
        side = "left" if self.above else "right"
        text = {"y": {"field": "y", **down}, "tooltip": None}
        layers: list[Spec] = [
            {
                "data": {"values": self.rows},
                "transform": [
                    {"calculate": "split(datum.heights + slice(datum.heights, -1), '')", "as": "height"},
                    {"calculate": f"sequence(0, {self.columns + 1})", "as": "at"},
                    {"flatten": ["height", "at"]},
                    {"calculate": f"datum.base - {self.strip / STEPS:.4f} * toNumber(datum.height)", "as": "top"},
                ],
                "mark": {"type": "area", "style": "density", "interpolate": "step-after"},
                "encoding": {
                    "x": {"field": "at", **across},
                    "y": {"field": "base", **down},
                    "y2": {"field": "top"},
                    "detail": {"field": "base"},
                    "tooltip": [{"field": "option", "title": "Option"}, {"field": "universes", "title": "Universes"}],
                },
            },
            {
                "data": {"values": self.rows},
                "mark": {"type": "rule", "style": "rule"},
                "encoding": {"y": {"field": "base", **down}},
            },
            {
                "data": {"values": self.labels},
                "mark": {"type": "text", "style": "label", "align": side, "baseline": "middle"},
                "encoding": {**text, "x": left, "text": {"field": "label"}},
            },
            {
                "data": {"values": self.heads},
                "mark": {"type": "text", "style": "label-strong", "align": "left", "baseline": "middle"},
                "encoding": {**text, "x": {"value": 0 if self.above else -self.room}, "text": {"field": "words"}},
            },
        ]
        if self.marks:
            layers.append(self._papers(across, down))
        return {"width": width, "height": self.y, "layer": layers}

    def _papers(self, across: Spec, down: Spec) -> Spec:
        return {
            "data": {"values": self.marks},
            "transform": [{"calculate": f"datum.base - {self.strip:.2f}", "as": "top"}],
            "mark": {"type": "rect", "style": "density"},
            "encoding": {
                "x": {"field": "at", **across},
                "x2": {"field": "to"},
                "y": {"field": "base", **down},
                "y2": {"field": "top"},
                "opacity": {"condition": {"test": "datum.near === ''", "value": 1}, "value": 0.45},
                "tooltip": [{"field": "paper", "title": "Paper"}, {"field": "near", "title": "Choices"}],
            },
        }


def short_paper(name: str) -> str:
    """Cañamares 2020."""
    words = name.split()
    return f"{words[0]} {words[-1]}"


def ranking_map(agreement: Agreement, universes: int, words: str, layout: Layout) -> Spec:
    """Rankings as marks: near each other if alike, as large as frequent, coloured by the option that most of them chose."""
    points = sorted(agreement.points, key=lambda point: -point.universes)
    rows = [
        {
            "x": p.x,
            "y": p.y,
            "n": p.universes,
            "option": agreement.levels[p.level] if agreement.levels else "",
            "order": p.order,
            "often": f"{count(p.universes)} ({percent(p.universes / universes)})",
        }
        for p in points
    ]
    used = [agreement.levels[k] for k in sorted({p.level for p in points})] if agreement.levels else [""]
    xs, ys = [p.x for p in points], [p.y for p in points]
    across, up = (max(ends) - min(ends) for ends in (xs, ys))
    width = min(layout.width - 40, 400.0)
    middle = ((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2)
    half = 0.56 * (across or 1.0)
    height = min(max(200.0, width * up / (across or 1.0)), 0.8 * width)
    tall = max(half * height / width, 0.56 * up)
    half = tall * width / height
    across_share, up_share = (percent(share) for share in agreement.axes)
    option = {"field": "option", "type": "nominal", "scale": {"domain": used}}
    legend = {
        "title": f"{words.capitalize()} of most of its universes",
        "titleOrient": "top",
        "columns": _fitting(used, layout),
    }
    return {
        "data": {"values": rows},
        "width": width,
        "height": height,
        "mark": {"type": "point", "style": "symbol"},
        "encoding": {
            "x": {**_axis("x", middle[0], half), "title": f"Across {across_share}, up {up_share} of the spread"},
            "y": {**_axis("y", middle[1], tall), "title": None},
            "size": {
                "field": "n",
                "type": "quantitative",
                "scale": {"range": [30, 900 if not layout.paper else 400], "zero": True},
                "legend": None,
            },
            "color": {**option, "legend": legend},
            "shape": {**option, "legend": legend},
            "opacity": {"value": 0.85},
            "tooltip": [
                {"field": "order", "title": "Ranking"},
                {"field": "often", "title": "Universes"},
                {"field": "option", "title": f"Most frequent {words}"},
            ],
        },
    }


def _fitting(labels: Sequence[str], layout: Layout) -> int:
    """Columns of a legend."""
    room = layout.width / (LETTER * text_size(paper=layout.paper))
    return max(1, min(len(labels), math.floor(room / (max(map(len, labels)) + 5))))


def _axis(field: str, middle: float, half: float) -> Spec:
    """A coordinate without unit."""
    scale = {"domain": [middle - half, middle + half], "nice": False, "zero": False}
    return {"field": field, "type": "quantitative", "scale": scale, "axis": {"labels": False, "grid": False, "domain": True}}
