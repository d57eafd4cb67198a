"""Charts of the quality of metrics: power, robustness, agreement, swaps and reliability.

The field `system` of the data holds the metric without its depth, because metrics are what these charts compare.
"""

from __future__ import annotations

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
    PALE,
    Row,
    characters,
    facets,
    labels,
    layer,
    named,
    nominal,
    plot,
    plot_height,
    quantity,
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
LABELLED = "datum.label !== null"
_LABELLED: Spec = {
    "condition": [{"test": f"({FADED['condition']['test']}) && {LABELLED}", "value": 1}, PALE["condition"]],
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
    by_place = sorted((row for row in rows if row.metric in short), key=lambda row: -row.missing_tau)
    heights = label_places([row.missing_tau for row in by_place], pitch * (high - low) / height, low, high)
    place = dict(zip((row.metric for row in by_place), heights, strict=True))
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
    x = _p_axis("mean", "Mean p-value (lower is better)", 1.02 * max(row["high"] for row in data), layout, reverse=True)
    y = _axis("tau", "Mean τ, ratings missing (higher is better)", (low, high), tickCount=5)
    looks = {"color": system_color(names), "shape": system_shape(names)}
    leader = {"x": x, "x2": {"value": width + size / 2}, "y": y, "y2": {"field": "place"}, "opacity": PALE}
    error = {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y, "color": looks["color"], "opacity": PALE}
    label = {"y": {**y, "field": "place"}, "opacity": FADED, "tooltip": tooltip}
    text = {**label, "x": {"value": width + 1.7 * size}, "text": {"field": "label"}}
    layers = [
        layer("rule", "leader", leader, where=LABELLED),
        layer("rule", "whisker", {**error, "tooltip": tooltip}),
        layer("point", "estimate", {**looks, "x": x, "y": y, "opacity": _LABELLED, "tooltip": tooltip}),
        layer("point", "estimate", {**label, **looks, "x": {"value": width + size}}, where=LABELLED),
        layer("text", "label", text, where=LABELLED, align="left", baseline="middle"),
    ]
    return plot("front", data, layout, height, layers, width=width)


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
    x = _p_axis("p", "p-value", 1.0, layout)
    pair = {"y": rows, "color": system_color(names), "x": x, "opacity": PALE}
    mean = {"y": rows, "color": system_color(names), "opacity": FADED, "tooltip": tooltips("Metric", "Mean p ± SE")}
    ticks = layer("tick", "", {**pair, "tooltip": tooltips("Metric", "p-value", "Pair")}, rows=pairs)
    ticks["mark"] = {"type": "tick", "thickness": 0.12 * size, "bandSize": 1.4 * size}
    layers = [
        _reference("x", level),
        ticks,
        layer("rule", "whisker", {**mean, "x": {**x, "field": "low"}, "x2": {"field": "high"}}, rows=means),
        layer("point", "symbol", {**mean, "x": {**x, "field": "mean"}}, rows=means, shape="diamond"),
    ]
    return plot("power", (), layout, _height(2.2 * len(panels), layout), layers, width=layout.width - room)


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
            **{"share": point.share, "tau": point.tau, "low": point.low, "high": point.high},
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
    x = _axis("share", title, (least, most), reverse=True, values=ticks, format=".0%", labelFlush=True)
    y = _axis("tau", None, (floor, 1.0), tickCount=4)
    shared = {"x": x, "y": y, "color": system_color(names), "opacity": FADED}
    layers = [
        _reference("y", KEEPS),
        layer("area", "area", {**shared, "y": {**y, "field": "low"}, "y2": {"field": "high"}}),
        layer("line", "curve", shared),
        layer("point", "estimate", {**shared, "tooltip": tooltips("Metric", title, "τ", "95% of samples", "Users")}),
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
            **{"panel": head, "users": n, "value": value, "coefficient": name, "at": n == users},
            **{"Users": count(n), "Coefficient": name, "Value": number(value, 4)},
        }
        for head, row in panels
        for n in sorted({*sizes, users})
        for name, value in zip(("Eρ²", "Φ"), components[row.metric].with_users(n), strict=True)
        if not math.isnan(value)
    ]
    ticks = [10**k for k in range(1, 8) if 10**k <= max(sizes)]
    dashes = {"domain": ["Eρ²", "Φ"], "range": [[1, 0], [4, 3]]}
    shared = {
        "x": _axis("users", "users", (min(sizes), max(sizes)), kind="log", values=ticks, format="~s", labelFlush=True),
        "y": _axis("value", None, (0.0, 1.0), tickCount=3),
        "color": system_color(names),
        "opacity": FADED,
        "tooltip": tooltips("Metric", "Coefficient", "Users", "Value"),
    }
    dash = nominal("coefficient", scale=dashes, legend={"symbolType": "stroke"})
    layers = [
        _reference("x", users),
        layer("line", "curve", {**shared, "strokeDash": dash}),
        layer("point", "estimate", shared, where="datum.at"),
    ]
    return _small_multiples(data, panels, layers, "Reliability", layout)


