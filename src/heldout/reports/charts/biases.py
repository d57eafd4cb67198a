"""Figures of biases: systems under every protocol, precision as expected and as measured, and sweeps."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

from heldout.reports.charts.encodings import (
    FADED,
    FOCUS,
    Row,
    labels,
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
PALE = {"condition": {**FADED["condition"], "value": 0.5}, "value": 0.1}
"""Opacity of bands of a system."""


def protocols(rows: Sequence[Row], systems: Sequence[str], metric: str, layout: Layout) -> Spec:
    """A mark with its interval for each system under each protocol, relative to the highest value there."""
    order = _distinct(rows, "protocol")
    axis = labels(order, layout)
    across = {
        "type": "quantitative",
        "title": "Share of the highest value",
        "axis": {"format": ".0%", "tickCount": 5, "labelFlush": True},
    }
    legend = _legend(systems, layout)
    details = (("system", "System"), ("protocol", "Protocol"), ("value", metric), ("interval", "95% interval"))
    return {
        "params": FOCUS,
        "data": {"values": list(rows)},
        "width": layout.width - axis["minExtent"] - text_size(paper=layout.paper),
        "height": {"step": 7 if layout.paper else 10},
        "encoding": {
            "y": _rows(order, axis),
            "yOffset": {"field": "system", "type": "nominal", "scale": {"domain": list(systems)}},
            "color": system_color(systems, legend=legend),
            "opacity": FADED,
            "tooltip": tooltips(*details, ("share", "Of the highest value"), ("users", "Users")),
        },
        "layer": [
            {
                "mark": {"type": "rule", "style": "whisker"},
                "encoding": {"x": {"field": "low", **across}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "style": "estimate"},
                "encoding": {"x": {"field": "at", **across}, "shape": system_shape(systems, legend=legend)},
            },
        ],
    }


def expected(rows: Sequence[Row], precision: str, layout: Layout) -> Spec:
    """Measured precision of each baseline above what was expected of it, one panel per baseline."""
    order, panels = _distinct(rows, "protocol"), _distinct(rows, "system")
    quantities = [quantity for quantity in QUANTITIES if quantity in _distinct(rows, "quantity")]
    axis = labels(order, layout)
    columns = 1 if layout.narrow else len(panels)
    inside = (layout.width - axis["minExtent"] - 1.5 * text_size(paper=layout.paper) - GAP * (columns - 1)) / columns
    top = max(row[end] for row in rows for end in ("at", "high") if row[end] is not None)
    across = {
        "type": "quantitative",
        "title": f"{precision} (square-root scale)",
        "scale": {"type": "sqrt", "domain": [0, top], "nice": False, "clamp": True},
        "axis": {"values": _root_ticks(top, most=inside / 60), "format": "~g"},
    }
    legend = {"columns": legend_columns(quantities, layout), "values": quantities}
    by_quantity = {"field": "quantity", "type": "nominal", "legend": legend}
    shapes = {"domain": list(QUANTITIES), "range": ["circle", "cross", "diamond", "square"]}
    details = (("system", "System"), ("protocol", "Protocol"), ("quantity", "Quantity"), ("value", precision))

    def ends(style: str, *, valued: bool) -> Spec:
        """Intervals of what has a value, or bounds, which have none."""
        return {
            "transform": [{"filter": {"field": "low", "valid": True}}, {"filter": {"field": "at", "valid": valued}}],
            "mark": {"type": "rule", "style": style},
            "encoding": {"x": {"field": "low", **across}, "x2": {"field": "high"}},
        }

    point = {
        "transform": [{"filter": {"field": "at", "valid": True}}],
        "mark": {"type": "point", "style": "estimate"},
        "encoding": {"x": {"field": "at", **across}, "shape": {**by_quantity, "scale": shapes}},
    }
    return {
        "params": FOCUS,
        "data": {"values": list(rows)},
        "facet": {"field": "system", "type": "nominal", "sort": panels, "title": None},
        "columns": columns,
        "spacing": GAP,
        "spec": {
            "width": inside,
            "height": {"step": 6 if layout.paper else 8},
            "encoding": {
                "y": _rows(order, axis),
                "yOffset": {"field": "quantity", "type": "nominal", "scale": {"domain": quantities}},
                "color": {**by_quantity, "scale": {"domain": list(QUANTITIES)}},
                "tooltip": tooltips(*details, ("interval", "Interval or bounds")),
            },
            "layer": [ends("whisker", valued=True), ends("bracket", valued=False), point],
        },
    }


def sweep(
    rows: Sequence[Row],
    systems: Sequence[str],
    precision: str,
    places: str,
    *,
    form: str,
    layout: Layout,
) -> Spec:
    """Precision of each system along a sweep, one panel per protocol with its title, all on one scale; bounds as bands.

    `places` is what the sweep changes, in axis ticks of the format `form`.
    """
    size = text_size(paper=layout.paper)
    columns = 1 if layout.narrow else len(_distinct(rows, "protocol"))
    inside = (layout.width - 4.6 * size - (GAP + size) * (columns - 1)) / columns
    panel = "panel" if max(1.1 * text_width(row["panel"], layout) for row in rows) <= inside else "brief"
    bounded = any(row["lower"] is not None for row in rows)
    axis = {"tickCount": max(3, int(inside / 70)), "labelFlush": True, "labelOverlap": True, "format": form}
    axis |= {"tickMinStep": 1} if form.endswith("d") else {}
    legend = _legend(systems, layout)
    color = {"color": system_color(systems, legend=legend)}
    dash = {"strokeDash": system_dash(systems), "order": {"field": "x", "type": "quantitative"}}
    details = (
        ("system", "System"),
        ("protocol", "Protocol"),
        ("place", places[:1].upper() + places[1:]),
        ("value", precision),
    )

    def up(field: str, second: str = "") -> dict[str, Any]:
        first = {"field": field, "type": "quantitative", "title": None, "axis": upright(layout)}
        return {"y": first, **color, **({"y2": {"field": second}} if second else {})}

    band = {
        "transform": [{"filter": {"field": "lower", "valid": True}}],
        "mark": {"type": "area", "style": "area"},
        "encoding": {**up("lower", "upper"), "opacity": PALE},
    }
    return {
        "params": FOCUS,
        "data": {"values": list(rows)},
        "facet": {"field": panel, "type": "nominal", "sort": _distinct(rows, panel), "title": None},
        "columns": columns,
        "spacing": GAP,
        "spec": {
            "width": inside,
            "height": 150 if layout.paper else 260,
            "encoding": {
                "x": {
                    "field": "x",
                    "type": "quantitative",
                    "title": places[:1].upper() + places[1:],
                    "axis": axis,
                    "scale": {"zero": False},
                },
                "opacity": FADED,
                "tooltip": tooltips(
                    *details, ("interval", "95% interval"), *([("bounds", "Bounds (equation 2)")] if bounded else [])
                ),
            },
            "layer": [
                {"mark": {"type": "rule", "style": "whisker"}, "encoding": up("low", "high")},
                *([band] if bounded else []),  # not first, because the legend is drawn like the first layer
                {"mark": {"type": "line", "style": "curve"}, "encoding": up("at") | dash},
                {
                    "mark": {"type": "point", "style": "estimate"},
                    "encoding": {**up("at"), "shape": system_shape(systems, legend=legend)},
                },
            ],
        },
    }


def legend_columns(names: Iterable[str], layout: Layout) -> int:
    """How many entries of a legend fit next to each other."""
    widths = [text_width(name, layout) for name in names]
    return max(1, min(len(widths), int(layout.width / (max(widths) + 3.4 * text_size(paper=layout.paper)))))


def _legend(systems: Sequence[str], layout: Layout) -> dict[str, Any]:
    """A legend of systems by their short names."""
    names = short_names(systems)
    shown = f"{json.dumps(names, ensure_ascii=False)}[datum.value]"
    return {"columns": legend_columns(names.values(), layout), "labelExpr": shown}


def _distinct(rows: Sequence[Row], field: str) -> list[Any]:
    """The values of a field, each once, in the order of rows."""
    return list(dict.fromkeys(row[field] for row in rows))


def _rows(order: Sequence[str], axis: dict[str, Any]) -> dict[str, Any]:
    """Protocols from top to bottom."""
    scale = {"paddingInner": 0.3, "paddingOuter": 0.15}
    return {"field": "protocol", "type": "nominal", "sort": list(order), "scale": scale, "title": None, "axis": axis}


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
