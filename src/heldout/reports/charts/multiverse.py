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
    layer,
    nominal,
    plot_height,
    quantity,
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
    effects = _effects(curve, pair, systems, here, options.room, layout)
    parts = [{"width": width, **effects}, {"width": width, **options.view()}]
    return {"params": [*FOCUS, {"name": here, "value": None}], "spacing": 8, "bounds": "flush", "vconcat": parts}


def _effects(
    curve: SpecificationCurve, pair: tuple[str, str], systems: Sequence[str], here: str, room: float, layout: Layout
) -> Spec:
    """A column for each few universes, in the colour of the system that is significantly better in most of them."""
    low, high = reach(curve.effect)
    first, second = pair
    winner = {1: first, 0: NEITHER, -1: second}
    rows = [
        {
            **{"at": c, "to": c + 1, "effect": min(max(effect, low), high), "system": winner[curve.winner(c)]},
            "lead": f"{first if effect > 0 else second} by {percent(abs(effect))}" if effect else "equal",
            "universes": count(size),
            "first": f"{count(curve.first[c])} ({percent(curve.first[c] / size)})",
            "second": f"{count(curve.second[c])} ({percent(curve.second[c] / size)})",
        }
        for c, (size, effect) in enumerate(zip(curve.sizes, curve.effect, strict=True))
    ]
    better = (("first", f"{first} significantly better"), ("second", f"{second} significantly better"))
    legend = {
        "title": "Significantly better",
        "titleOrient": "top",
        "values": [first, NEITHER, second],
        "columns": 1 if text_width(f"{first} {NEITHER} {second}", layout) > 0.7 * layout.width else 3,
        "symbolType": "square",
    }
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
    column = {
        "x": quantity("at"),
        "x2": {"field": "to"},
        "y": quantity("effect"),
        "y2": {"datum": 0},
        "color": nominal("system", scale=winner_colours(systems), legend=legend),
        "opacity": FADED,
        "tooltip": tooltips(("lead", "Ahead in the median"), ("universes", "Universes"), *better),
    }
    layers = [
        {"data": {"values": rows}, "mark": {"type": "rect"}, "encoding": column},
        layer("rule", "zero", {"x": None, "y": {"datum": 0}}, rows=[{}]),
        chosen(here, len(rows)),
    ]
    places = {"x": _along(len(rows)), "y": {"type": "quantitative", "scale": scale, "axis": axis}}
    return {"height": plot_height(layout), "layer": layers, "encoding": places}


def _along(columns: int) -> Spec:
    """The columns of the curve, from left to right."""
    return {"type": "quantitative", "scale": {"domain": [0, columns], "nice": False}, "axis": None}


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

    def view(self) -> Spec:
        """The rows as one view, of which y is the distance from its upper edge in pixels."""
        down: Spec = {"type": "quantitative", "scale": {"domain": [self.y, 0], "nice": False, "zero": False}, "axis": None}
        x, base = {**_along(self.columns), "field": "at"}, {**down, "field": "base"}
        left = {"value": 0} if self.above else {"value": -8}
        height = {"x": x, "y": base, "y2": {"field": "top"}}
        often = tooltips(("option", "Option"), ("universes", "Universes"))
        area = layer("area", "density", {**height, "detail": {"field": "base"}, "tooltip": often}, rows=self.rows)
        area["mark"]["interpolate"] = "step-after"
        area["transform"] = [
            {"calculate": "split(datum.heights + slice(datum.heights, -1), '')", "as": "height"},
            {"calculate": f"sequence(0, {self.columns + 1})", "as": "at"},
            {"flatten": ["height", "at"]},
            {"calculate": f"datum.base - {self.strip / STEPS:.4f} * toNumber(datum.height)", "as": "top"},
        ]
        text: Spec = {"y": {**down, "field": "y"}, "tooltip": None}
        option = {**text, "x": left, "text": {"field": "label"}}
        head = {**text, "x": {"value": 0 if self.above else -self.room}, "text": {"field": "words"}}
        middle = {"baseline": "middle"}
        layers = [
            area,
            layer("rule", "rule", {"y": base}, rows=self.rows),
            layer("text", "label", option, rows=self.labels, align="left" if self.above else "right", **middle),
            layer("text", "label-strong", head, rows=self.heads, align="left", **middle),
        ]
        if self.marks:
            near = {"condition": {"test": "datum.near === ''", "value": 1}, "value": 0.45}
            told = tooltips(("paper", "Paper"), ("near", "Choices"))
            mark = {**height, "x2": {"field": "to"}, "opacity": near, "tooltip": told}
            papers = layer("rect", "density", mark, rows=self.marks)
            papers["transform"] = [{"calculate": f"datum.base - {self.strip:.2f}", "as": "top"}]
            layers.append(papers)
        return {"height": self.y, "layer": layers}


def short_paper(name: str) -> str:
    """Cañamares 2020."""
    words = name.split()
    return f"{words[0]} {words[-1]}"


def ranking_map(agreement: Agreement, universes: int, words: str, layout: Layout) -> Spec:
    """Rankings as marks: near each other if alike, as large as frequent, coloured by the option that most of them chose."""
    points = sorted(agreement.points, key=lambda point: -point.universes)
    rows = [
        {
            **{"x": p.x, "y": p.y, "n": p.universes, "order": p.order},
            "option": agreement.levels[p.level] if agreement.levels else "",
            "often": f"{count(p.universes)} ({percent(p.universes / universes)})",
        }
        for p in points
    ]
    used = [agreement.levels[k] for k in sorted({p.level for p in points})] if agreement.levels else [""]
    xs, ys = [p.x for p in points], [p.y for p in points]
    across, up = (max(ends) - min(ends) for ends in (xs, ys))
    width = min(layout.width - 40, 400.0)
    height = min(max(200.0, width * up / (across or 1.0)), 0.8 * width)
    tall = max(0.56 * (across or 1.0) * height / width, 0.56 * up)
    across_share, up_share = (percent(share) for share in agreement.axes)
    room = layout.width / (LETTER * text_size(paper=layout.paper))
    legend = {
        "title": f"{words.capitalize()} of most of its universes",
        "titleOrient": "top",
        "columns": max(1, min(len(used), math.floor(room / (max(map(len, used)) + 5)))),
    }
    option = nominal("option", scale={"domain": used}, legend=legend)
    encoding = {
        "x": {**_place("x", xs, tall * width / height), "title": f"Across {across_share}, up {up_share} of the spread"},
        "y": {**_place("y", ys, tall), "title": None},
        "size": quantity("n", scale={"range": [30, 400 if layout.paper else 900], "zero": True}, legend=None),
        "color": option,
        "shape": option,
        "opacity": {"value": 0.85},
        "tooltip": tooltips(("order", "Ranking"), ("often", "Universes"), ("option", f"Most frequent {words}")),
    }
    return {"width": width, "height": height, **layer("point", "symbol", encoding, rows=rows)}


def _place(field: str, values: Sequence[float], half: float) -> Spec:
    """A coordinate without unit, so far on either side of the middle of its values."""
    middle = (max(values) + min(values)) / 2
    scale = {"domain": [middle - half, middle + half], "nice": False, "zero": False}
    return quantity(field, scale=scale, axis={"labels": False, "grid": False, "domain": True})
