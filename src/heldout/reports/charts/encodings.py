"""What chart functions of every topic have in common: room, names of systems, tooltips, and the focus on one system."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Any, TypeAlias

from heldout.reports.charts.theme import DASHES, text_size
from heldout.reports.document import Layout, Spec
from heldout.text.names import short_names, shorten_all

Row: TypeAlias = Mapping[str, Any]
Detail: TypeAlias = str | tuple[str, str]
"""A field in a tooltip, with its title if that is not its name."""
SYSTEM: Detail = ("system", "System")
FOCUS: list[dict[str, Any]] = [{"name": "focus", "value": None}]
"""The parameter `focus`: the system that a reader points at, or null."""
FADED: dict[str, Any] = {"condition": {"test": "focus === null || datum.system === focus", "value": 1}, "value": 0.2}
"""Opacity of marks of a system: full unless a reader points at another one."""
PALE: Spec = {"condition": {**FADED["condition"], "value": 0.5}, "value": 0.1}
"""Opacity of bands and lines of a system, which lie below its marks."""
LINES = "split(datum.label, '\\n')"
"""The `labelExpr` of labels of several lines."""
_NARROW_LETTERS, _WIDE_LETTERS = set("iljtfrI.,:;·|'!()[] 1"), set("mwMW@%—")


def text_width(text: str, layout: Layout) -> float:
    """About how many pixels a text takes, its longest line if it has several; on the wide side, because fonts differ."""
    return max(map(_letters, text.split("\n"))) * text_size(paper=layout.paper)


def _letters(line: str) -> float:
    return sum(0.34 if c in _NARROW_LETTERS else 0.9 if c in _WIDE_LETTERS else 0.69 if c.isupper() else 0.58 for c in line)


def characters(pixels: float, layout: Layout) -> int:
    """About how many characters fit into some pixels, 6 at least."""
    return max(6, int(pixels / (0.55 * text_size(paper=layout.paper))))


def wrapped(text: str, pixels: float, layout: Layout) -> str:
    """A text in as many lines as it needs to fit; a word that is too long stays whole."""
    return "\n".join(wrap(text, characters(pixels, layout), break_long_words=False, break_on_hyphens=False) or [text])


def step(layout: Layout, rows: int = 99) -> int:
    """Height of one of these rows; rows on a page fill 160 pixels at least."""
    return 17 if layout.paper else max(28, min(60, -(-160 // max(rows, 1))))


def sized(layout: Layout, height: float | Mapping[str, Any]) -> Spec:
    """Width and height of a chart with one pair of axes: the width includes them."""
    return {"width": layout.width, "height": height, "autosize": {"type": "fit-x", "contains": "padding"}}


def plot_height(layout: Layout, pixels: float = 240) -> float:
    """Height of a plot that is this high on a page."""
    return round((0.62 if layout.paper else 1.0) * pixels)


def plot(
    name: str, rows: Sequence[Row], layout: Layout, height: Any, layers: Sequence[Spec], *, width: float | None = None
) -> Spec:
    """Layers over the same rows between one pair of axes; with `width`, that of the plot without its axes."""
    room = sized(layout, height) if width is None else {"width": width, "height": height}
    data = {"data": {"name": name, "values": list(rows)}} if rows else {}
    return {**room, "params": FOCUS, **data, "layer": list(layers)}


def facets(
    rows: Sequence[Row], by: Spec, inner: Spec, columns: int, spacing: float | Mapping[str, float], **options: Any
) -> Spec:
    """The chart `inner` once for each value of a field, on the same scales."""
    data = {"data": {"values": list(rows)}}
    return {"params": FOCUS, **data, "facet": by, "columns": columns, "spacing": spacing, "spec": inner, **options}


def layer(
    kind: str, style: str, encoding: Mapping[str, Any], *, rows: Sequence[Row] | None = None, where: str = "", **mark: Any
) -> Spec:
    """Marks of a kind and style; of separate `rows`, or of rows for which the expression `where` is true."""
    data = {} if rows is None else {"data": {"values": list(rows)}}
    filtered = {"transform": [{"filter": where}]} if where else {}
    return {**data, **filtered, "mark": {"type": kind, "style": style, **mark}, "encoding": dict(encoding)}


def quantity(field: str, **more: Any) -> Spec:
    """A channel of numbers."""
    return {"field": field, "type": "quantitative", **more}


def named(names: Mapping[str, str]) -> str:
    """The `labelExpr` for the short form of a name."""
    return f"{json.dumps(dict(names), ensure_ascii=False)}[datum.value]"


def nominal(field: str, **more: Any) -> Spec:
    """A channel of names."""
    return {"field": field, "type": "nominal", **more}


def pixels(field: str) -> Spec:
    """A channel of distances from the left or upper edge of the plot."""
    return quantity(field, scale=None, axis=None)


def tooltips(*fields: Detail) -> list[dict[str, str]]:
    """Fields of texts with their titles; the title is the field unless one is given."""
    pairs = [(field, field) if isinstance(field, str) else field for field in fields]
    return [{"field": field, "title": title, "type": "nominal"} for field, title in pairs]


def system_color(
    systems: Sequence[str], *, rows: Iterable[Row] = (), legend: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Colour by system, the same in every chart; `systems` are those with a colour, in the order of the document.

    Systems of `rows` that have none are drawn in the colour of their style.
    """
    return _by_system(systems, {}, rows, legend)


