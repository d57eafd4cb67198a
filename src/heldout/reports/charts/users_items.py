"""Charts of users and items in the primary setting: gains and losses, groups, what is recommended, curves and trade-offs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from typing import Any

from heldout.analysis.details import CurveRow, GroupValues, PopularityShares, UserDifferences
from heldout.analysis.findings import Findings
from heldout.analysis.overview import TradeOff, cost_and_quality, trade_offs
from heldout.reports.charts.encodings import (
    FADED,
    FOCUS,
    LINES,
    Told,
    across,
    beside,
    inset,
    key,
    labels,
    plot_height,
    reach,
    short_systems,
    sized,
    step,
    system_color,
    system_dash,
    system_shape,
    text_width,
    tooltips,
    upright,
    within,
    wrapped,
    zero_axis,
)
from heldout.reports.charts.label_places import beside_points
from heldout.reports.charts.theme import MOST_SERIES, text_size
from heldout.reports.document import Chart, Layout, Spec
from heldout.reports.study_tables import kebab
from heldout.reports.views import (
    AIMS_MEAN,
    GROUP_FIGURES,
    PR_MEANS,
    ROC_MEANS,
    board_order,
    figure_of,
    gains_sentence,
    popularity_sentence,
    systems_shown,
)
from heldout.words import count, counted, digits_for, interval_text, metric_words, number, percent, seconds, signed

BARS = 100
"""Bars of the curve of gains and losses: one for each percent of the users."""
MARKED = 8
"""Points of a curve with a marker and a tooltip."""
LEAST_SECONDS = 1e-3
REFERENCES = {"relevant test ratings": "relevant in test"}
"""Shorter names of what recommendations are compared with."""
MOST_PANELS = 5
"""Groups that have a panel each next to each other; more are rows of one plot."""


def user_differences(findings: Findings) -> Chart | None:
    """Users from the largest gain to the largest loss by the leader against its strongest rival."""
    pair = findings.pictures.differences
    if pair is None or len(pair.curve) < 2:
        return None
    names = short_systems([pair.a, pair.b], of=findings.systems)
    return Chart(
        name="user-differences",
        title=f"Who gains and who loses: {names[pair.a]} against {names[pair.b]}",
        caption=f"Users in the order of their difference in {metric_words(pair.metric)}, {pair.a} minus {pair.b}. "
        + gains_sentence(replace(pair, metric=metric_words(pair.metric))),
        draw=partial(_user_differences, findings, pair),
    )


def _user_differences(findings: Findings, pair: UserDifferences, layout: Layout) -> Spec:
    names = short_systems([pair.a, pair.b], layout, of=findings.systems, most=0.3)
    bars = min(BARS, len(pair.curve))
    rows: list[Spec] = []
    for k in range(bars):
        value = pair.curve[round((k + 0.5) / bars * (len(pair.curve) - 1))]
        better = pair.a if value > 0 else pair.b if value < 0 else ""
        rows.append(
            {
                "from": k / bars,
                "to": (k + 1) / bars,
                "value": value,
                "system": better or None,
                "Users": f"{percent(k / bars, 0)} to {percent((k + 1) / bars, 0)}",
                "Difference": signed(value, 4),
                "Better": better or "equal",
            }
        )
    low, high = reach([*(row["value"] for row in rows), 0.0], zero=True)
    size = text_size(paper=layout.paper)
    x: Spec = {
        "field": "from",
        "type": "quantitative",
        "scale": inset((0.0, 1.0), layout),
        "axis": {"format": ".0%", "grid": False, "tickCount": 5},
        "title": "Users, sorted by difference",
    }
    y: Spec = {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": [low, high], "nice": False},
        "axis": upright(layout, format="+~g", labelExpr=zero_axis()),
        "title": f"{names[pair.a]} minus {names[pair.b]}, {metric_words(pair.metric)}",
    }
    y["title"] = wrapped(str(y["title"]), layout.width - 3.5 * size, layout).split("\n")
    tooltip = tooltips("Users", "Difference", ("Better", "Better off with"))
    texts = _gain_texts(pair, names, layout)
    share = pair.wins / pair.users
    line = 1.3 * size * (high - low) / plot_height(layout)
    after, before = 0.4 * share, 1 - 0.4 * pair.losses / pair.users
    notes: list[Spec] = [
        {"x": after, "y": _curve_at(pair, after) + 0.4 * line, "text": texts[0], "align": "left", "baseline": "bottom"},
        {"x": before, "y": _curve_at(pair, before) - 0.4 * line, "text": texts[2], "align": "right", "baseline": "top"},
    ]
    low, high = min(low, notes[1]["y"] - 2.2 * line), max(high, notes[0]["y"] + 2.2 * line)
    y["scale"]["domain"] = [low, high]
    if pair.ties and not layout.narrow:
        middle = share + pair.ties / pair.users / 2
        notes.append({"x": middle, "y": 0.4 * line, "text": texts[1], "align": "center", "baseline": "bottom"})
    note_layers = [
        {
            "data": {"values": [{name: value for name, value in note.items() if name not in ("align", "baseline")}]},
            "mark": {
                **{
                    "type": "text",
                    "style": "label",
                    "align": note["align"],
                    "baseline": note["baseline"],
                    "lineBreak": "\n",
                },
                "dy": -1.2 * size * note["text"].count("\n") if note["baseline"] == "bottom" else 0.0,
            },
            "encoding": {
                "x": {"field": "x", "type": "quantitative"},
                "y": {"field": "y", "type": "quantitative"},
                "text": {"field": "text"},
            },
        }
        for note in notes
    ]
    systems = systems_shown(findings, MOST_SERIES)
    return {
        **sized(layout, plot_height(layout)),
        "params": FOCUS,
        "data": {"name": "user-differences", "values": rows},
        "layer": [
            {
                "mark": {"type": "rect", "style": "bar"},
                "encoding": {
                    "x": x,
                    "x2": {"field": "to"},
                    "y": y,
                    "y2": {"datum": 0},
                    "color": system_color(systems, rows=[row for row in rows if row["system"]]),
                    "opacity": FADED,
                    "tooltip": tooltip,
                },
            },
            {
                "mark": {"type": "rule", "style": "zero"},
                "encoding": {"y": {"datum": 0}, "x": {"value": 0}, "x2": {"value": "width"}},
            },
            *note_layers,
        ],
    }


def _curve_at(pair: UserDifferences, share: float) -> float:
    """The difference of the user at this share of all users."""
    return pair.curve[round(min(1.0, max(0.0, share)) * (len(pair.curve) - 1))]


def _gain_texts(pair: UserDifferences, names: dict[str, str], layout: Layout) -> tuple[str, str, str]:
    """What is written next to gains, ties and losses."""

    def side(users: int, system: str, mean: float | None) -> str:
        share = f"{counted(users, 'user')} ({percent(users / pair.users, 0)})"
        if layout.narrow:
            return f"{share}\nbetter with {names[system]}"
        size = "" if mean is None else f",\nby {number(abs(mean), 3)} on average"
        return f"{share} {'is' if users == 1 else 'are'} better off with {names[system]}{size}"

    ties = f"{count(pair.ties)} ({percent(pair.ties / pair.users, 0)}) equal"
    return side(pair.wins, pair.a, pair.gain), ties, side(pair.losses, pair.b, pair.loss)


def groups(findings: Findings, name: str) -> Chart | None:
    """Values of systems on groups of users, or with groups of items."""
    tables = [own for own in findings.pictures.groups if figure_of(own.by) == name]
    tables = [own for own in tables if any(value is not None for line in own.values for value in line)]
    if not tables:
        return None
    intervals = any(own.low for own in tables)
    told = [f"Bars are {100 * (1 - findings.level):g}% confidence intervals."] if intervals else []
    return Chart(
        name=name,
        title=GROUP_FIGURES[name] if len(tables) > 1 else tables[0].title,
        caption=" ".join([f"{metric_words(tables[0].metric)}.", *(own.means for own in tables), *told]),
        table=kebab(tables[0].title),
        draw=partial(_groups, findings, tables),
    )


def _of_groups(name: str) -> Callable[[Findings], Chart | None]:
    """The function of one of the figures of groups."""

    def chart(findings: Findings) -> Chart | None:
        return groups(findings, name)

    return chart


def _groups(findings: Findings, tables: Sequence[GroupValues], layout: Layout) -> Spec:
    plots = [_group_plot(findings, own, layout) for own in tables]
    ends = {plot.own.metric: plot.ends for plot in plots}
    for plot in plots:
        low, high = ends[plot.own.metric]
        ends[plot.own.metric] = (min(low, plot.ends[0]), max(high, plot.ends[1]))
    plots = [replace(plot, ends=ends[plot.own.metric]) for plot in plots]  # one scale for one metric
    if len(plots) == 1:
        return {**plots[0].spec(plots[0].axis()["maxExtent"]), "params": FOCUS}
    room = max(plot.axis()["maxExtent"] for plot in plots)  # parts below each other have plots that begin at one place
    parts = []
    for plot in plots:
        title = {"text": plot.own.title}
        spec = plot.spec(room)
        parts.append({**(spec if "facet" in spec else within(spec, layout.width - room - 3)), "title": title})
    return {"params": FOCUS, "vconcat": parts, "spacing": 2 * text_size(paper=layout.paper)}


def _group_plot(findings: Findings, own: GroupValues, layout: Layout) -> _GroupPlot:
    systems = [system for system in systems_shown(findings, MOST_SERIES) if system in own.systems]
    digits = digits_for(value for line in own.values for value in line)
    names = short_systems(systems, layout, of=findings.systems, most=0.42 if layout.narrow else 0.24)
    unit = " ratings" if own.by == "user-activity" else ""
    heads = [f"{group}{unit}\n{count(users)} users" for group, users in zip(own.groups, own.users, strict=True)]
    rows: list[Spec] = []
    for system in systems:
        line = own.systems.index(system)
        for j, group in enumerate(own.groups):
            value = own.values[line][j]
            low, high = (own.low[line][j], own.high[line][j]) if own.low else (None, None)
            if value is not None:
                rows.append(
                    {
                        "system": system,
                        "name": names[system],
                        "group": heads[j],
                        "value": value,
                        "low": low,
                        "high": high,
                        "label": number(value, min(3, digits)),
                        "Group": group,
                        "Value": number(value, digits),
                        "Interval": interval_text((low, high), digits),
                        "Users": count(own.users[j]),
                    }
                )
    told: list[Told] = [("system", "System"), "Group", ("Value", metric_words(own.metric))]
    told += [("Interval", f"{100 * (1 - findings.level):g}% CI")] if own.low else []
    return _GroupPlot(
        own=own,
        rows=rows,
        heads=heads,
        names=names,
        ends=reach([row[key] for row in rows for key in ("value", "low", "high")], zero=True),
        tooltip=tooltips(*told, "Users"),
        layout=layout,
    )


@dataclass(frozen=True, kw_only=True)
class _GroupPlot:
    """One table of groups: a panel for each group if there are few, else a row for each group."""

    own: GroupValues
    rows: list[Spec]
    heads: list[str]
    """Groups with their numbers of users, in two lines."""
    names: dict[str, str]
    """System → its short name."""
    ends: tuple[float, float]
    """Of the scale."""
    tooltip: list[dict[str, str]]
    layout: Layout

    @property
    def panelled(self) -> bool:
        """True if each group has a panel."""
        return len(self.heads) <= MOST_PANELS and not self.layout.narrow

    @property
    def group_labels(self) -> dict[str, str]:
        """Head → the label of its row."""
        if not self.layout.narrow:
            return {head: head.replace("\n", " · ") for head in self.heads}
        lines = {head: head.split("\n") for head in self.heads}
        return {head: wrapped(group, 0.4 * self.layout.width, self.layout) + f"\n{n}" for head, (group, n) in lines.items()}

    def axis(self) -> dict[str, Any]:
        """The axis with names of systems, or of groups."""
        return labels(self.names.values() if self.panelled else self.group_labels.values(), self.layout)

    def spec(self, room: float) -> Spec:
        """The chart; its axis takes this room."""
        axis = {**self.axis(), "minExtent": room, "maxExtent": room}
        return self._panels(axis) if self.panelled else self._rows(axis)

    def _panels(self, axis: dict[str, Any]) -> Spec:
        """A panel for each group with a row for each system, on one scale."""
        layout, systems = self.layout, list(self.names)
        size = text_size(paper=layout.paper)
        gap, panels = 1.6 * size, len(self.heads)
        width = (layout.width - axis["maxExtent"] - gap * (panels - 1)) / panels - 3
        metric = metric_words(self.own.metric)
        widest = 0.0 if self.own.low else max(text_width(row["label"], layout) for row in self.rows)
        x: Spec = {
            "type": "quantitative",
            "scale": inset(self.ends, layout, width=width - widest),
            "axis": {"tickCount": max(2, int(width / (5 * size)))},
            "title": metric if text_width(metric, layout) < width else None,
        }
        y: Spec = {"field": "name", "type": "nominal", "sort": list(self.names.values()), "axis": axis}
        shared = {"y": y, "opacity": FADED, "tooltip": self.tooltip}
        value, color = {**x, "field": "value"}, system_color(systems)
        point: Spec = {
            "mark": {"type": "point", "style": "estimate"},
            "encoding": {**shared, "x": value, "color": color, "shape": system_shape(systems)},
        }
        interval: Spec = {
            "mark": {"type": "rule", "style": "interval"},
            "encoding": {**shared, "x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": color},
        }
        stem: Spec = {
            "mark": {"type": "rule", "style": "stem"},
            "encoding": {**shared, "x": value, "x2": {"datum": 0}},
        }
        label: Spec = {
            "mark": {"type": "text", "style": "label", "align": "left", "dx": 0.6 * size},
            "encoding": {**shared, "x": value, "text": {"field": "label"}},
        }
        header = {"title": None, "labelExpr": LINES}
        return {
            "data": {"name": self.own.by, "values": self.rows},
            "facet": {"field": "group", "type": "nominal", "sort": self.heads, "header": header},
            "columns": panels,
            "spacing": gap,
            "bounds": "flush",
            "spec": {
                "width": width,
                "height": step(layout, len(systems)) * len(systems),
                "layer": [interval, point] if self.own.low else [stem, point, label],
            },
        }

    def _rows(self, axis: dict[str, Any]) -> Spec:
        """A row for each group, in which systems are below each other."""
        layout, systems, texts = self.layout, list(self.names), self.group_labels
        size = text_size(paper=layout.paper)
        lines = max(text.count("\n") for text in texts.values()) + 1
        band = max(0.62 * size * len(systems), 1.25 * size * lines) / 0.75
        x: Spec = {
            "type": "quantitative",
            "scale": inset(self.ends, layout),
            "axis": {
                "tickCount": 4 if layout.narrow else 6,
                **across(metric_words(self.own.metric), layout.width - axis["maxExtent"], layout),
            },
        }
        y: Spec = {
            "field": "group",
            "type": "nominal",
            "sort": list(texts.values()),
            "scale": {"paddingInner": 0.25, "paddingOuter": 0.12},
            "axis": {**axis, "grid": True, "tickBand": "extent"},
        }
        offset = {"field": "system", "type": "nominal", "scale": {"domain": systems}}
        shared = {"y": y, "yOffset": offset, "opacity": FADED, "tooltip": self.tooltip, "color": system_color(systems)}
        interval: Spec = {
            "mark": {"type": "rule", "style": "whisker"},
            "encoding": {**shared, "x": {**x, "field": "low"}, "x2": {"field": "high"}},
        }
        point: Spec = {
            "mark": {"type": "point", "style": "estimate"},
            "encoding": {**shared, "x": {**x, "field": "value"}, "shape": system_shape(systems)},
        }
        named = key(self.names, layout, drawn=systems, left=axis["maxExtent"])
        return {
            **sized(layout, band * len(self.heads)),
            "data": {"name": self.own.by, "values": [{**row, "group": texts[row["group"]]} for row in self.rows]},
            "layer": [*([interval] if self.own.low else []), point, *named],
        }


def recommended_popularity(findings: Findings) -> Chart | None:
    """Shares of popularity classes in what systems recommend, next to test ratings, training ratings and the catalogue."""
    shares = findings.pictures.popularity
    if shares is None:
        return None
    return Chart(
        name="recommended-popularity",
        title="What each system recommends",
        caption=f"{popularity_sentence(shares)} Figures next to bars: {' / '.join(shares.classes)}.",
        table="popularity-shares",
        draw=partial(_recommended_popularity, findings, shares),
    )


def _recommended_popularity(findings: Findings, shares: PopularityShares, layout: Layout) -> Spec:
    size = text_size(paper=layout.paper)
    first = set(systems_shown(findings, MOST_SERIES))
    entries = [entry for k, entry in enumerate(board_order(findings, shares)) if k >= shares.systems or entry[0] in first]
    names = short_systems([name for name, _ in entries], layout, of=findings.systems, most=0.4)
    texts = {name: REFERENCES.get(name, names[name]) for name, _ in entries}
    systems = [name for name, _ in entries if name in first]
    gap = " "
    domain = [*(texts[name] for name in systems), gap, *(texts[name] for name, _ in entries if name not in first)]
    rows, ends = [], []
    for name, own in entries:
        starts = [0.0, *accumulate(own)]
        told = " / ".join(f"{100 * share:.0f}" for share in own)
        ends.append({"system": name, "name": texts[name], "label": f"{told} %", "x": 1.0, "Shares": f"{told} %"})
        rows += [
            {
                "system": name,
                "name": texts[name],
                "from": starts[k],
                "to": starts[k + 1],
                "part": part,
                "Class": part,
                "Share": percent(share),
            }
            for k, (part, share) in enumerate(zip(shares.classes, own, strict=True))
            if share > 0
        ]
    y: Spec = {
        "field": "name",
        "type": "nominal",
        "scale": {"domain": domain},
        "axis": labels(texts.values(), layout, most=0.42),
    }
    plot = layout.width - y["axis"]["maxExtent"]
    figures = [str(end["label"]) for end in ends]
    written = max(text_width(text, layout) for text in figures) < 0.55 * plot
    scale = beside([1.0] * len(figures), figures, (0.0, 1.0), plot, layout) if written else inset((0.0, 1.0), layout)
    x: Spec = {
        "field": "from",
        "type": "quantitative",
        "scale": scale,
        "axis": {
            **{"format": ".0%", "tickCount": 2 if layout.narrow else 5, "grid": False},
            **across(f"Share of items in top-{shares.n} lists", plot, layout),
        },
    }
    widest = max(text_width(name, layout) for name in shares.classes) + 2.6 * size
    legend = {"symbolType": "square", "columns": max(1, min(len(shares.classes), int(plot / widest)))}
    classes = {"domain": list(shares.classes), "range": "ordinal"}
    label: Spec = {
        "data": {"values": ends},
        "mark": {"type": "text", "style": "label", "align": "left", "dx": size / 2},
        "encoding": {
            "y": y,
            "x": {**x, "field": "x"},
            "text": {"field": "label"},
            "opacity": FADED,
            "tooltip": tooltips(("system", "Of"), ("Shares", " / ".join(shares.classes))),
        },
    }
    return {
        **sized(layout, 0.9 * step(layout) * len(domain)),
        "params": FOCUS,
        "data": {"name": "recommended-popularity", "values": rows},
        "layer": [
            {
                "mark": {"type": "bar", "style": "share"},
                "encoding": {
                    "y": y,
                    "x": x,
                    "x2": {"field": "to"},
                    "color": {"field": "part", "type": "nominal", "scale": classes, "legend": legend},
                    "opacity": FADED,
                    "tooltip": tooltips(("system", "Of"), "Class", "Share"),
                },
            },
            *([label] if written else []),
        ],
    }


def precision_recall(findings: Findings) -> Chart | None:
    """Users' mean precision against their mean recall at each depth."""
    return _operating(findings, "precision-recall", "Precision and recall", findings.pictures.precision_recall, PR_MEANS)


