"""Figures of protocols compared with the truth: how often each was right, and bias against standard error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from heldout.reports.charts.biases import legend_columns
from heldout.reports.charts.encodings import (
    Row,
    labels,
    layer,
    nominal,
    pixels,
    plot,
    plot_height,
    quantity,
    text_width,
    tooltips,
)
from heldout.reports.charts.label_places import beside_points
from heldout.reports.charts.theme import text_size
from heldout.reports.document import Layout, Spec

VERDICTS = ("Above chance", "Below chance", "Not distinguishable from chance")
"""What an interval says of a protocol; chance is half of the pairs."""
KNOWN = "isValid(datum.low)"
"""Filter of rows with an interval."""
SMALLEST = 1e-3
"""Of the true value: smaller biases and errors are drawn there."""


def right(rows: Sequence[Row], layout: Layout) -> Spec:
    """A dot with its interval for each protocol; names are above the intervals on narrow screens."""
    size = text_size(paper=layout.paper)
    above = layout.narrow and not layout.paper
    order = [row["protocol"] for row in rows]
    axis: Spec = {"labels": False, "minExtent": 0, "maxExtent": 0} if above else labels(order, layout, most=0.45)
    ends = max(text_width(row["value"], layout) for row in rows) + size
    width = layout.width - axis["minExtent"] - ends - 4
    verdict = nominal("verdict", scale={"domain": list(VERDICTS)}, legend={"columns": legend_columns(VERDICTS, layout)})
    ticks = {"format": ".0%", "values": [0, 0.5, 1] if layout.narrow else [0, 0.25, 0.5, 0.75, 1], "labelFlush": True}
    x: Spec = {"title": "Pairs of systems ordered rightly", "scale": {"domain": [0, 1]}, "axis": ticks}
    details = (("protocol", "Protocol"), ("metric", "Metric"), ("value", "Ordered rightly"), ("interval", "95% interval"))
    shared: Spec = {
        "y": nominal("protocol", sort=order, title=None, axis=axis),
        "tooltip": tooltips(*details, ("tau", "τ with the true order"), ("users", "Users")),
    }
    ends_of = {**shared, "x": quantity("low", **x), "x2": {"field": "high"}, "color": verdict}
    layers = [
        layer("rule", "reference", {"x": quantity("chance", **x)}, rows=[{"chance": 0.5}]),
        layer("rule", "whisker", ends_of, where=KNOWN),
        layer("point", "estimate", {**shared, "x": quantity("at", **x), "color": verdict, "shape": verdict}),
        layer("text", "note", {**shared, "x": {"value": width + ends}, "text": {"field": "value"}}, align="right"),
    ]
    if above:
        names = {**shared, "x": {"value": 0}, "text": {"field": "protocol"}}
        layers.append(layer("text", "label", names, align="left", dx=2, dy=-0.9 * size))
    step = max(2.6 * size if above else 1.5 * size, 0.0 if layout.paper else 160 / len(rows))
    return plot("right", rows, layout, {"step": step}, layers, width=width)


def bias(rows: Sequence[Row], layout: Layout) -> Spec:
    """A point for each estimator by |bias| and standard error, both in shares of the true value on logarithmic scales."""
    size = text_size(paper=layout.paper)
    metrics = list(dict.fromkeys(row["metric"] for row in rows))
    height = plot_height(layout, 320 if layout.narrow else 440)
    width = layout.width - 5 * size
    across = _widened([end for row in rows for end in (row["x"], row["low"], row["high"]) if end is not None])
    up = _widened([row["y"] for row in rows])
    contours = [
        {"rmse": rmse, "place": place, "x": x, "y": y}
        for rmse in _ticks(min(across[0], up[0]), max(across[1], up[1]))
        for place, (x, y) in enumerate(_same_rmse(rmse, across, up))
    ]
    legend = {"columns": legend_columns(metrics, layout), "offset": 2.2 * size}  # above the title of the upright axis
    by_metric = nominal("metric", scale={"domain": metrics}, legend=legend)
    x = _log_axis("x", "|Bias| in percent of the true value", across, width / 70)
    y = _log_axis("y", "Standard error in percent of the true value", up, height / 50)
    details = (("protocol", "Protocol"), ("metric", "Metric"), ("bias", "Bias"), ("interval", "95% interval of the bias"))
    told = tooltips(*details, ("error", "Standard error"), ("rmse", "RMSE"), ("truth", "True value"))
    shared = {"x": x, "y": y, "color": by_metric, "tooltip": told}
    contour = {"x": x, "y": y, "detail": {"field": "rmse"}, "order": quantity("place")}
    layers = [
        layer("line", "rule", contour, rows=contours, clip=True),
        layer("rule", "whisker", {**shared, "x": {**x, "field": "low"}, "x2": {"field": "high"}}, where=KNOWN),
        layer("point", "estimate", {**shared, "shape": by_metric}),
        *_named(rows, across, up, width, height, layout),
    ]
    return plot("bias", rows, layout, height, layers, width=width)


def _log_axis(field: str, title: str, ends: tuple[float, float], most: float) -> dict[str, Any]:
    ticks = _ticks(*ends)
    if len(ticks) > most:
        ticks = [tick for tick in ticks if round(math.log10(tick), 9) % 1 == 0] or ticks[:: math.ceil(len(ticks) / most)]
    scale = {"type": "log", "domain": [10.0**end for end in ends], "nice": False}
    return quantity(field, title=title, scale=scale, axis={"values": ticks, "format": "~%"})


def _named(
    rows: Sequence[Row], across: tuple[float, float], up: tuple[float, float], width: float, height: float, layout: Layout
) -> list[Spec]:
    """The protocols next to their points, with a line to names that had to move; none where there is little room."""
    if layout.narrow:
        return []
    size = text_size(paper=layout.paper)

    def place(x: float) -> float:
        return width * (math.log10(x) - across[0]) / (across[1] - across[0])

    spots = [(place(row["x"]), height * (1 - (math.log10(row["y"]) - up[0]) / (up[1] - up[0]))) for row in rows]
    spans = [(place(row["low"] or row["x"]), place(row["high"] or row["x"])) for row in rows]
    widths = [0.9 * text_width(row["protocol"], layout) for row in rows]
    places = beside_points(spots, widths, line=1.05 * size, gap=0.6 * size, top=height, right=width, spans=spans)
    names = [
        {"name": row["protocol"], "x": left, "y": down, "px": px, "py": py, "end": left if left > px else left + wide}
        for row, (px, py), (left, down), wide in zip(rows, spots, places, widths, strict=True)
    ]

    moved = [name for name in names if name["y"] != name["py"]]
    leader = {"x": pixels("px"), "y": pixels("py"), "x2": {"field": "end"}, "y2": {"field": "y"}}
    text = {"x": pixels("x"), "y": pixels("y"), "text": {"field": "name"}}
    return [layer("rule", "leader", leader, rows=moved), layer("text", "label", text, rows=names, align="left")]


def _same_rmse(rmse: float, across: tuple[float, float], up: tuple[float, float]) -> list[tuple[float, float]]:
    """Places of biases and errors with one RMSE, close to each other on logarithmic scales."""
    places = []
    for k in range(61):
        flat, steep = (10.0 ** (low + k / 60 * (math.log10(rmse) - low)) for low in (across[0], up[0]))
        places += [(flat, math.sqrt(max(rmse**2 - flat**2, 0.0))), (math.sqrt(max(rmse**2 - steep**2, 0.0)), steep)]
    return sorted({(x, y) for x, y in places if x > 0 and y > 0}, key=lambda place: (place[0], -place[1]))


def _widened(values: Sequence[float]) -> tuple[float, float]:
    """The range of the values' logarithms with a margin, at least half a power of ten."""
    logs = [math.log10(value) for value in values]
    low, high = min(logs), max(logs)
    margin = max(0.12, (0.5 - (high - low)) / 2)
    return low - margin, high + margin


def _ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times powers of ten within a range of logarithms; powers only if that would be many."""
    powers = range(math.floor(low), math.ceil(high) + 1)
    factors = (1, 2, 5) if high - low < 2.5 else (1,)
    ticks = [float(f"{factor}e{power}") for power in powers for factor in factors]
    return [tick for tick in ticks if low <= math.log10(tick) <= high]