def system_shape(
    systems: Sequence[str], *, rows: Iterable[Row] = (), legend: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Marker by system, the same in every chart; a circle for systems without one."""
    encoding = _by_system(systems, {"range": "symbol"}, rows, legend)
    return {**encoding, "value": "circle"} if "condition" in encoding else encoding


def system_dash(systems: Sequence[str], *, legend: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Dashes by system, the same in every chart."""
    return _by_system(systems, {"range": [list(dash) for dash in DASHES[: len(systems)]]}, (), legend)


def _by_system(
    systems: Sequence[str], scale: Mapping[str, Any], rows: Iterable[Row], legend: Mapping[str, Any] | None
) -> dict[str, Any]:
    of_system = {"field": "system", "type": "nominal", "scale": {"domain": list(systems), **scale}, "legend": legend}
    if all(row["system"] in set(systems) for row in rows):
        return of_system
    return {"condition": {"test": f"indexof({json.dumps(list(systems))}, datum.system) >= 0", **of_system}}


def short_systems(
    systems: Sequence[str], layout: Layout | None = None, *, of: Sequence[str] = (), most: float = 0.42
) -> dict[str, str]:
    """System → its name without parameters if that distinguishes all of them, cut to a share of the width."""
    named = short_names(list(dict.fromkeys([*of, *systems])))
    names = [named[system] for system in systems]
    short = {name: name for name in names} if layout is None else shorten_all(names, characters(most * layout.width, layout))
    return {system: short[named[system]] for system in systems}


def key(
    names: Mapping[str, str],
    layout: Layout,
    *,
    drawn: Sequence[str],
    left: float = 0.0,
    above: float = 0.0,
    lines: bool = False,
) -> list[Spec]:
    """Layers that name systems above the whole chart, with marker and colour, and with dashes for `lines`.

    A legend of Vega-Lite begins where the plot begins, which is too narrow next to long labels: `left` is the room that
    these take. `above` is the room for the title of an upright axis below the key.
    """
    size = text_size(paper=layout.paper)
    mark = 3.2 * size if lines else 1.3 * size
    widest = mark + max(text_width(name, layout) for name in names.values()) + 1.2 * size
    columns = max(1, min(len(names), int((layout.width + size) / widest)))
    rows = -(-len(names) // columns)
    entries = []
    for k, (system, name) in enumerate(names.items()):
        start = k % columns * widest - left + 0.6 * size
        end = start + mark - 0.8 * size
        y = -above - (0.9 + 1.5 * (rows - 1 - k // columns)) * size
        middle = (start + end) / 2 if lines else start
        entries.append(
            {"system": system, "name": name, "x": middle, "y": y, "from": start, "to": end, "text": end + 0.4 * size}
        )
    shared = {"y": pixels("y"), "opacity": FADED, "tooltip": tooltips(SYSTEM)}
    color, dash = {"color": system_color(drawn)}, {"strokeDash": system_dash(drawn)}
    line = layer("rule", "curve", {**shared, **color, **dash, "x": pixels("from"), "x2": {"field": "to"}})
    point = layer(
        "point", "estimate" if lines else "symbol", {**shared, **color, "x": pixels("x"), "shape": system_shape(drawn)}
    )
    text = layer("text", "label", {**shared, "x": pixels("text"), "text": {"field": "name"}}, align="left")
    return [{"data": {"values": entries}, "layer": [*([line] if lines else []), point, text]}]


def inset(ends: tuple[float, float], layout: Layout, *, width: float | None = None) -> dict[str, Any]:
    """A scale across that leaves room for the last label; `width` is that of a panel of several."""
    room = round(1.4 * text_size(paper=layout.paper))
    last = {"expr": f"width - {room}"} if width is None else round(width - room)
    return {"domain": list(ends), "nice": False, "range": [0, last]}


def across(title: str, plot: float, layout: Layout) -> dict[str, Any]:
    """The title of an axis across, in as many lines as it needs; below the names of rows too if the plot is too narrow."""
    lines = wrapped(title, 0.85 * layout.width, layout).split("\n")
    wide = max(text_width(line, layout) for line in lines) > plot
    return {"title": lines, **({"titleAnchor": "end"} if wide else {})}


def upright(layout: Layout, **axis: Any) -> dict[str, Any]:
    """An upright axis of numbers, always as wide."""
    room = round(3.2 * text_size(paper=layout.paper))
    return {"tickCount": 5, "minExtent": room, "maxExtent": room, **axis}


def labels(names: Iterable[str], layout: Layout, *, most: float = 0.42) -> dict[str, Any]:
    """An axis with names of rows, as wide as the widest, or as this share of the chart at most."""
    names = list(names)
    widest = max((text_width(name, layout) for name in names), default=0.0)
    room = round(min(widest, most * layout.width) + text_size(paper=layout.paper) / 2)
    lines = min((name.count("\n") for name in names), default=0)
    up = -0.6 * text_size(paper=layout.paper) * lines  # Vega puts the first of several lines where the middle should be
    return {"title": None, "labelLimit": 0, "minExtent": room, "maxExtent": room, "labelExpr": LINES, "labelOffset": up}


def reach(values: Iterable[float | None], *, zero: bool = False) -> tuple[float, float]:
    """The range of values with a margin; from 0 if `zero`, or if they begin close to it."""
    known = [value for value in values if value is not None]
    low, high = min(known), max(known)
    margin = 0.04 * (high - low) or 0.06 * abs(high) or 0.01
    if low >= 0 and (zero or low <= 0.25 * high):
        return 0.0, high + margin
    return (min(0.0, low - margin) if zero else low - margin), (max(0.0, high + margin) if zero else high + margin)


def beside(ends: Sequence[float], texts: Sequence[str], scale: tuple[float, float], plot: float, layout: Layout) -> Spec:
    """A scale on which a text next to each of these ends fits into a plot of so many pixels."""
    start, stop = scale
    room = 1.2 * text_size(paper=layout.paper)
    most = plot - room
    for end, text in zip(ends, texts, strict=True):
        share = (end - start) / (stop - start)
        if share > 0:
            most = min(most, (plot - room - text_width(text, layout)) / share)
    kept = max(most, 0.3 * plot)
    return {"domain": [start, stop], "nice": False, "range": [0, {"expr": f"width - {round(plot - kept)}"}]}


def zero_axis(percent: bool = False) -> str:
    """The `labelExpr` of a scale of signed numbers: no sign at 0."""
    return f"datum.value === 0 ? '{'0%' if percent else '0'}' : datum.label"


def chosen_room(layout: Layout) -> float:
    """Height above the marks of a plot in which the word of `chosen` is, as a share of theirs; a paper has none."""
    return 0.0 if layout.paper else 0.08


def chosen(parameter: str, columns: float) -> Spec:
    """A line at the way of measuring that a reader of a page chose; `parameter` is its place from 0 to 1, or null."""
    right = f"{parameter} > 0.8"
    place = {"x": quantity("at"), "y": {"value": 0}}
    sides: Spec = {"align": {"expr": f"{right} ? 'right' : 'left'"}, "dx": {"expr": f"{right} ? -6 : 6"}}
    return {
        "data": {"values": [{}]},
        "transform": [
            {"calculate": f"{parameter} === null ? null : {columns} * {parameter}", "as": "at"},
            {"filter": "datum.at !== null"},
        ],
        "layer": [
            layer("rule", "zero", {**place, "y2": {"value": "height"}}),
            layer("text", "label", place, baseline="top", text="chosen", **sides),
        ],
    }


def within(spec: Spec, width: float) -> Spec:
    """A chart as a part of a chart of several, with a plot of this width: only a whole chart fits its plot to the room."""
    part: Spec = _measured(spec, width)
    return {**{name: value for name, value in part.items() if name not in ("autosize", "params")}, "width": width}


def _measured(node: Any, width: float) -> Any:
    """Expressions of the width as numbers."""
    if isinstance(node, dict):
        if set(node) == {"expr"} and str(node["expr"]).startswith("width - "):
            return round(width - float(node["expr"].removeprefix("width - ")))
        return {name: value if name == "data" else _measured(value, width) for name, value in node.items()}
    return [_measured(value, width) for value in node] if isinstance(node, list) else node