def swaps(panels: Sequence[Panel], rates: Mapping[str, SwapRate], layout: Layout) -> Spec:
    """Swap rates by the size of the difference between two systems: a row for each metric, a cell for each tenth."""
    data = [
        {
            **_of(row),
            **{"panel": head, "tenth": tenth, "value": rate},
            "text": percent(rate, 0).removesuffix("%").replace(" ", ""),
            "Differences": f"tenth {tenth} of {len(rates[row.metric].bins)}, from {number(least)}",
            **{"Swapped": percent(rate), "Comparisons": count(comparisons)},
        }
        for head, row in panels
        for tenth, (least, rate, comparisons) in enumerate(rates[row.metric].bins, 1)
        if not math.isnan(rate)
    ]
    y, room = _rows(panels, layout)
    width = layout.width - room
    title = wrapped("% swapped, by tenths of the differences, from small to large", width, layout).split("\n")
    x = {"field": "tenth", "type": "ordinal", "axis": {"title": title, "labelAngle": 0, "orient": "top"}}
    shade = {"domain": [0, max(0.5, *(row["value"] for row in data))], "range": "ramp"}
    layers = _cells({"x": x, "y": y}, shade, "Metric", "Differences", "Swapped", "Comparisons")
    return plot("swaps", data, layout, _height(2.0 * len(panels), layout), layers, width=width)