def roc(findings: Findings) -> Chart | None:
    """Users' mean true against their mean false positive rates at each depth."""
    return _operating(findings, "roc", "ROC curves", findings.pictures.roc, ROC_MEANS)


def _operating(findings: Findings, name: str, title: str, curves: Sequence[CurveRow], means: str) -> Chart | None:
    by_system = {row.system: row for row in curves}
    systems = [system for system in systems_shown(findings, MOST_SERIES) if system in by_system]
    if not systems:
        return None
    lacking = [system for system in findings.systems if system not in by_system]
    without = (
        f" Not drawn, because too few of the candidates are ranked: {', '.join(lacking)}."
        if lacking and name == "roc"
        else ""
    )
    rows = [by_system[system] for system in systems]
    return Chart(
        name=name,
        title=title,
        caption=means.replace("thin line", "dashed line") + without,
        half=True,
        draw=partial(lines, name, findings, rows, chance=name == "roc"),
    )


def lines(name: str, findings: Findings, curves: Sequence[CurveRow], layout: Layout, *, chance: bool) -> Spec:
    """Lines of systems between axes of shares, with markers at some points; with `chance`, the line of a random order."""
    systems = systems_shown(findings, MOST_SERIES)
    own = [row.system for row in curves]
    names = short_systems(own, layout, of=findings.systems, most=0.5)
    points = []
    for k, row in enumerate(curves):
        every = max(1, math.ceil(len(row.x) / MARKED))
        first = (k * every // max(1, len(curves))) % every
        points += [
            {
                "system": row.system,
                "x": x,
                "y": y,
                "marked": at % every == first or len(row.x) <= MARKED,
                "X": percent(x),
                "Y": percent(y),
            }
            for at, (x, y) in enumerate(zip(row.x, row.y, strict=True))
        ]
    first_curve = curves[0]
    right, top = (max(max(getattr(row, side)) for row in curves) for side in ("x", "y"))
    whole = chance or top > 0.5
    x: Spec = {
        "field": "x",
        "type": "quantitative",
        "scale": inset((0.0, 1.0) if whole or right > 0.8 else (0.0, 1.03 * right), layout),
        "axis": {"format": ".0%", "tickCount": 4 if layout.narrow or layout.width < 500 else 5},
        "title": _capital(first_curve.x_label),
    }
    y: Spec = {
        "field": "y",
        "type": "quantitative",
        "scale": {"domain": [0, 1] if whole else [0, 1.03 * top], "nice": False},
        "axis": upright(layout, format=".0%"),
        "title": _capital(first_curve.y_label),
    }
    color, dash, shape = (of_system(systems) for of_system in (system_color, system_dash, system_shape))
    diagonal: Spec = {
        "data": {"values": [{"x": 0, "y": 0, "x2": 1, "y2": 1}]},
        "mark": {"type": "rule", "style": "reference"},
        "encoding": {"x": x, "y": y, "x2": {"field": "x2"}, "y2": {"field": "y2"}},
    }
    told = tooltips(("system", "System"), ("X", _capital(first_curve.x_label)), ("Y", _capital(first_curve.y_label)))
    return {
        **sized(layout, plot_height(layout, 320)),
        "params": FOCUS,
        "data": {"name": name, "values": points},
        "layer": [
            *([diagonal] if chance else []),
            {
                "mark": {"type": "line", "style": "curve", "interpolate": "linear"},
                "encoding": {
                    "x": x,
                    "y": y,
                    "color": color,
                    "strokeDash": dash,
                    "opacity": FADED,
                    "tooltip": tooltips(("system", "System")),
                },
            },
            {
                "transform": [{"filter": "datum.marked"}],
                "mark": {"type": "point", "style": "estimate"},
                "encoding": {"x": x, "y": y, "color": color, "shape": shape, "opacity": FADED, "tooltip": told},
            },
            *key(
                names,
                layout,
                drawn=systems,
                left=y["axis"]["maxExtent"],
                above=2.2 * text_size(paper=layout.paper),
                lines=True,
            ),
        ],
    }


def accuracy_beyond(findings: Findings) -> Chart | None:
    """The first metric against each metric beyond accuracy, a point for each system."""
    pairs = trade_offs(findings)
    if not pairs:
        return None
    across = ", ".join(metric_words(pair.across.name) for pair in pairs)
    return Chart(
        name="accuracy-beyond",
        title="Accuracy and other aims",
        caption=f"{metric_words(pairs[0].up.name)} against {across}. {AIMS_MEAN}",
        table="descriptive",
        half=len(pairs) == 1,
        draw=partial(_scatters, findings, pairs),
    )


def _scatters(findings: Findings, pairs: Sequence[TradeOff], layout: Layout) -> Spec:
    columns = 1 if layout.narrow or len(pairs) == 1 else 2
    if len(pairs) == 1:
        return {**_scatter(findings, pairs[0], layout), "params": FOCUS}
    gap = 2.5 * text_size(paper=layout.paper)
    part = Layout(width=(layout.width - gap * (columns - 1)) / columns - 5, paper=layout.paper)
    parts = [within(_scatter(findings, pair, part), part.width - upright(layout)["maxExtent"]) for pair in pairs]
    rows = [{"hconcat": parts[k : k + columns], "spacing": gap} for k in range(0, len(parts), columns)]
    return {"params": FOCUS, "vconcat": rows, "spacing": gap}


def cost_quality(findings: Findings) -> Chart | None:
    """The first metric against seconds of fitting and scoring, by powers of ten."""
    pair = cost_and_quality(findings)
    if pair is None:
        return None
    return Chart(
        name="cost-quality",
        title=f"{metric_words(pair.up.name)} and cost",
        caption=f"{metric_words(pair.up.name)} against seconds of fitting and scoring, all folds together, on a scale of "
        "powers of ten. Times differ from run to run.",
        table="costs",
        half=True,
        draw=partial(_cost_quality, findings, pair),
    )


def _cost_quality(findings: Findings, pair: TradeOff, layout: Layout) -> Spec:
    return {**_scatter(findings, pair, layout, log=True), "params": FOCUS}


def _scatter(findings: Findings, pair: TradeOff, layout: Layout, *, log: bool = False) -> Spec:
    """A point for each system, named next to it."""
    size = text_size(paper=layout.paper)
    systems = systems_shown(findings, MOST_SERIES)
    points = [(name, max(x, LEAST_SECONDS) if log else x, y) for name, x, y in pair.points if name in set(systems)]
    names = short_systems([name for name, _, _ in points], layout, of=findings.systems, most=0.4)
    place = math.log10 if log else float
    xs, ys = [place(x) for _, x, _ in points], [y for _, _, y in points]
    ends = {row.system: (row.low, row.high) for row in findings.board(findings.primary)}
    (left, right), (bottom, top) = _wider(xs, 0.12), _wider([*ys, *_known(ends, points)], 0.1)
    height = plot_height(layout, 280)
    width = layout.width - 4.6 * size
    spots = [
        ((x - left) / (right - left) * width, (y - bottom) / (top - bottom) * height) for x, y in zip(xs, ys, strict=True)
    ]
    widths = [text_width(names[name], layout) for name, _, _ in points]
    places = beside_points(spots, widths, line=1.25 * size, gap=0.8 * size, top=height, right=width)
    rows, leads = [], []
    words: dict[bool, list[Spec]] = {False: [], True: []}
    across_digits, up_digits = digits_for(pair.across.values), digits_for(pair.up.values)
    for (name, own_x, own_y), (px, py), (label_x, label_y), wide in zip(points, spots, places, widths, strict=True):
        low, high = ends.get(name, (None, None))
        told = {
            "system": name,
            "Across": seconds(own_x) if log else number(own_x, across_digits),
            "Up": number(own_y, up_digits),
            "Interval": interval_text((low, high), up_digits),
        }
        rows.append({**told, "x": own_x, "y": own_y, "low": low, "high": high})
        on_left = label_x < px
        edge = label_x + wide if on_left else label_x
        text_x, text_y = left + edge / width * (right - left), bottom + label_y / height * (top - bottom)
        text_x = 10**text_x if log else text_x
        words[on_left].append({**told, "x": text_x, "y": text_y, "name": names[name]})
        if abs(label_y - py) > 2:
            leads.append({"system": name, "x": own_x, "y": own_y, "x2": text_x, "y2": text_y})
    scale = inset((10**left, 10**right) if log else (left, right), layout)
    scale |= {"type": "log"} if log else {"zero": False}
    x_axis: Spec = {"tickCount": 4}
    if log:
        x_axis |= {"format": "~g", "values": _decades(left, right)}
    x_title = metric_words(pair.across.name) + _lower_words(pair.across.means)
    x_title = "Seconds to fit and score (log scale)" if log else x_title
    x: Spec = {
        "field": "x",
        "type": "quantitative",
        "scale": scale,
        "axis": x_axis,
        "title": wrapped(x_title, layout.width, layout).split("\n"),
    }
    y: Spec = {
        "field": "y",
        "type": "quantitative",
        "scale": {"domain": [bottom, top], "nice": False, "zero": False},
        "axis": upright(layout),
        "title": metric_words(pair.up.name) + _lower_words(pair.up.means),
    }
    tooltip = tooltips(
        ("system", "System"),
        ("Up", metric_words(pair.up.name)),
        ("Interval", f"{100 * (1 - findings.level):g}% CI"),
        ("Across", metric_words(pair.across.name)),
    )
    shared = {"x": x, "opacity": FADED, "tooltip": tooltip}
    color = system_color(systems)
    text: list[Spec] = [
        {
            "data": {"values": words[on_left]},
            "mark": {"type": "text", "style": "label", "align": "right" if on_left else "left", "baseline": "middle"},
            "encoding": {**shared, "y": y, "text": {"field": "name"}},
        }
        for on_left in (False, True)
        if words[on_left]
    ]
    lead: list[Spec] = [
        {
            "data": {"values": leads},
            "mark": {"type": "rule", "style": "rule"},
            "encoding": {"x": x, "y": y, "x2": {"field": "x2"}, "y2": {"field": "y2"}, "opacity": FADED},
        }
    ]
    whisker: list[Spec] = [
        {
            "transform": [{"filter": "isValid(datum.low)"}],
            "mark": {"type": "rule", "style": "whisker"},
            "encoding": {**shared, "y": {**y, "field": "low"}, "y2": {"field": "high"}, "color": color},
        }
    ]
    return {
        **sized(layout, height),
        "data": {"name": f"{pair.across.name}", "values": rows},
        "layer": [
            *(lead if leads else []),
            *(whisker if any(row["low"] is not None for row in rows) else []),
            {
                "mark": {"type": "point", "style": "symbol"},
                "encoding": {**shared, "y": y, "color": color, "shape": system_shape(systems)},
            },
            *text,
        ],
    }


def _known(ends: dict[str, tuple[float | None, float | None]], points: Sequence[tuple[str, float, float]]) -> list[float]:
    return [end for name, _, _ in points for end in ends.get(name, ()) if end is not None]


def _wider(values: Sequence[float], share: float) -> tuple[float, float]:
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


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower_words(means: str) -> str:
    return " (lower is better)" if means == "lower is better" else ""


CHARTS: dict[str, Callable[..., Chart | None]] = {
    "user-differences": user_differences,
    **{name: _of_groups(name) for name in GROUP_FIGURES},
    "recommended-popularity": recommended_popularity,
    "precision-recall": precision_recall,
    "roc": roc,
    "accuracy-beyond": accuracy_beyond,
    "cost-quality": cost_quality,
}
"""Name → function of findings."""
