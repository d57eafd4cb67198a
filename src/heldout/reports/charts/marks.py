"""Charts that several topics share: rows of estimates, cells with shades and texts, lines, and named points.

Each has the parameter `focus`, and colours and markers by system. A row is a dictionary with the fields that a builder
names, and with the texts of its tooltip.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heldout.analysis.details import CurveRow
from heldout.reports.charts.encodings import (
    FADED,
    LINES,
    SYSTEM,
    Detail,
    Row,
    across,
    beside,
    inset,
    key,
    labels,
    layer,
    nominal,
    plot,
    plot_height,
    quantity,
    reach,
    short_systems,
    step,
    system_color,
    system_dash,
    system_shape,
    text_width,
    tooltips,
    upright,
    wrapped,
    zero_axis,
)
from heldout.reports.charts.label_places import beside_points
from heldout.reports.charts.theme import text_size
from heldout.reports.document import Layout, Spec
from heldout.text.numbers import percent

MOST_PANELS = 5
"""Groups that have a panel each next to each other; more are rows of one plot."""
MARKED = 8
"""Points of a curve with a marker and a tooltip."""


def estimate(system: str, name: str, value: float | None, ends: tuple[float | None, float | None], label: str) -> Spec:
    """The fields that a row of estimates has."""
    return {"system": system, "name": name, "value": value, "low": ends[0], "high": ends[1], "label": label}


def forest(
    name: str,
    rows: Sequence[Row],
    layout: Layout,
    *,
    systems: Sequence[str],
    title: str,
    details: Sequence[Detail],
    zero: bool = False,
    share: bool = False,
) -> Spec:
    """A row for each `name`: its interval from `low` to `high`, its estimate `value`, and its `label`.

    With `zero`, there is a line at 0 and numbers have signs; with `share`, they are in percent.
    """
    ends = [row["value"] if row["high"] is None else row["high"] for row in rows]
    rows = [{**row, "end": max(0.0, end) if zero else end} for row, end in zip(rows, ends, strict=True)]
    axis = labels([row["name"] for row in rows], layout)
    width = layout.width - axis["maxExtent"]
    scale = reach([row[field] for row in rows for field in ("value", "low", "high")], zero=zero)
    ticks: Spec = {"tickCount": 3 if layout.narrow else 6, **across(title, width, layout)}
    ticks |= {"labelExpr": zero_axis(percent=share)} if zero else {}
    ticks |= {"format": "+.0%"} if share else {}
    fitting = beside([row["end"] for row in rows], [row["label"] for row in rows], scale, width, layout)
    x = {"type": "quantitative", "scale": fitting, "axis": ticks}
    lines = max(row["name"].count("\n") for row in rows)
    high = step(layout, len(rows)) + 1.2 * text_size(paper=layout.paper) * lines
    marks = estimates(rows, x, {"y": nominal("name", sort=None, axis=axis)}, layout, systems=systems, details=details)
    line = [layer("rule", "zero", {"x": {**x, "datum": 0}})] if zero else []
    return plot(name, rows, layout, high * len(rows), [*line, *marks])


def estimates(
    rows: Sequence[Row],
    x: Spec,
    y: Mapping[str, Any],
    layout: Layout,
    *,
    systems: Sequence[str],
    details: Sequence[Detail],
    interval: str = "interval",
) -> list[Spec]:
    """Layers of rows of estimates: intervals if there are some, markers, holes in those with a `hole`, and labels."""
    shared = {**y, "opacity": FADED, "tooltip": tooltips(*details)}
    color, shape = system_color(systems, rows=rows), system_shape(systems, rows=rows)
    value = {**shared, "x": {**x, "field": "value"}}
    ends = {**shared, "x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": color}
    layers = [layer("rule", interval, ends)] if any(row["low"] is not None for row in rows) else []
    layers.append(layer("point", "estimate", {**value, "color": color, "shape": shape}))
    if any(row.get("hole") for row in rows):
        layers.append(layer("point", "hole", value, where="datum.hole"))
    if any(row["label"] for row in rows):
        text = {**shared, "x": {**x, "field": "end"}, "text": {"field": "label"}}
        layers.append(layer("text", "label", text, align="left", dx=0.6 * text_size(paper=layout.paper)))
    return layers


def panelled(groups: int, layout: Layout) -> bool:
    """True if so many groups have a panel each."""
    return groups <= MOST_PANELS and not layout.narrow


@dataclass(frozen=True, kw_only=True)
class Groups:
    """Estimates of systems on groups: a panel for each of a few groups in a wide layout, else a row for each."""

    name: str
    title: str
    """Of the axis."""
    rows: Sequence[Row]
    """Those of a forest, with the head of their `group` and an `end` next to which the label is."""
    heads: Sequence[str]
    names: Mapping[str, str]
    """System → its short name."""
    details: Sequence[Detail]
    layout: Layout

    @property
    def panelled(self) -> bool:
        """True if each group has a panel."""
        return panelled(len(self.heads), self.layout)

    @property
    def ends(self) -> tuple[float, float]:
        """The reach of values and intervals."""
        return reach([row[end] for row in self.rows for end in ("value", "low", "high")], zero=True)

    def axis(self) -> dict[str, Any]:
        """The axis with names of systems, or of groups."""
        return labels(self.names.values() if self.panelled else self.heads, self.layout)

    def spec(self, room: float, ends: tuple[float, float]) -> Spec:
        """The chart; its axis takes this room, and its scale has these ends."""
        axis = {**self.axis(), "minExtent": room, "maxExtent": room}
        return self._panels(axis, ends) if self.panelled else self._rows(axis, ends)

    def _panels(self, axis: dict[str, Any], ends: tuple[float, float]) -> Spec:
        """A panel for each group with a row for each system, on one scale."""
        layout, systems = self.layout, list(self.names)
        size, panels = text_size(paper=layout.paper), len(self.heads)
        gap = 1.6 * size
        width = (layout.width - axis["maxExtent"] - gap * (panels - 1)) / panels - 3
        widest = max(text_width(row["label"], layout) for row in self.rows)
        x: Spec = {
            "type": "quantitative",
            "scale": inset(ends, layout, width=width - widest),
            "axis": {"tickCount": max(2, int(width / (5 * size)))},
            "title": self.title if text_width(self.title, layout) < width else None,
        }
        y: Spec = {"y": nominal("name", sort=list(self.names.values()), axis=axis)}
        stem = {**y, "x": {**x, "field": "value"}, "x2": {"datum": 0}, "opacity": FADED, "tooltip": tooltips(*self.details)}
        layers = [layer("rule", "stem", stem)] if widest else []
        layers += estimates(self.rows, x, y, layout, systems=systems, details=self.details)
        return {
            "data": {"name": self.name, "values": self.rows},
            "facet": nominal("group", sort=self.heads, header={"title": None, "labelExpr": LINES}),
            "columns": panels,
            "spacing": gap,
            "bounds": "flush",
            "spec": {"width": width, "height": step(layout, len(systems)) * len(systems), "layer": layers},
        }

    def _rows(self, axis: dict[str, Any], ends: tuple[float, float]) -> Spec:
        """A row for each group, in which systems are below each other."""
        layout, systems = self.layout, list(self.names)
        size = text_size(paper=layout.paper)
        lines = max(text.count("\n") for text in self.heads) + 1
        band = max(0.62 * size * len(systems), 1.25 * size * lines) / 0.75
        title = across(self.title, layout.width - axis["maxExtent"], layout)
        ticks = {"tickCount": 4 if layout.narrow else 6, **title}
        x: Spec = {"type": "quantitative", "scale": inset(ends, layout), "axis": ticks}
        padding = {"paddingInner": 0.25, "paddingOuter": 0.12}
        y = nominal("group", sort=self.heads, scale=padding, axis={**axis, "grid": True, "tickBand": "extent"})
        offset = {"y": y, "yOffset": nominal("system", scale={"domain": systems})}
        layers = estimates(self.rows, x, offset, layout, systems=systems, details=self.details, interval="whisker")
        layers += key(self.names, layout, drawn=systems, left=axis["maxExtent"])
        return plot(self.name, self.rows, layout, band * len(self.heads), layers)


def heat(
    name: str, cells: Sequence[Row], layout: Layout, *, names: Mapping[str, str], details: Sequence[Detail], lines: int = 1
) -> Spec:
    """Cells with a `shade` from 0 to 1 and a `label` of so many lines in a `style`, in a column for each `system`.

    `names` are systems with their short names. Names of rows are next to the cells, or above them on narrow charts.
    """
    size, systems = text_size(paper=layout.paper), list(names)
    rows = list(dict.fromkeys(cell["row"] for cell in cells))
    label_lines = max(row.count("\n") for row in rows) + 1
    above = (1.2 * label_lines + 0.5) * size if layout.narrow else 0.0
    inside = 1.2 * size * max(lines, 1 if layout.narrow else label_lines) + 0.8 * size
    high = above + inside
    axis = None if layout.narrow else labels(rows, layout, most=0.38)
    left = axis["maxExtent"] if axis else 0.0
    touching = {"paddingInner": 0, "paddingOuter": 0}
    y = nominal("row", scale={"domain": rows, **touching}, axis=axis)
    x = nominal("system", scale={"domain": systems, **touching}, axis=None)
    middle: Spec = {"x": {**x, "bandPosition": 0.5}, "opacity": FADED}
    shade = quantity("shade", scale={"domain": [0, 1], "range": "ramp"}, legend=None)
    tooltip = tooltips(*details)
    span = {"y": {**y, "bandPosition": above / high}, "y2": {"field": "row", "bandPosition": 1}}
    layers = [layer("rect", "tile", {"x": x, **span, "color": shade, "tooltip": tooltip}, where="isValid(datum.shade)")]
    written = {"y": {**y, "bandPosition": (above + inside / 2) / high}, "text": {"field": "label"}, "tooltip": tooltip}
    for style in sorted({cell["style"] for cell in cells}):
        most = max(cell["label"].count("\n") for cell in cells if cell["style"] == style)
        where = f"datum.style === '{style}'"
        layers.append(layer("text", style, {**middle, **written}, where=where, dy=-0.6 * size * most))
    head = [{"system": system, "name": short} for system, short in names.items()]
    middle = {**middle, "tooltip": tooltips(SYSTEM)}
    symbol = {"y": {"value": -0.8 * size}, "color": system_color(systems), "shape": system_shape(systems)}
    layers.append(layer("point", "symbol", {**middle, **symbol}, rows=head))
    if max(text_width(short, layout) for short in names.values()) <= (layout.width - left) / len(systems) - 0.3 * size:
        short_name = {"y": {"value": -2.2 * size}, "text": {"field": "name"}}
        layers.append(layer("text", "label", {**middle, **short_name}, rows=head))
    else:
        layers += key(names, layout, drawn=systems, left=left, above=2.2 * size)
    if layout.narrow:
        place: Spec = {"x": {"value": 2}, "y": {**y, "bandPosition": 0.55 * above / high}, "text": {"field": "row"}}
        place |= {"tooltip": tooltips(("row", "Row"))}
        heads = [{"row": row} for row in rows]
        layers.append(layer("text", "note", place, rows=heads, align="left", dy=-0.6 * size * (label_lines - 1)))
    spec = plot(name, cells, layout, high * len(rows), layers)
    return {**spec, "resolve": {"scale": {"color": "independent"}}}


def lines(
    name: str, curves: Sequence[CurveRow], layout: Layout, *, systems: Sequence[str], of: Sequence[str], chance: bool
) -> Spec:
    """Lines of systems between axes of shares, with markers at some points; with `chance`, the line of a random order.

    `of` are the systems that short names tell apart.
    """
    names = short_systems([curve.system for curve in curves], layout, of=of, most=0.5)
    rows: list[Spec] = []
    for k, curve in enumerate(curves):
        every = math.ceil(len(curve.x) / MARKED)
        first = k * every // len(curves)
        rows += [
            {"system": curve.system, "x": x, "y": y, "marked": at % every == first, "X": percent(x), "Y": percent(y)}
            for at, (x, y) in enumerate(zip(curve.x, curve.y, strict=True))
        ]
    right, top = (max(row[field] for row in rows) for field in ("x", "y"))
    whole = chance or top > 0.5
    x_title, y_title = (label[:1].upper() + label[1:] for label in (curves[0].x_label, curves[0].y_label))
    x_scale = inset((0.0, 1.0 if whole or right > 0.8 else 1.03 * right), layout)
    y_scale = {"domain": [0, 1 if whole else 1.03 * top], "nice": False}
    axis = upright(layout, format=".0%")
    place = {
        "x": quantity(
            "x", scale=x_scale, axis={"format": ".0%", "tickCount": 4 if layout.width < 500 else 5}, title=x_title
        ),
        "y": quantity("y", scale=y_scale, axis=axis, title=y_title),
    }
    shared = {**place, "color": system_color(systems), "opacity": FADED}
    line = {**shared, "strokeDash": system_dash(systems), "tooltip": tooltips(SYSTEM)}
    point = {**shared, "shape": system_shape(systems), "tooltip": tooltips(SYSTEM, ("X", x_title), ("Y", y_title))}
    diagonal = {**place, "x2": {"field": "x2"}, "y2": {"field": "y2"}}
    layers = [
        *([layer("rule", "reference", diagonal, rows=[{"x": 0, "y": 0, "x2": 1, "y2": 1}])] if chance else []),
        layer("line", "curve", line, interpolate="linear"),
        layer("point", "estimate", point, where="datum.marked"),
        *key(names, layout, drawn=systems, left=axis["maxExtent"], above=2.2 * text_size(paper=layout.paper), lines=True),
    ]
    return plot(name, rows, layout, plot_height(layout, 260), layers)


def points(
    name: str,
    rows: Sequence[Row],
    layout: Layout,
    *,
    systems: Sequence[str],
    names: Mapping[str, str],
    titles: tuple[str, str],
    details: Sequence[Detail],
    log: bool = False,
) -> Spec:
    """A point for each system at `x` and `y` with its interval from `low` to `high`, and its name next to it.

    `titles` are those of the axes across and upright; with `log`, the axis across is in powers of ten.
    """
    size = text_size(paper=layout.paper)
    height, width = plot_height(layout, 240), layout.width - 4.6 * size
    ends = [row[field] for row in rows for field in ("y", "low", "high") if row[field] is not None]
    xs = [math.log10(row["x"]) if log else row["x"] for row in rows]
    (left, right), (bottom, top) = _widened(xs, 0.12), _widened(ends, 0.1)
    spots = [
        ((x - left) / (right - left) * width, (row["y"] - bottom) / (top - bottom) * height)
        for x, row in zip(xs, rows, strict=True)
    ]
    widths = [text_width(names[row["system"]], layout) for row in rows]
    places = beside_points(spots, widths, line=1.25 * size, gap=0.8 * size, top=height, right=width)
    texts = []
    for row, spot, (start, up), wide in zip(rows, spots, places, widths, strict=True):
        before = start < spot[0]
        end = left + (start + wide * before) / width * (right - left)
        texts.append(
            {
                **row,
                "name": names[row["system"]],
                "align": "right" if before else "left",
                "x2": 10**end if log else end,
                "y2": bottom + up / height * (top - bottom),
                "moved": abs(up - spot[1]) > 2,
            }
        )
    x_scale = inset((10**left, 10**right) if log else (left, right), layout) | ({"type": "log"} if log else {"zero": False})
    x_axis: Spec = {"tickCount": 4, **({"format": "~g", "values": _decades(left, right)} if log else {})}
    x = quantity("x", scale=x_scale, axis=x_axis, title=wrapped(titles[0], layout.width, layout).split("\n"))
    y_scale = {"domain": [bottom, top], "nice": False, "zero": False}
    y = quantity("y", scale=y_scale, axis=upright(layout), title=titles[1])
    place: Spec = {"x": x, "y": y, "opacity": FADED}
    shared = {**place, "tooltip": tooltips(*details)}
    color, shape = system_color(systems), system_shape(systems)
    whisker = {**shared, "y": {**y, "field": "low"}, "y2": {"field": "high"}, "color": color}
    text = {**shared, "x": {**x, "field": "x2"}, "y": {**y, "field": "y2"}, "text": {"field": "name"}}
    layers = [
        layer("rule", "rule", {**place, "x2": {"field": "x2"}, "y2": {"field": "y2"}}, rows=texts, where="datum.moved"),
        layer("rule", "whisker", whisker, where="isValid(datum.low)"),
        layer("point", "symbol", {**shared, "color": color, "shape": shape}),
        layer("text", "label", text, rows=texts, align={"expr": "datum.align"}),
    ]
    return plot(name, rows, layout, height, layers)


def _widened(values: Sequence[float], share: float) -> tuple[float, float]:
    """The range of values with a margin of this share."""
    low, high = min(values), max(values)
    margin = share * (high - low) or 0.1 * abs(high) or 0.1
    return low - margin, high + margin


def _decades(low: float, high: float) -> list[float]:
    """Powers of ten between two powers, with those times 2 and 5 if there are fewer than three."""
    powers = range(math.floor(low), math.ceil(high) + 1)
    tens = [10.0**k for k in powers if low <= k <= high]
    if len(tens) > 2:
        return tens
    return [f * 10.0**k for k in powers for f in (1, 2, 5) if low <= math.log10(f * 10.0**k) <= high]