def agreement(
    matrix: AgreementMatrix, values: Sequence[Sequence[float]], least: float, layout: Layout, *, tree: bool
) -> Spec:
    """How alike metrics order the systems, in the order of the tree; `least` is the lower end of the scale of shades."""
    size = text_size(paper=layout.paper)
    heads = [matrix.labels[k] for k in matrix.order]
    y, taken = _named_rows("system", heads, layout)
    room, beside = layout.width - taken, 8.0 * size
    tree = tree and bool(matrix.tree) and room - beside >= 1.5 * size * len(heads)
    cell, height = min((room - beside * tree) / len(heads), 3.6 * size), _height(2.0 * len(heads), layout)
    data = [
        {
            **{"system": matrix.labels[a], "other": matrix.labels[b], "value": values[a][b]},
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
    axis = {"title": None, "orient": "top", "labelAngle": angle, "labelExpr": y["axis"]["labelExpr"]}
    cells = _cells({"x": nominal("other", sort=heads, axis=axis), "y": y}, _alike(least), "Metrics", "τ", "τ_AP", "RBO")
    chart = plot("agreement", data, layout, height, cells, width=cell * len(heads))
    if not tree:
        return chart
    far = max(height for *_, height, _ in matrix.tree) or 1.0
    branch = {
        "x": _axis("x", "1 − τ", (0.0, far), orient="top", values=[0, far], format=".1~f", grid=False),
        "x2": {"field": "x2"},
        "y": quantity("y", scale={"domain": [len(heads), 0], "nice": False}, axis=None),
        "y2": {"field": "y2"},
        "tooltip": tooltips("Joined at"),
    }
    branches = {"width": beside - 2 * size, "height": height, **layer("rule", "leader", branch, rows=_tree(matrix))}
    del chart["params"]
    return {"params": FOCUS, "spacing": size, "hconcat": [chart, branches]}


def depths(matrices: Sequence[AgreementMatrix], least: float, layout: Layout) -> Spec:
    """Kendall's τ between the orders of systems at any two depths of a metric; a small chart for each metric."""
    size = text_size(paper=layout.paper)
    heads = list(max(matrices, key=lambda matrix: len(matrix.labels)).labels)
    gap = 1.5 * size
    side = min(max(2.6 * len(heads), 0.0 if layout.paper else 8.5), 11.0) * size
    columns = min(len(matrices), max(2, int((layout.width - 2 * size) // (side + gap))))
    side = min(side, (layout.width - 2 * size) / columns - gap)
    data = [
        {
            "system": matrix.title,
            **{"first": matrix.labels[a], "second": matrix.labels[b], "value": matrix.tau[a][b]},
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
    x = nominal("first", sort=heads, axis={"title": "depth", **names})
    y = nominal("second", sort=heads, axis={"title": None, **names})
    cells = _cells({"x": x, "y": y}, _alike(least), "Metric", "Depths", "τ")
    by = nominal("system", sort=[matrix.title for matrix in matrices], title=None)
    inner = {"width": side, "height": side, "layer": cells}
    return facets(data, by, inner, columns, {"row": 2.5 * size, "column": gap}, bounds="flush")


def _of(row: MetricRow) -> Spec:
    return {"system": row.name, "Metric": row.metric}


def _mean_p(row: MetricRow) -> Spec:
    """The mean p-value, the same minus and plus its standard error within 0 and 1, and both in words."""
    error = 0.0 if math.isnan(row.mean_p_error) else row.mean_p_error
    ends = {"low": max(0.0, row.mean_p - error), "high": min(1.0, row.mean_p + error)}
    return {"mean": row.mean_p, **ends, "Mean p ± SE": mean_p_words(row)}


def _axis(
    field: str, title: str | None, domain: tuple[float, float], *, kind: str = "linear", reverse: bool = False, **axis: Any
) -> Spec:
    """A position on a numeric axis that ends where the domain does."""
    scale = {"type": kind, "domain": domain, "nice": False, "reverse": reverse} | ({} if kind == "log" else {"zero": False})
    return quantity(field, scale=scale, axis={"title": title, **axis})


def _p_axis(field: str, title: str, most: float, layout: Layout, *, reverse: bool = False) -> Spec:
    ticks = [p for p in P_TICKS if p <= most and not (layout.narrow and p == 0.01)]
    return _axis(field, title, (0.0, most), kind="sqrt", reverse=reverse, values=ticks, format="~g", labelFlush=True)


def _reference(channel: str, value: float) -> Spec:
    """A rule across the chart."""
    return layer("rule", "reference", {channel: quantity("at")}, rows=[{"at": value}])


def _by(panels: Sequence[Panel]) -> str:
    """The field that names rows or small charts: the metric, or its depths if there is one metric."""
    return "system" if all(head == row.name for head, row in panels) else "panel"


def _rows(panels: Sequence[Panel], layout: Layout) -> tuple[Spec, float]:
    """A row for each panel, and the pixels that their names take."""
    return _named_rows(_by(panels), [head for head, _ in panels], layout)


def _named_rows(field: str, heads: Sequence[str], layout: Layout) -> tuple[Spec, float]:
    short = shorten_all(list(heads), characters(0.3 * layout.width, layout))
    axis = {**labels(short.values(), layout), "labelExpr": named(short)}
    return nominal(field, sort=list(heads), axis=axis), axis["minExtent"] + text_size(paper=layout.paper)


def _height(lines: float, layout: Layout) -> float:
    """The height of a plot of so many lines of text, 200 pixels on a page at least."""
    return max(lines * text_size(paper=layout.paper), 0.0 if layout.paper else 200.0)


def _alike(least: float) -> Spec:
    """The scale of shades of agreement: the less, the fuller."""
    return {"domain": [least, 1], "range": "ramp", "reverse": True, "clamp": True}


def _cells(position: Spec, shade: Spec, *details: str) -> list[Spec]:
    """Texts on shades of the field `value`."""
    shared = {**position, "tooltip": tooltips(*details), "opacity": FADED}
    color = quantity("value", scale=shade, legend=None)
    return [layer("rect", "cell", {**shared, "color": color}), layer("text", "label", {**shared, "text": {"field": "text"}})]


def _digits(value: float, room: float, layout: Layout) -> str:
    """0.95, or .95 if there are not enough pixels; nothing if they are too few for that."""
    text = number(value, 2)
    short = text.removesuffix(".00") if text in ("0.00", "1.00") else text.replace("0.", ".", 1)
    return next((own for own in (text, short) if text_width(own, layout) + 6 <= room), "")


def _tree(matrix: AgreementMatrix) -> list[Row]:
    """The merges as brackets from the leaves: three rules for each."""
    place = {leaf: (0.0, at + 0.5) for at, leaf in enumerate(matrix.order)}
    rules: list[Row] = []
    for step, (first, second, height, _) in enumerate(matrix.tree):
        (xa, ya), (xb, yb) = place[int(first)], place[int(second)]
        for x, y, x2, y2 in ((xa, ya, height, ya), (height, ya, height, yb), (xb, yb, height, yb)):
            rules.append({"x": x, "y": y, "x2": x2, "y2": y2, "Joined at": f"τ {number(1 - height, 3)}"})
        place[len(matrix.labels) + step] = (height, (ya + yb) / 2)
    return rules


def _small_multiples(
    data: Sequence[Row], panels: Sequence[Panel], layers: Sequence[Spec], title: str, layout: Layout
) -> Spec:
    """A small chart for each panel, all on the same scales; `title` is that of the upright axes."""
    size = text_size(paper=layout.paper)
    columns = min(len(panels), max(2, int(layout.width // (15 * size))))
    gap = 1.5 * size
    width = (layout.width - 2.8 * size - gap * (columns - 1)) / columns
    heads = [head for head, _ in panels]
    header = {"labelExpr": named(shorten_all(heads, characters(width, layout))), "titlePadding": 2.1 * size}
    by = nominal(_by(panels), sort=heads, title=title, header=header)
    height = max(8.0 * size, (0.0 if layout.paper else 200.0) / math.ceil(len(panels) / columns))
    inner = {"width": width, "height": height, "layer": list(layers)}
    return facets(data, by, inner, columns, {"row": 2.5 * size, "column": gap}, bounds="flush")
