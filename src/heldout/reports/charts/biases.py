"""Figures of biases: systems under every protocol, precision as expected and as measured, and sweeps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from heldout.reports.charts.encodings import (
    FADED,
    PALE,
    SYSTEM,
    Detail,
    Row,
    facets,
    labels,
    layer,
    named,
    nominal,
    plot,
    quantity,
    system_color,
    system_dash,
    system_shape,
    text_width,
    tooltips,
    upright,
)
from heldout.reports.charts.theme import text_size
from heldout.reports.document import Layout, Spec
from heldout.text.names import short_names

QUANTITIES = ("Measured, 95% interval", "Expected given the split", "Closed form, over splits", "Bounds (equation 2)")
"""What is drawn of a protocol and a system, one below the other."""
GAP = 24
"""Pixels between panels."""


def protocols(rows: Sequence[Row], systems: Sequence[str], metric: str, layout: Layout) -> Spec:
    """A mark with its interval for each system under each protocol, relative to the highest value there."""
    axis = labels(_distinct(rows, "protocol"), layout)
    ticks = {"format": ".0%", "tickCount": 5, "labelFlush": True}
    x: Spec = {"title": "Share of the highest value", "axis": ticks}
    legend = _legend(systems, layout)
    details = (SYSTEM, ("protocol", "Protocol"), ("value", metric), ("interval", "95% interval"))
    shared: Spec = {
        "y": _rows(rows, axis),
        "yOffset": nominal("system", scale={"domain": list(systems)}),
        "color": system_color(systems, legend=legend),
        "opacity": FADED,
        "tooltip": tooltips(*details, ("share", "Of the highest value"), ("users", "Users")),
    }
    shape = {"shape": system_shape(systems, legend=legend)}
    layers = [
        layer("rule", "whisker", {**shared, "x": quantity("low", **x), "x2": {"field": "high"}}),
        layer("point", "estimate", {**shared, **shape, "x": quantity("at", **x)}),
    ]
    width = layout.width - axis["minExtent"] - text_size(paper=layout.paper)
    return plot("protocols", rows, layout, {"step": 7 if layout.paper else 10}, layers, width=width)


def expected(rows: Sequence[Row], precision: str, layout: Layout) -> Spec:
    """Measured precision of each baseline above what was expected of it, one panel per baseline."""
    panels, drawn = _distinct(rows, "system"), _distinct(rows, "quantity")
    quantities = [quantity for quantity in QUANTITIES if quantity in drawn]
    axis = labels(_distinct(rows, "protocol"), layout)
    columns = 1 if layout.narrow else len(panels)
    width = (layout.width - axis["minExtent"] - 1.5 * text_size(paper=layout.paper) - GAP * (columns - 1)) / columns
    top = max(row[end] for row in rows for end in ("at", "high") if row[end] is not None)
    x: Spec = {
        "title": f"{precision} (square-root scale)",
        "scale": {"type": "sqrt", "domain": [0, top], "nice": False, "clamp": True},
        "axis": {"values": _root_ticks(top, most=width / 60), "format": "~g"},
    }
    by_quantity: Spec = nominal("quantity", legend={"columns": legend_columns(quantities, layout), "values": quantities})
    shapes = {"domain": list(QUANTITIES), "range": ["circle", "cross", "diamond", "square"]}
    details = (SYSTEM, ("protocol", "Protocol"), ("quantity", "Quantity"), ("value", precision))
    shared: Spec = {
        "y": _rows(rows, axis),
        "yOffset": nominal("quantity", scale={"domain": quantities}),
        "color": {**by_quantity, "scale": {"domain": list(QUANTITIES)}},
        "tooltip": tooltips(*details, ("interval", "Interval or bounds")),
    }
    ends = {**shared, "x": quantity("low", **x), "x2": {"field": "high"}}
    point = {**shared, "x": quantity("at", **x), "shape": {**by_quantity, "scale": shapes}}
    layers = [
        layer("rule", "whisker", ends, where="isValid(datum.low) && isValid(datum.at)"),
        layer("rule", "bracket", ends, where="isValid(datum.low) && !isValid(datum.at)"),  # bounds, which have no value
        layer("point", "estimate", point, where="isValid(datum.at)"),
    ]
    inner = {"width": width, "height": {"step": 6 if layout.paper else 8}, "layer": layers}
    return facets(rows, nominal("system", sort=panels, title=None), inner, columns, GAP)


def sweep(rows: Sequence[Row], systems: Sequence[str], precision: str, places: str, *, form: str, layout: Layout) -> Spec:
    """Precision of each system along a sweep, one panel per protocol with its title, all on one scale; bounds as bands.

    `places` is what the sweep changes, in axis ticks of the format `form`.
    """
    size = text_size(paper=layout.paper)
    columns = 1 if layout.narrow else len(_distinct(rows, "protocol"))
    width = (layout.width - 4.6 * size - (GAP + size) * (columns - 1)) / columns
    panel = "panel" if max(1.1 * text_width(row["panel"], layout) for row in rows) <= width else "brief"
    bounded = any(row["lower"] is not None for row in rows)
    axis = {"tickCount": max(3, int(width / 70)), "labelFlush": True, "labelOverlap": True, "format": form}
    axis |= {"tickMinStep": 1} if form.endswith("d") else {}
    legend = _legend(systems, layout)
    title = places[:1].upper() + places[1:]
    details: list[Detail] = [
        SYSTEM,
        ("protocol", "Protocol"),
        ("place", title),
        ("value", precision),
        ("interval", "95% interval"),
    ]
    details += [("bounds", "Bounds (equation 2)")] if bounded else []
    y: Spec = {"title": None, "axis": upright(layout)}
    shared: Spec = {
        "x": quantity("x", title=title, axis=axis, scale={"zero": False}),
        "opacity": FADED,
        "tooltip": tooltips(*details),
        "color": system_color(systems, legend=legend),
    }
    value = {**shared, "y": quantity("at", **y)}
    band = {**shared, "y": quantity("lower", **y), "y2": {"field": "upper"}, "opacity": PALE}
    line = {**value, "strokeDash": system_dash(systems), "order": quantity("x")}
    layers = [
        layer("rule", "whisker", {**shared, "y": quantity("low", **y), "y2": {"field": "high"}}),
        # Bounds are not first, because the legend is drawn like the first layer.
        *([layer("area", "area", band, where="isValid(datum.lower)")] if bounded else []),
        layer("line", "curve", line),
        layer("point", "estimate", {**value, "shape": system_shape(systems, legend=legend)}),
    ]
    inner = {"width": width, "height": 150 if layout.paper else 260, "layer": layers}
    return facets(rows, nominal(panel, sort=_distinct(rows, panel), title=None), inner, columns, GAP)


def legend_columns(names: Iterable[str], layout: Layout) -> int:
    """How many entries of a legend fit next to each other."""
    widths = [text_width(name, layout) for name in names]
    return max(1, min(len(widths), int(layout.width / (max(widths) + 3.4 * text_size(paper=layout.paper)))))


def _legend(systems: Sequence[str], layout: Layout) -> Spec:
    """A legend of systems by their short names."""
    names = short_names(systems)
    return {"columns": legend_columns(names.values(), layout), "labelExpr": named(names)}


def _distinct(rows: Sequence[Row], field: str) -> list[Any]:
    """The values of a field, each once, in the order of rows."""
    return list(dict.fromkeys(row[field] for row in rows))


def _rows(rows: Sequence[Row], axis: Spec) -> Spec:
    """Protocols from top to bottom."""
    scale = {"paddingInner": 0.3, "paddingOuter": 0.15}
    return nominal("protocol", sort=_distinct(rows, "protocol"), scale=scale, title=None, axis=axis)


def _root_ticks(top: float, most: float) -> list[float]:
    """0 and 1, 2 and 5 times powers of ten up to the top, at most so many and not close together on a scale of roots."""
    ticks: list[float] = []
    for power in range(math.floor(math.log10(top)), -9, -1):
        for factor in (5, 2, 1):
            tick = round(factor * 10.0**power, 12)
            before = math.sqrt(ticks[-1] / top) if ticks else math.inf
            if tick <= top and min(before - math.sqrt(tick / top), math.sqrt(tick / top)) >= 1 / most:
                ticks.append(tick)
    return [0.0, *sorted(ticks)]
