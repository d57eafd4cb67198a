"""Figures of papers, drawn again from what was measured."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from functools import partial
from textwrap import wrap
from typing import Any

from heldout.papers.findings import BARS_WIDE, ExperimentFindings, Panel, PlotSeries, ReproductionFindings
from heldout.reports.charts.theme import DASHES, MOST_SERIES, SYMBOLS, text_size
from heldout.reports.document import Chart, Layout, Spec
from heldout.words import exact, listed

GAP = 24.0
"""Pixels between panels."""
LETTER = 0.56
"""Mean width of a letter, as a share of its height."""
FOCUS = {"condition": {"test": "focus === null || datum.system === focus", "value": 1}, "value": 0.2}
"""Opacity of marks: other systems fade if a reader points at one."""


def charts(findings: ReproductionFindings) -> dict[str, Callable[[], Chart | None]]:
    """Name, as paper/experiment → function of the figure of each experiment that has one."""
    return {
        f"{experiment.paper}/{experiment.key}": partial(chart, experiment)
        for experiment in findings.experiments
        if experiment.panels
    }


def chart(experiment: ExperimentFindings) -> Chart:
    """The figure of an experiment, panel by panel."""
    name = f"{experiment.paper}-{experiment.key}"
    panels = experiment.panels
    titles = [panel.title for panel in panels if panel.title]
    words = f" Panels: {listed(titles)}." if len(titles) > 1 else ""
    return Chart(
        name=f"{experiment.paper}/{experiment.key}",
        title=experiment.title,
        caption=f"{experiment.title} ({experiment.paper}, {experiment.key}), measured on {experiment.data}.{words}",
        draw=partial(_panels, panels),
        table=name if experiment.rows else f"{name}-claims" if experiment.claims else "",
        half=len(panels) == 1 and not panels[0].matrix,
    )


def _panels(panels: Sequence[Panel], layout: Layout) -> Spec:
    """Panels next to each other if there is room, with one legend for all."""
    abreast = 1 if layout.narrow or len(panels) == 1 else 2
    width = (layout.width - GAP * (abreast - 1)) / abreast
    names = list(dict.fromkeys(series.name for panel in panels if not panel.matrix for series in panel.series))
    size = text_size(paper=layout.paper)
    legend = _legend(names, layout.width, size) if len(names) > 1 else None
    drawn = [_matrix(p, width, size) if p.matrix else _panel(p, names, legend, width, size) for p in panels]
    shared = {"scale": {"color": "shared", "shape": "shared"}} if names else {}
    base: Spec = {"params": [{"name": "focus", "value": None}]}
    if len(drawn) == 1:
        return {**base, **drawn[0]}
    return {**base, "columns": abreast, "spacing": GAP, "concat": drawn, "resolve": shared}


def _legend(names: Sequence[str], width: float, size: float) -> Spec:
    longest = LETTER * size * max(map(len, names)) + 3.5 * size
    columns = max(1, min(len(names), int(width / longest)))
    return {"title": None, "orient": "top", "columns": columns, "labelLimit": width - 3 * size}


def _panel(panel: Panel, names: Sequence[str], legend: Spec | None, width: float, size: float) -> Spec:
    """Lines, bars and points; series of the right axis have a scale of their own."""
    sides = [side for side in (False, True) if any(series.right == side for series in panel.series)]
    room = {side: _axis_room([s for s in panel.series if s.right == side], size) for side in sides}
    inner = max(60.0, width - sum(room.values()) - (0 if len(sides) > 1 else size))
    x = _x_axis(panel, inner, size)
    layers = []
    for side in sides:
        label = panel.right_label if side else panel.y_label
        series = [s for s in panel.series if s.right == side]
        y = {"type": "quantitative", "title": label, "scale": {"zero": any(s.form == "bars" for s in series)}}
        y["axis"] = {"orient": "right", "grid": False} if side else {"orient": "left"}
        layers.append({"layer": [_series(panel, s, names, legend, x, y) for s in series]})
    both = {"resolve": {"scale": {"y": "independent"}}} if len(sides) > 1 else {}
    layered: Spec = {"layer": layers, **both} if len(sides) > 1 else layers[0]
    title = {"title": panel.title} if panel.title else {}
    return {**title, "width": inner, "height": 15.0 * size, **layered}


def _axis_room(series: Sequence[PlotSeries], size: float) -> float:
    """Width of the numbers and of the title of an axis."""
    values = [value for line in series for value in line.y if value is not None and math.isfinite(value)] or [0.0]
    span = max(values) - min(values) or abs(values[0]) or 1.0
    decimals = max(0, 1 - math.floor(math.log10(span)))
    letters = max(len(f"{value:,.{decimals}f}") for value in (min(values), max(values)))
    return LETTER * size * letters + 3.0 * size


def _x_axis(panel: Panel, width: float, size: float) -> Spec:
    values = sorted({float(x) for series in panel.series for x in series.x})
    axis: dict[str, Any] = {"grid": False}
    scale: dict[str, Any] = {"zero": False, "nice": False, "padding": 0.6 * size}
    if panel.ticks:
        scale = {"domain": [-0.5, len(panel.ticks) - 0.5], "nice": False, "zero": False}
        axis |= _tick_labels(panel.ticks, width, size)
    elif panel.log_x:
        scale |= {"type": "log"}
        axis |= {"values": values if len(values) <= width / (4 * size) else values[:: math.ceil(len(values) / 5)]}
    axis |= {"labelOverlap": True, "tickCount": max(3, int(width / (4 * size)))} if not panel.ticks else {}
    return {"type": "quantitative", "title": panel.x_label or None, "scale": scale, "axis": axis}


def _tick_labels(ticks: Sequence[str], width: float, size: float) -> Spec:
    """Words below an axis, in lines or, if they do not fit, upright."""
    letters = int(width / len(ticks) / (LETTER * size)) - 1
    texts = [[line.replace("- ", "-") for line in wrap(tick.replace("-", "- "), max(letters, 1))] for tick in ticks]
    fits = all(len(word) <= letters for tick in ticks for word in tick.replace("-", "- ").split())
    shown = texts if fits else [[tick] for tick in ticks]
    turned = {} if fits else {"labelAngle": -90, "labelAlign": "right", "labelBaseline": "middle"}
    expression = f"{json.dumps(shown, ensure_ascii=False)}[datum.value]"
    return {"values": list(range(len(ticks))), "labelExpr": expression, "labelLimit": 0, **turned}


def _series(panel: Panel, series: PlotSeries, names: Sequence[str], legend: Spec | None, x: Spec, y: Spec) -> Spec:
    """One series as a layer. Lines do not join categories."""
    bars = [other.name for other in panel.series if other.form == "bars"]
    half = 0.46 * BARS_WIDE / max(len(bars), 1)
    shift = BARS_WIDE * ((bars.index(series.name) + 0.5) / len(bars) - 0.5) if series.form == "bars" else 0.0
    rows = []
    for place, value in zip(series.x, series.y, strict=True):
        if value is None or not math.isfinite(value):
            continue
        where = panel.ticks[round(place)] if panel.ticks and round(place) < len(panel.ticks) else exact(place)
        row = {"system": series.name, "x": place + shift, "y": value, "where": where, "text": exact(value)}
        rows.append(row | ({"from": place + shift - half, "to": place + shift + half} if series.form == "bars" else {}))
    encoding: dict[str, Any] = {
        "x": {"field": "x", **x},
        "y": {"field": "y", **y},
        "color": _by_name(names, legend),
        "opacity": FOCUS,
        "tooltip": [
            {"field": "system", "type": "nominal", "title": "Series"},
            {"field": "where", "type": "nominal", "title": panel.x_label or "Place"},
            {"field": "text", "type": "nominal", "title": panel.right_label if series.right else panel.y_label},
        ],
    }
    data = {"data": {"values": rows}}
    if series.form == "bars":
        encoding["x"] |= {"field": "from"}
        encoding |= {"x2": {"field": "to"}, "y2": {"datum": 0}}
        return {**data, "mark": {"type": "rect"}, "encoding": encoding}
    places = [(k + k // MOST_SERIES) % MOST_SERIES for k in range(len(names))]
    shape = {"shape": _by_name(names, legend, [SYMBOLS[k] for k in places])}
    point = {"mark": {"type": "point", "style": "estimate"}, "encoding": shape}
    if series.form == "points" or panel.ticks:
        return {**data, **point, "encoding": encoding | shape}
    line = {"mark": {"type": "line", "style": "curve", "strokeDash": list(DASHES[places[names.index(series.name)]])}}
    return {**data, "encoding": encoding, "layer": [line, point]}


def _by_name(names: Sequence[str], legend: Spec | None, values: Sequence[Any] = ()) -> Spec:
    """A channel that tells series apart, the same in every panel; colours are those of the theme."""
    scale: dict[str, Any] = {"domain": list(names)} | ({"range": list(values)} if values else {})
    return {"field": "system", "type": "nominal", "scale": scale, "legend": legend}


def _matrix(panel: Panel, width: float, size: float) -> Spec:
    """Shades with the numbers in them, if there is room for numbers."""
    names = [series.name for series in panel.series]
    rows = [
        {"first": series.name, "second": tick, "value": value, "text": f"{value:.2f}", "exact": exact(value)}
        for series in panel.series
        for tick, value in zip(panel.ticks, series.y, strict=True)
        if value is not None and math.isfinite(value)
    ]
    side = LETTER * size * max(map(len, names)) + size
    cell = (width - side) / len(panel.ticks)
    upright = cell < LETTER * size * max(map(len, panel.ticks))
    encoding = {
        "x": {
            "field": "second",
            "type": "nominal",
            "sort": None,
            "title": None,
            "axis": {"orient": "top", "labelAngle": -90 if upright else 0, "labelLimit": 0},
        },
        "y": {"field": "first", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 0}},
    }
    tips = {"first": "Between", "second": "and", "exact": panel.y_label}
    tooltip = [{"field": field, "type": "nominal", "title": title} for field, title in tips.items()]
    shade = {"field": "value", "type": "quantitative", "legend": None}
    layers: list[Spec] = [
        {"mark": {"type": "rect", "style": "cell"}, "encoding": {"color": shade, "tooltip": tooltip}},
    ]
    if cell >= 4 * LETTER * size:
        layers.append(
            {"mark": {"type": "text", "style": "label"}, "encoding": {"text": {"field": "text", "type": "nominal"}}}
        )
    title = {"title": panel.title} if panel.title else {}
    height = min(cell, 2.4 * size) * len(names)
    size_and_data = {"width": cell * len(panel.ticks), "height": height, "data": {"values": rows}}
    return {**title, **size_and_data, "encoding": encoding, "layer": layers}
