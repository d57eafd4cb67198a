"""Figures of papers, drawn again from what was measured."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from heldout.papers.findings import BARS_WIDE, ExperimentFindings, Panel, PlotSeries, ReproductionFindings
from heldout.reports.charts.encodings import FADED, FOCUS, plot_height, sized, text_width, tooltips, upright
from heldout.reports.charts.theme import DASHES, MOST_SERIES, SYMBOLS, text_size
from heldout.reports.document import Chart, Layout, Spec
from heldout.text.numbers import count, exact

GAP = 24.0
"""Pixels between panels."""
AXIS = 3.2
"""Width of an upright axis, as a multiple of the height of text."""


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
    return Chart(
        name=f"{experiment.paper}/{experiment.key}",
        title=experiment.title,
        caption=f"{experiment.title} ({experiment.paper}, {experiment.key}), measured on {experiment.data}.",
        draw=partial(_panels, panels),
        table=name if experiment.rows else f"{name}-claims" if experiment.claims else "",
        half=len(panels) == 1 and not panels[0].matrix,
    )


def _panels(panels: Sequence[Panel], layout: Layout) -> Spec:
    """Panels next to each other if there is room, with one legend for all."""
    abreast = 1 if layout.narrow or len(panels) == 1 else 2
    width = (layout.width - GAP * (abreast - 1)) / abreast
    names = list(dict.fromkeys(series.name for panel in panels if not panel.matrix for series in panel.series))
    legend = _legend(names, layout) if len(names) > 1 else None
    room = max((_axis_room(panel, layout) for panel in panels if not panel.matrix), default=0)  # panels are aligned
    drawn = [_matrix(p, width, layout) if p.matrix else _panel(p, names, legend, width, room, layout) for p in panels]
    shared = {"scale": {"color": "shared", "shape": "shared"}} if names else {}
    base: Spec = {"params": FOCUS}
    if len(drawn) == 1:
        fits = {} if panels[0].matrix else sized(layout, drawn[0]["height"])
        return {**base, **drawn[0], **fits}
    return {**base, "columns": abreast, "spacing": GAP, "concat": drawn, "resolve": shared}


def _legend(names: Sequence[str], layout: Layout) -> Spec:
    size = text_size(paper=layout.paper)
    longest = max(text_width(name, layout) for name in names) + 3.0 * size
    columns = max(1, min(len(names), int(layout.width / longest)))
    return {"columns": columns, "labelLimit": layout.width - 3 * size, "offset": 2.2 * size}


def _panel(panel: Panel, names: Sequence[str], legend: Spec | None, width: float, room: int, layout: Layout) -> Spec:
    """Lines, bars and points; series of the right axis have a scale of their own."""
    size = text_size(paper=layout.paper)
    sides = [side for side in (False, True) if any(series.right == side for series in panel.series)]
    last = count(max((x for series in panel.series for x in series.x), default=0)) if panel.log_x else ""
    end = max(0.3 * size, text_width(last, layout) / 2 - 0.4 * size) if len(sides) == 1 else 0
    inner = round(width - room * len(sides) - end)
    x = _x_axis(panel, inner, layout)
    layers = []
    for side in sides:
        series = [s for s in panel.series if s.right == side]
        ends = {"titleX": 0, "titleAlign": "right", "orient": "right", "grid": False} if side else {}
        y = {
            "type": "quantitative",
            "title": panel.right_label if side else panel.y_label,
            "scale": {"zero": any(s.form == "bars" for s in series)},
            "axis": upright(layout, minExtent=room, maxExtent=room, **ends),
        }
        layers.append({"layer": [_series(panel, s, names, legend, x, y) for s in series]})
    layered: Spec = {"layer": layers, "resolve": {"scale": {"y": "independent"}}} if len(sides) > 1 else layers[0]
    return {**_title(panel), "width": inner, "height": plot_height(layout, 220), **layered}


def _axis_room(panel: Panel, layout: Layout) -> int:
    """Width of an upright axis: the usual one, or more for numbers of many digits that hardly differ."""
    size = text_size(paper=layout.paper)
    room = AXIS * size
    for side in (False, True):
        every = [y for line in panel.series if line.right == side for y in line.y]
        values = [y for y in every if y is not None and math.isfinite(y)] or [0.0]
        decimals = max(0, -math.floor(math.log10((max(values) - min(values) or 1.0) / 5)))
        room = max(room, text_width(f"{max(values, key=abs):.{decimals}f}", layout) + 0.6 * size)
    return round(room)


def _title(panel: Panel) -> Spec:
    return {"title": panel.title} if panel.title else {}


def _x_axis(panel: Panel, width: float, layout: Layout) -> Spec:
    size = text_size(paper=layout.paper)
    values = sorted({float(x) for series in panel.series for x in series.x})
    most = max(3, int(width / (4 * size)))
    axis: dict[str, Any] = {"grid": False}
    scale: dict[str, Any] = {"zero": False, "nice": False, "padding": 0.6 * size}
    if panel.ticks:
        scale = {"domain": [-0.5, len(panel.ticks) - 0.5], "nice": False, "zero": False}
        axis |= _tick_labels(panel.ticks, width, layout)
    elif panel.log_x:
        scale |= {"type": "log"}
        axis |= {"values": values[:: -(-len(values) // most)], "labelOverlap": True}
    else:
        axis |= {"tickCount": most, "labelOverlap": True}
    return {"type": "quantitative", "title": panel.x_label or None, "scale": scale, "axis": axis}


def _tick_labels(ticks: Sequence[str], width: float, layout: Layout) -> Spec:
    """Words below an axis, in lines or, if they do not fit, upright."""
    room = width / len(ticks) - 0.5 * text_size(paper=layout.paper)
    words = [tick.replace("-", "- ").split() for tick in ticks]
    fits = all(text_width(word, layout) <= room for parts in words for word in parts)
    lines = [_lines(parts, room, layout) for parts in words] if fits else [[tick] for tick in ticks]
    turned = {} if fits else {"labelAngle": -90, "labelAlign": "right", "labelBaseline": "middle"}
    expression = f"{json.dumps(lines, ensure_ascii=False)}[datum.value]"
    return {"values": list(range(len(ticks))), "labelExpr": expression, "labelLimit": 0, **turned}


def _lines(words: Sequence[str], room: float, layout: Layout) -> list[str]:
    """Words in lines that fit; those that a hyphen joined are joined again."""
    lines = [words[0]]
    for word in words[1:]:
        longer = f"{lines[-1]}{word}" if lines[-1].endswith("-") else f"{lines[-1]} {word}"
        if text_width(longer, layout) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


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
        "opacity": FADED,
    }
    tips = {
        "system": "Series",
        "where": panel.x_label or "Place",
        "text": panel.right_label if series.right else panel.y_label,
    }
    tooltip = {"tooltip": tooltips(*tips.items())}
    data = {"data": {"values": rows}}
    if series.form == "bars":
        encoding["x"] |= {"field": "from"}
        encoding |= {"x2": {"field": "to"}, "y2": {"datum": 0}, **tooltip}
        return {**data, "mark": {"type": "rect"}, "encoding": encoding}
    places = [(k + k // MOST_SERIES) % MOST_SERIES for k in range(len(names))]
    shape = {"shape": _by_name(names, legend, [SYMBOLS[k] for k in places])}
    point = {"mark": {"type": "point", "style": "estimate"}, "encoding": shape | tooltip}
    if series.form == "points" or panel.ticks:
        return {**data, **point, "encoding": encoding | shape | tooltip}
    line = {"mark": {"type": "line", "style": "curve", "strokeDash": list(DASHES[places[names.index(series.name)]])}}
    return {**data, "encoding": encoding, "layer": [line, point]}


def _by_name(names: Sequence[str], legend: Spec | None, values: Sequence[Any] = ()) -> Spec:
    """A channel that tells series apart, the same in every panel; colours are those of the theme."""
    scale: dict[str, Any] = {"domain": list(names)} | ({"range": list(values)} if values else {})
    return {"field": "system", "type": "nominal", "scale": scale, "legend": legend}


def _matrix(panel: Panel, width: float, layout: Layout) -> Spec:
    """Shades with the numbers in them, if there is room for numbers."""
    size = text_size(paper=layout.paper)
    rows = [
        {"first": series.name, "second": tick, "value": value, "text": f"{value:.2f}", "exact": exact(value)}
        for series in panel.series
        for tick, value in zip(panel.ticks, series.y, strict=True)
        if value is not None and math.isfinite(value)
    ]
    room = max(text_width(series.name, layout) for series in panel.series) + 0.6 * size
    cell = (width - room) / len(panel.ticks)
    upright = cell < max(text_width(tick, layout) for tick in panel.ticks)
    names = {"type": "nominal", "sort": None, "title": None}
    above = {"orient": "top", "labelAngle": -90 if upright else 0, "labelLimit": 0}
    shade = {"field": "value", "type": "quantitative", "legend": None, "scale": {"range": "ramp"}}
    tooltip = tooltips(("first", "Between"), ("second", "and"), ("exact", panel.y_label))
    layers: list[Spec] = [
        {"mark": {"type": "rect", "style": "cell"}, "encoding": {"color": shade, "tooltip": tooltip}},
    ]
    if cell >= text_width("0.00", layout):
        layers.append({"mark": {"type": "text", "style": "label"}, "encoding": {"text": {"field": "text"}}})
    return {
        **_title(panel),
        "width": cell * len(panel.ticks),
        "height": min(cell, 2.4 * size) * len(panel.series),
        "data": {"values": rows},
        "encoding": {
            "x": {"field": "second", **names, "axis": above},
            "y": {"field": "first", **names, "axis": {"labelLimit": 0}},
        },
        "layer": layers,
    }
