"""Charts of the quality of metrics: power, robustness, agreement, swaps and reliability.

The field `system` of the data holds the metric without its depth, because metrics are what these charts compare.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from heldout.metric_quality.findings import (
    KEEPS,
    AgreementMatrix,
    DiscriminativePower,
    MetricRow,
    Reliability,
    SwapRate,
    SweepPoint,
)
from heldout.metric_quality.sentences import mean_p_words
from heldout.reports.charts.encodings import (
    FADED,
    FOCUS,
    characters,
    labels,
    plot_height,
    system_color,
    system_shape,
    text_width,
    tooltips,
    wrapped,
)
from heldout.reports.charts.label_places import label_places
from heldout.reports.charts.theme import text_size
from heldout.reports.document import Layout, Spec
from heldout.text.names import shorten_all
from heldout.text.numbers import count, number, p_number, percent

P_TICKS = (0, 0.01, 0.05, 0.2, 0.5, 1)
"""On an axis of p-values, which is a square root, so that small ones are apart."""
_LIGHT: dict[str, Any] = {**FADED, "condition": {**FADED["condition"], "value": 0.5}, "value": 0.1}
_LABELLED: dict[str, Any] = {
    "condition": [
        {"test": f"({FADED['condition']['test']}) && datum.label !== null", "value": 1},
        {**FADED["condition"], "value": 0.5},
    ],
    "value": 0.1,
}
"""Opacity of points of which those with a label stand out."""

Panel = tuple[str, MetricRow]
"""Name of a row of a chart, or of a small chart, and the metric that it shows."""


def front(rows: Sequence[MetricRow], names: Sequence[str], labelled: Sequence[str], layout: Layout) -> Spec:
    """Robustness against power: a point for each metric and depth, with the standard error of its mean p.

    `labelled` metrics are named in a column on the right, each joined with its point.
    """
    size = text_size(paper=layout.paper)
    short = shorten_all(list(labelled), characters(0.3 * layout.width, layout))
    column = max(text_width(name, layout) for name in short.values()) + 2.2 * size
    width = layout.width - column - 3.6 * size
    pitch = 1.25 * size
    height = max(plot_height(layout, 380), pitch * (len(labelled) + 1))
    taus = [row.missing_tau for row in rows]
    margin = 0.05 * (max(taus) - min(taus)) or 0.05
    low, high = min(taus) - margin, max(taus) + margin
    named = sorted((row for row in rows if row.metric in short), key=lambda row: -row.missing_tau)
    gap = pitch * (high - low) / height
    heights = label_places([row.missing_tau for row in named], gap, low, high)
    place = dict(zip((row.metric for row in named), heights, strict=True))
    data = [
        {
            **_of(row),
            **_mean_p(row),
            "tau": row.missing_tau,
            "label": short.get(row.metric),
            "place": place.get(row.metric),
            "Mean τ": number(row.missing_tau, 3),
        }
        for row in rows
    ]
    tooltip = tooltips("Metric", "Mean p ± SE", "Mean τ")
    most = 1.02 * max(row["high"] for row in data)
    across = _p_axis("mean", "Mean p-value (lower is better)", most, layout, reverse=True)
    up = _axis("tau", "Mean τ, ratings missing (higher is better)", (low, high), tickCount=5)
    of_labels = [{"filter": "datum.label !== null"}]
    looks = {"color": system_color(names), "shape": system_shape(names)}
    beside = {"y": {**up, "field": "place"}, "opacity": FADED, "tooltip": tooltip}
    return {
        "params": FOCUS,
        "data": {"values": data},
        "width": width,
        "height": height,
        "layer": [
            {
                "transform": of_labels,
                "mark": {"type": "rule", "style": "leader"},
                "encoding": {
                    "x": across,
                    "x2": {"value": width + size / 2},
                    "y": up,
                    "y2": {"field": "place"},
                    "opacity": _LIGHT,
                },
            },
            {
                "mark": {"type": "rule", "style": "whisker"},
                "encoding": {
                    "x": {**across, "field": "low"},
                    "x2": {"field": "high"},
                    "y": up,
                    "color": looks["color"],
                    "opacity": _LIGHT,
                    "tooltip": tooltip,
                },
            },
            {
                "mark": {"type": "point", "style": "estimate"},
                "encoding": {**looks, "x": across, "y": up, "opacity": _LABELLED, "tooltip": tooltip},
            },
            {
                "transform": of_labels,
                "mark": {"type": "point", "style": "estimate"},
                "encoding": {**beside, **looks, "x": {"value": width + size}},
            },
            {
                "transform": of_labels,
                "mark": {"type": "text", "style": "label", "align": "left", "baseline": "middle"},
                "encoding": {**beside, "x": {"value": width + 1.7 * size}, "text": {"field": "label"}},
            },
        ],
    }


def power(
    panels: Sequence[Panel], powers: Mapping[str, DiscriminativePower], level: float, names: Sequence[str], layout: Layout
) -> Spec:
    """The p-values of all pairs of systems as ticks, and their mean with its standard error; a row for each metric."""
    pairs = [
        {**_of(row), "panel": head, "p": p, "p-value": p_number(p), "Pair": f"{count(k)} of {count(len(curve))}"}
        for head, row in panels
        for curve in (powers[row.metric].curve,)
        for k, p in enumerate(curve, 1)
    ]
    means = [{**_of(row), **_mean_p(row), "panel": head} for head, row in panels]
    rows, room = _rows(panels, layout)
    size = text_size(paper=layout.paper)
    across = _p_axis("p", "p-value", 1.0, layout)
    shared = {"y": rows, "color": system_color(names)}
    of_means = {**shared, "opacity": FADED, "tooltip": tooltips("Metric", "Mean p ± SE")}
    return {
        "params": FOCUS,
        "width": layout.width - room,
        "height": max(2.2 * size * len(panels), 0.0 if layout.paper else 200.0),
        "layer": [
            _reference("x", level),
            {
                "data": {"values": pairs},
                "mark": {"type": "tick", "thickness": 0.12 * size, "bandSize": 1.4 * size},
                "encoding": {**shared, "x": across, "opacity": _LIGHT, "tooltip": tooltips("Metric", "p-value", "Pair")},
            },
            {
                "data": {"values": means},
                "mark": {"type": "rule", "style": "whisker"},
                "encoding": {**of_means, "x": {**across, "field": "low"}, "x2": {"field": "high"}},
            },
            {
                "data": {"values": means},
                "mark": {"type": "point", "style": "symbol", "shape": "diamond"},
                "encoding": {**of_means, "x": {**across, "field": "mean"}},
            },
        ],
    }


def sweep(
    panels: Sequence[Panel], points: Mapping[str, Sequence[SweepPoint]], title: str, names: Sequence[str], layout: Layout
) -> Spec:
    """τ with the order on the whole test set against the share that is kept, with a 95% band; a small chart per metric.

    `points` are those of all metrics, so that every chart of a sweep has the same scales. `title` says of what the share is.
    """
    data = [
        {
            **_of(row),
            "panel": head,
            "share": point.share,
            "tau": point.tau,
            "low": point.low,
            "high": point.high,
            title: percent(point.share, 0 if round(100 * point.share, 6).is_integer() else 1),
            "τ": number(point.tau, 3),
            "95% of samples": f"{number(point.low, 3)} to {number(point.high, 3)}",
            "Users": count(point.users),
        }
        for head, row in panels
        for point in points.get(row.metric, ())
    ]
    every = [point for of in points.values() for point in of]
    least, most = min(point.share for point in every), max(point.share for point in every)
    floor = max(-1.0, math.floor(5 * min(point.low for point in every)) / 5)
    ticks = sorted({least, most} | ({0.5} if most - least > 0.5 else set()))
    across = _axis("share", title, (least, most), reverse=True, values=ticks, format=".0%", labelFlush=True)
    up = _axis("tau", None, (floor, 1.0), tickCount=4)
    shared = {"x": across, "y": up, "color": system_color(names), "opacity": FADED}
    band = {**shared, "y": {**up, "field": "low"}, "y2": {"field": "high"}}
    layers = [
        _reference("y", KEEPS),
        {"mark": {"type": "area", "style": "area"}, "encoding": band},
        {"mark": {"type": "line", "style": "curve"}, "encoding": shared},
        {
            "mark": {"type": "point", "style": "estimate"},
            "encoding": {**shared, "tooltip": tooltips("Metric", title, "τ", "95% of samples", "Users")},
        },
    ]
    return _small_multiples(data, panels, layers, "Kendall’s τ", layout)


def reliability(
    panels: Sequence[Panel],
    components: Mapping[str, Reliability],
    sizes: Sequence[int],
    users: int,
    names: Sequence[str],
    layout: Layout,
) -> Spec:
    """Eρ² (solid) and Φ (dashed) as the number of users grows; points are the values at the users of the results."""
    data = [
        {
            **_of(row),
            "panel": head,
            "users": n,
            "value": value,
            "coefficient": name,
            "at": n == users,
            "Users": count(n),
            "Coefficient": name,
            "Value": number(value, 4),
        }
        for head, row in panels
        for n in sorted({*sizes, users})
        for name, value in zip(("Eρ²", "Φ"), components[row.metric].with_users(n), strict=True)
        if not math.isnan(value)
    ]
    ticks = [10**k for k in range(1, 8) if 10**k <= max(sizes)]
    across = _axis("users", "users", (min(sizes), max(sizes)), kind="log", values=ticks, format="~s", labelFlush=True)
    dashes = {"domain": ["Eρ²", "Φ"], "range": [[1, 0], [4, 3]]}
    shared = {
        "x": across,
        "y": _axis("value", None, (0.0, 1.0), tickCount=3),
        "color": system_color(names),
        "opacity": FADED,
        "tooltip": tooltips("Metric", "Coefficient", "Users", "Value"),
    }
    dash = {"field": "coefficient", "type": "nominal", "scale": dashes, "legend": {"symbolType": "stroke"}}
    layers = [
        _reference("x", users),
        {"mark": {"type": "line", "style": "curve"}, "encoding": {**shared, "strokeDash": dash}},
        {"transform": [{"filter": "datum.at"}], "mark": {"type": "point", "style": "estimate"}, "encoding": shared},
    ]
    return _small_multiples(data, panels, layers, "Reliability", layout)


def swaps(panels: Sequence[Panel], rates: Mapping[str, SwapRate], layout: Layout) -> Spec:
    """Swap rates by the size of the difference between two systems: a row for each metric, a cell for each tenth."""
    data = [
        {
            **_of(row),
            "panel": head,
            "tenth": tenth,
            "value": rate,
            "text": percent(rate, 0).removesuffix("%").replace(" ", ""),
            "Differences": f"tenth {tenth} of {len(rates[row.metric].bins)}, from {number(least)}",
            "Swapped": percent(rate),
            "Comparisons": count(comparisons),
        }
        for head, row in panels
        for tenth, (least, rate, comparisons) in enumerate(rates[row.metric].bins, 1)
        if not math.isnan(rate)
    ]
    rows, room = _rows(panels, layout)
    width = layout.width - room
    title = wrapped("% swapped, by tenths of the differences, from small to large", width, layout).split("\n")
    axis = {"title": title, "labelAngle": 0, "orient": "top"}
    across = {"field": "tenth", "type": "ordinal", "axis": axis}
    shade = {"domain": [0, max(0.5, *(row["value"] for row in data))], "range": "ramp"}
    tooltip = tooltips("Metric", "Differences", "Swapped", "Comparisons")
    return {
        "params": FOCUS,
        "data": {"values": data},
        "width": width,
        **_cells({"x": across, "y": rows}, len(panels), shade, tooltip, layout),
    }


def agreement(
    matrix: AgreementMatrix, values: Sequence[Sequence[float]], least: float, layout: Layout, *, tree: bool
) -> Spec:
    """How alike metrics order the systems, in the order of the tree; `least` is the lower end of the scale of shades."""
    size = text_size(paper=layout.paper)
    heads = [matrix.labels[k] for k in matrix.order]
    names, taken = _named_rows("system", heads, layout)
    room, beside = layout.width - taken, 8.0 * size
    tree = tree and bool(matrix.tree) and room - beside >= 1.5 * size * len(heads)
    cell = min((room - beside * tree) / len(heads), 3.6 * size)
    data = [
        {
            "system": matrix.labels[a],
            "other": matrix.labels[b],
            "value": values[a][b],
            "text": _digits(values[a][b], cell, layout),
            "Metrics": f"{matrix.labels[a]} and {matrix.labels[b]}",
            "τ": number(matrix.tau[a][b], 3),
            "τ_AP": number(matrix.tau_ap[a][b], 3),
            "RBO": number(matrix.overlap[a][b], 3),
        }
        for a in matrix.order
        for b in matrix.order
        if not math.isnan(values[a][b])
    ]
    angle = -90 if max(map(len, heads)) > 4 else 0
    axis = {"title": None, "orient": "top", "labelAngle": angle, "labelExpr": names["axis"]["labelExpr"]}
    across = {"field": "other", "type": "nominal", "sort": heads, "axis": axis}
    shade = {"domain": [least, 1], "range": "ramp", "reverse": True, "clamp": True}
    position = {"x": across, "y": names}
    cells = {
        "width": cell * len(heads),
        **_cells(position, len(heads), shade, tooltips("Metrics", "τ", "τ_AP", "RBO"), layout),
    }
    if not tree:
        return {"params": FOCUS, "data": {"values": data}, **cells}
    far = max(height for *_, height, _ in matrix.tree) or 1.0
    branches = {
        "data": {"values": _tree(matrix)},
        "width": beside - 2 * size,
        "height": cells["height"],
        "mark": {"type": "rule", "style": "leader"},
        "encoding": {
            "x": _axis("x", "1 − τ", (0.0, far), orient="top", values=[0, far], format=".1~f", grid=False),
            "x2": {"field": "x2"},
            "y": {"field": "y", "type": "quantitative", "scale": {"domain": [len(heads), 0], "nice": False}, "axis": None},
            "y2": {"field": "y2"},
            "tooltip": tooltips("Joined at"),
        },
    }
    return {"params": FOCUS, "spacing": size, "hconcat": [{"data": {"values": data}, **cells}, branches]}


def depths(matrices: Sequence[AgreementMatrix], least: float, layout: Layout) -> Spec:
    """Kendall's τ between the orders of systems at any two depths of a metric; a small chart for each metric."""
    size = text_size(paper=layout.paper)
    heads = list(max(matrices, key=lambda matrix: len(matrix.labels)).labels)
    gap = 1.5 * size
    side = min(2.6 * len(heads), 11.0) * size
    columns = min(len(matrices), max(2, int((layout.width - 2 * size) // (side + gap))))
    side = min(side, (layout.width - 2 * size) / columns - gap)
    data = [
        {
            "system": matrix.title,
            "first": matrix.labels[a],
            "second": matrix.labels[b],
            "value": matrix.tau[a][b],
            "text": _digits(matrix.tau[a][b], side / len(heads), layout),
            "Metric": matrix.title,
            "Depths": f"{matrix.labels[a]} and {matrix.labels[b]}",
            "τ": number(matrix.tau[a][b], 3),
        }
        for matrix in matrices
        for a in range(len(matrix.labels))
        for b in range(len(matrix.labels))
        if not math.isnan(matrix.tau[a][b])
    ]
    names = {"labelAngle": 0, "labelOverlap": "parity"}
    position = {
        "x": {"field": "first", "type": "nominal", "sort": heads, "axis": {"title": "depth", **names}},
        "y": {"field": "second", "type": "nominal", "sort": heads, "axis": {"title": None, **names}},
    }
    shade = {"domain": [least, 1], "range": "ramp", "reverse": True, "clamp": True}
    cells = _cells(position, len(heads), shade, tooltips("Metric", "Depths", "τ"), layout)
    facet = {"field": "system", "type": "nominal", "sort": [matrix.title for matrix in matrices], "title": None}
    return {
        "params": FOCUS,
        "data": {"values": data},
        "facet": facet,
        "columns": columns,
        "bounds": "flush",
        "spacing": {"row": 2.5 * size, "column": gap},
        "spec": {**cells, "width": side, "height": side},
    }


def _of(row: MetricRow) -> dict[str, Any]:
    return {"system": row.name, "Metric": row.metric}


def _mean_p(row: MetricRow) -> dict[str, Any]:
    """The mean p-value, the same minus and plus its standard error within 0 and 1, and both in words."""
    error = 0.0 if math.isnan(row.mean_p_error) else row.mean_p_error
    ends = {"low": max(0.0, row.mean_p - error), "high": min(1.0, row.mean_p + error)}
    return {"mean": row.mean_p, **ends, "Mean p ± SE": mean_p_words(row)}


def _axis(
    field: str, title: str | None, domain: tuple[float, float], *, kind: str = "linear", reverse: bool = False, **axis: Any
) -> dict[str, Any]:
    """A position on a numeric axis that ends where the domain does."""
    scale = {"type": kind, "domain": domain, "nice": False, "reverse": reverse} | ({} if kind == "log" else {"zero": False})
    return {"field": field, "type": "quantitative", "scale": scale, "axis": {"title": title, **axis}}


def _p_axis(field: str, title: str, most: float, layout: Layout, *, reverse: bool = False) -> dict[str, Any]:
    ticks = [p for p in P_TICKS if p <= most and not (layout.narrow and p == 0.01)]
    return _axis(field, title, (0.0, most), kind="sqrt", reverse=reverse, values=ticks, format="~g", labelFlush=True)


def _reference(channel: str, value: float) -> dict[str, Any]:
    """A rule across the chart."""
    mark = {"type": "rule", "style": "reference"}
    return {
        "data": {"values": [{"at": value}]},
        "mark": mark,
        "encoding": {channel: {"field": "at", "type": "quantitative"}},
    }


def _by(panels: Sequence[Panel]) -> str:
    """The field that names rows or small charts: the metric, or its depths if there is one metric."""
    return "system" if all(head == row.name for head, row in panels) else "panel"


def _rows(panels: Sequence[Panel], layout: Layout) -> tuple[dict[str, Any], float]:
    """A row for each panel, and the pixels that their names take."""
    return _named_rows(_by(panels), [head for head, _ in panels], layout)


def _named_rows(field: str, heads: Sequence[str], layout: Layout) -> tuple[dict[str, Any], float]:
    short = shorten_all(list(heads), characters(0.3 * layout.width, layout))
    axis = {**labels(short.values(), layout), "labelExpr": _named(short)}
    rows = {"field": field, "type": "nominal", "sort": list(heads), "axis": axis}
    return rows, axis["minExtent"] + text_size(paper=layout.paper)


def _named(names: Mapping[str, str]) -> str:
    """The expression for the short form of a name."""
    return f"{json.dumps(dict(names), ensure_ascii=False)}[datum.value]"


def _cells(
    position: dict[str, Any], rows: int, shade: dict[str, Any], tooltip: list[dict[str, str]], layout: Layout
) -> dict[str, Any]:
    """Texts on shades of the field `value`."""
    color = {"field": "value", "type": "quantitative", "scale": shade, "legend": None}
    shared = {**position, "tooltip": tooltip, "opacity": FADED}
    return {
        "height": max(2.0 * text_size(paper=layout.paper) * rows, 0.0 if layout.paper else 200.0),
        "layer": [
            {"mark": {"type": "rect", "style": "cell"}, "encoding": {**shared, "color": color}},
            {"mark": {"type": "text", "style": "label"}, "encoding": {**shared, "text": {"field": "text"}}},
        ],
    }


def _digits(value: float, room: float, layout: Layout) -> str:
    """0.95, or .95 if there are not enough pixels; nothing if they are too few for that."""
    text = number(value, 2)
    short = text.removesuffix(".00") if text in ("0.00", "1.00") else text.replace("0.", ".", 1)
    return next((own for own in (text, short) if text_width(own, layout) + 6 <= room), "")


def _tree(matrix: AgreementMatrix) -> list[dict[str, Any]]:
    """The merges as brackets from the leaves: three rules for each."""
    place = {leaf: (0.0, at + 0.5) for at, leaf in enumerate(matrix.order)}
    rules = []
    for step, (first, second, height, _) in enumerate(matrix.tree):
        (xa, ya), (xb, yb) = place[int(first)], place[int(second)]
        for x, y, x2, y2 in ((xa, ya, height, ya), (height, ya, height, yb), (xb, yb, height, yb)):
            rules.append({"x": x, "y": y, "x2": x2, "y2": y2, "Joined at": f"τ {number(1 - height, 3)}"})
        place[len(matrix.labels) + step] = (height, (ya + yb) / 2)
    return rules


def _small_multiples(
    data: list[dict[str, Any]], panels: Sequence[Panel], layers: Sequence[dict[str, Any]], title: str, layout: Layout
) -> Spec:
    """A small chart for each panel, all on the same scales; `title` is that of the upright axes."""
    size = text_size(paper=layout.paper)
    columns = min(len(panels), max(2, int(layout.width // (15 * size))))
    rows = math.ceil(len(panels) / columns)
    gap = 1.5 * size
    width = (layout.width - 2.8 * size - gap * (columns - 1)) / columns
    heads = [head for head, _ in panels]
    short = shorten_all(heads, characters(width, layout))
    header = {"labelExpr": _named(short), "titlePadding": 2.1 * size}
    return {
        "params": FOCUS,
        "data": {"values": data},
        "facet": {"field": _by(panels), "type": "nominal", "sort": heads, "title": title, "header": header},
        "columns": columns,
        "bounds": "flush",
        "spacing": {"row": 2.5 * size, "column": gap},
        "spec": {"width": width, "height": max(8.0 * size, (0.0 if layout.paper else 200.0) / rows), "layer": list(layers)},
    }
