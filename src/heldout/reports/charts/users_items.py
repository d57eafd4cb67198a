"""Charts of users and items in the primary setting: gains and losses, groups, what is recommended, curves and trade-offs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from typing import Any

from heldout.analysis.details import CurveRow, GroupValues, PopularityShares, UserDifferences
from heldout.analysis.findings import Findings
from heldout.analysis.overview import TradeOff, cost_and_quality, trade_offs
from heldout.reports.captions import confidence
from heldout.reports.charts import marks
from heldout.reports.charts.encodings import (
    FADED,
    FOCUS,
    LINES,
    SYSTEM,
    Told,
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
    text_width,
    tooltips,
    upright,
    within,
    wrapped,
    zero_axis,
)
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
from heldout.words import count, digits_for, interval_text, metric_words, number, percent, seconds, signed

BARS = 100
"""Bars of the curve of gains and losses: one for each percent of the users."""
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
    size, height = text_size(paper=layout.paper), plot_height(layout)
    names = short_systems([pair.a, pair.b], layout, of=findings.systems, most=0.3)
    bars, last = min(BARS, len(pair.curve)), len(pair.curve) - 1
    rows: list[Spec] = []
    for k in range(bars):
        value = pair.curve[round((k + 0.5) / bars * last)]
        better = pair.a if value > 0 else pair.b if value < 0 else None
        rows.append(
            {
                "from": k / bars,
                "to": (k + 1) / bars,
                "value": value,
                "system": better,
                "Users": f"{percent(k / bars, 0)} to {percent((k + 1) / bars, 0)}",
                "Difference": signed(value, 4),
                "Better": better or "equal",
            }
        )
    low, high = reach([*(row["value"] for row in rows), 0.0], zero=True)
    line = 1.3 * size * (high - low) / height
    gains, ties, losses = _gain_texts(pair, names, layout)
    after, before = 0.4 * pair.wins / pair.users, 1 - 0.4 * pair.losses / pair.users
    above, below = pair.curve[round(after * last)] + 0.4 * line, pair.curve[round(before * last)] - 0.4 * line
    up = -1.2 * size * gains.count("\n")  # Vega-Lite puts the first of several lines at the place of a text
    notes: list[Spec] = [
        {"x": after, "y": above, "text": gains, "align": "left", "baseline": "bottom", "up": up},
        {"x": before, "y": below, "text": losses, "align": "right", "baseline": "top", "up": 0},
    ]
    if pair.ties and not layout.narrow:
        middle = (pair.wins + pair.ties / 2) / pair.users
        notes.append({"x": middle, "y": 0.4 * line, "text": ties, "align": "center", "baseline": "bottom", "up": 0})
    title = wrapped(f"{names[pair.a]} minus {names[pair.b]}, {metric_words(pair.metric)}", layout.width - 3.5 * size, layout)
    y = quantity(
        "value",
        scale={"domain": [min(low, below - 2.2 * line), max(high, above + 2.2 * line)], "nice": False},
        axis=upright(layout, format="+~g", labelExpr=zero_axis()),
        title=title.split("\n"),
    )
    x = quantity(
        "from",
        scale=inset((0.0, 1.0), layout),
        axis={"format": ".0%", "grid": False, "tickCount": 5},
        title="Users, sorted by difference",
    )
    color = system_color(systems_shown(findings, MOST_SERIES), rows=[row for row in rows if row["system"]])
    tooltip = tooltips("Users", "Difference", ("Better", "Better off with"))
    bar = {"x": x, "x2": {"field": "to"}, "y": y, "y2": {"datum": 0}, "color": color, "opacity": FADED, "tooltip": tooltip}
    text = {"x": quantity("x"), "y": quantity("y"), "text": {"field": "text"}}
    placed: Spec = {"align": {"expr": "datum.align"}, "baseline": {"expr": "datum.baseline"}, "dy": {"expr": "datum.up"}}
    layers = [
        layer("rect", "bar", bar),
        layer("rule", "zero", {"y": {"datum": 0}, "x": {"value": 0}, "x2": {"value": "width"}}),
        layer("text", "label", text, rows=notes, **placed),
    ]
    return plot("user-differences", rows, layout, height, layers)


def _gain_texts(pair: UserDifferences, names: dict[str, str], layout: Layout) -> tuple[str, str, str]:
    """What is written next to gains, ties and losses."""

    def side(users: int, system: str, mean: float | None) -> str:
        share = f"{count(users)} users ({percent(users / pair.users, 0)})"
        if layout.narrow:
            return f"{share}\nbetter with {names[system]}"
        size = "" if mean is None else f",\nby {number(abs(mean), 3)} on average"
        return f"{share} are better off with {names[system]}{size}"

    ties = f"{count(pair.ties)} ({percent(pair.ties / pair.users, 0)}) equal"
    return side(pair.wins, pair.a, pair.gain), ties, side(pair.losses, pair.b, pair.loss)


def groups(name: str, findings: Findings) -> Chart | None:
    """Values of systems on groups of users, or with groups of items."""
    tables = [own for own in findings.pictures.groups if figure_of(own.by) == name]
    tables = [own for own in tables if any(value is not None for line in own.values for value in line)]
    if not tables:
        return None
    intervals = [f"Bars are {confidence(findings)} confidence intervals."] if any(own.low for own in tables) else []
    return Chart(
        name=name,
        title=GROUP_FIGURES[name] if len(tables) > 1 else tables[0].title,
        caption=" ".join([f"{metric_words(tables[0].metric)}.", *(own.means for own in tables), *intervals]),
        table=kebab(tables[0].title),
        draw=partial(_groups, findings, tables),
    )


def _groups(findings: Findings, tables: Sequence[GroupValues], layout: Layout) -> Spec:
    plots = [_group_plot(findings, own, layout) for own in tables]
    room = max(plot.axis()["maxExtent"] for plot in plots)  # plots below each other begin at one place
    parts = []
    for part in plots:
        ends = [other.ends for other in plots if other.own.metric == part.own.metric]  # one scale for one metric
        parts.append(part.spec(room, (min(low for low, _ in ends), max(high for _, high in ends))))
    if len(parts) == 1:
        return {**parts[0], "params": FOCUS}
    parts = [part if "facet" in part else within(part, layout.width - room - 3) for part in parts]
    titled = [{**part, "title": own.title} for own, part in zip(tables, parts, strict=True)]
    return {"params": FOCUS, "vconcat": titled, "spacing": 2 * text_size(paper=layout.paper)}


def _group_plot(findings: Findings, own: GroupValues, layout: Layout) -> _GroupPlot:
    systems = [system for system in systems_shown(findings, MOST_SERIES) if system in own.systems]
    digits = digits_for(value for line in own.values for value in line)
    names = short_systems(systems, layout, of=findings.systems, most=0.42 if layout.narrow else 0.24)
    panelled = len(own.groups) <= MOST_PANELS and not layout.narrow
    unit = " ratings" if own.by == "user-activity" else ""
    heads = []
    for group, users in zip(own.groups, own.users, strict=True):
        label = wrapped(group + unit, 0.4 * layout.width, layout) if layout.narrow else group + unit
        parting = "\n" if panelled or layout.narrow else " · "
        heads.append(f"{label}{parting}{count(users)} users")
    rows: list[Spec] = []
    for system in systems:
        line = own.systems.index(system)
        for j, value in enumerate(own.values[line]):
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
                        **({} if own.low or not panelled else {"label": number(value, min(3, digits)), "end": value}),
                        "Group": own.groups[j],
                        "Value": number(value, digits),
                        "Interval": interval_text((low, high), digits),
                        "Users": count(own.users[j]),
                    }
                )
    told: list[Told] = [SYSTEM, "Group", ("Value", metric_words(own.metric))]
    told += [("Interval", f"{confidence(findings)} CI")] if own.low else []
    return _GroupPlot(own=own, rows=rows, heads=heads, names=names, told=(*told, "Users"), panelled=panelled, layout=layout)


@dataclass(frozen=True, kw_only=True)
class _GroupPlot:
    """One table of groups: a panel for each group if there are few, else a row for each group."""

    own: GroupValues
    rows: list[Spec]
    heads: list[str]
    """Groups with their numbers of users."""
    names: dict[str, str]
    """System → its short name."""
    told: Sequence[Told]
    panelled: bool
    layout: Layout

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
        metric = metric_words(self.own.metric)
        widest = max(text_width(row.get("label", ""), layout) for row in self.rows)
        x: Spec = {
            "type": "quantitative",
            "scale": inset(ends, layout, width=width - widest),
            "axis": {"tickCount": max(2, int(width / (5 * size)))},
            "title": metric if text_width(metric, layout) < width else None,
        }
        y = {"y": nominal("name", sort=list(self.names.values()), axis=axis)}
        stem: Spec = {
            **y,
            "x": {**x, "field": "value"},
            "x2": {"datum": 0},
            "opacity": FADED,
            "tooltip": tooltips(*self.told),
        }
        layers = [] if self.own.low else [layer("rule", "stem", stem)]
        layers += marks.estimates(self.rows, x, y, layout, systems=systems, told=self.told)
        return {
            "data": {"name": self.own.by, "values": self.rows},
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
        title = across(metric_words(self.own.metric), layout.width - axis["maxExtent"], layout)
        ticks = {"tickCount": 4 if layout.narrow else 6, **title}
        x: Spec = {"type": "quantitative", "scale": inset(ends, layout), "axis": ticks}
        padding = {"paddingInner": 0.25, "paddingOuter": 0.12}
        y = nominal("group", sort=self.heads, scale=padding, axis={**axis, "grid": True, "tickBand": "extent"})
        offset = {"y": y, "yOffset": nominal("system", scale={"domain": systems})}
        layers = marks.estimates(self.rows, x, offset, layout, systems=systems, told=self.told, interval="whisker")
        layers += key(self.names, layout, drawn=systems, left=axis["maxExtent"])
        return plot(self.own.by, self.rows, layout, band * len(self.heads), layers)


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
    texts = {name: REFERENCES.get(name, short) for name, short in names.items()}
    systems = [text for name, text in texts.items() if name in first]
    domain = [*systems, " ", *(text for name, text in texts.items() if name not in first)]  # with a gap between them
    rows, totals = [], []
    for name, own in entries:
        starts = [0.0, *accumulate(own)]
        figures = f"{' / '.join(f'{100 * share:.0f}' for share in own)} %"
        totals.append({"system": name, "name": texts[name], "to": 1.0, "Shares": figures})
        rows += [
            {"system": name, "name": texts[name], "from": start, "to": end, "Class": part, "Share": percent(share)}
            for part, share, start, end in zip(shares.classes, own, starts[:-1], starts[1:], strict=True)
            if share > 0
        ]
    axis = labels(texts.values(), layout, most=0.42)
    width = layout.width - axis["maxExtent"]
    figures_of = [str(row["Shares"]) for row in totals]
    written = max(text_width(text, layout) for text in figures_of) < 0.55 * width
    scale = beside([1.0] * len(totals), figures_of, (0.0, 1.0), width, layout) if written else inset((0.0, 1.0), layout)
    ticks: Spec = {"format": ".0%", "tickCount": 2 if layout.narrow else 5, "grid": False}
    x = quantity("from", scale=scale, axis={**ticks, **across(f"Share of items in top-{shares.n} lists", width, layout)})
    widest = max(text_width(name, layout) for name in shares.classes) + 2.6 * size
    legend = {"symbolType": "square", "columns": max(1, min(len(shares.classes), int(width / widest)))}
    color = nominal("Class", scale={"domain": list(shares.classes), "range": "ordinal"}, legend=legend)
    shared = {"y": nominal("name", scale={"domain": domain}, axis=axis), "opacity": FADED}
    bar = {**shared, "x": x, "x2": {"field": "to"}, "color": color, "tooltip": tooltips(("system", "Of"), "Class", "Share")}
    text: Spec = {**shared, "x": {**x, "field": "to"}, "text": {"field": "Shares"}}
    text["tooltip"] = tooltips(("system", "Of"), ("Shares", " / ".join(shares.classes)))
    layers = [layer("bar", "share", bar)]
    layers += [layer("text", "label", text, rows=totals, align="left", dx=size / 2)] if written else []
    return plot("recommended-popularity", rows, layout, 0.9 * step(layout) * len(domain), layers)


def precision_recall(findings: Findings) -> Chart | None:
    """Users' mean precision against their mean recall at each depth."""
    return _operating(findings, "precision-recall", "Precision and recall", findings.pictures.precision_recall, PR_MEANS)


def roc(findings: Findings) -> Chart | None:
    """Users' mean true against their mean false positive rates at each depth."""
    return _operating(findings, "roc", "ROC curves", findings.pictures.roc, ROC_MEANS)


def _operating(findings: Findings, name: str, title: str, curves: Sequence[CurveRow], means: str) -> Chart | None:
    rows = ordered_curves(findings, curves)
    if not rows:
        return None
    lacking = ", ".join(system for system in findings.systems if system not in {row.system for row in curves})
    without = f" Not drawn, because too few of the candidates are ranked: {lacking}." if lacking and name == "roc" else ""
    return Chart(
        name=name,
        title=title,
        caption=means.replace("thin line", "dashed line") + without,
        half=True,
        draw=partial(lines, name, findings, rows, chance=name == "roc"),
    )


def ordered_curves(findings: Findings, curves: Sequence[CurveRow]) -> list[CurveRow]:
    """The curves of systems with a colour, in their order."""
    by_system = {row.system: row for row in curves}
    return [by_system[system] for system in systems_shown(findings, MOST_SERIES) if system in by_system]


def lines(name: str, findings: Findings, curves: Sequence[CurveRow], layout: Layout, *, chance: bool) -> Spec:
    """Curves of systems; with `chance`, the line of a random order."""
    names = short_systems([row.system for row in curves], layout, of=findings.systems, most=0.5)
    return marks.lines(name, curves, layout, systems=systems_shown(findings, MOST_SERIES), names=names, chance=chance)


def accuracy_beyond(findings: Findings) -> Chart | None:
    """The first metric against each metric beyond accuracy, a point for each system."""
    pairs = trade_offs(findings)
    if not pairs:
        return None
    beyond = ", ".join(metric_words(pair.across.name) for pair in pairs)
    return Chart(
        name="accuracy-beyond",
        title="Accuracy and other aims",
        caption=f"{metric_words(pairs[0].up.name)} against {beyond}. {AIMS_MEAN}",
        table="descriptive",
        half=len(pairs) == 1,
        draw=partial(_scatters, findings, pairs),
    )


def _scatters(findings: Findings, pairs: Sequence[TradeOff], layout: Layout) -> Spec:
    if len(pairs) == 1:
        return _scatter(findings, pairs[0], layout)
    columns = 1 if layout.narrow else 2
    gap = 2.5 * text_size(paper=layout.paper)
    inner = Layout(width=(layout.width - gap * (columns - 1)) / columns - 5, paper=layout.paper)
    parts = [within(_scatter(findings, pair, inner), inner.width - upright(layout)["maxExtent"]) for pair in pairs]
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
        draw=partial(_scatter, findings, pair, cost=True),
    )


def _scatter(findings: Findings, pair: TradeOff, layout: Layout, *, cost: bool = False) -> Spec:
    systems = systems_shown(findings, MOST_SERIES)
    ends = {row.system: (row.low, row.high) for row in findings.board(findings.primary)}
    x_digits, y_digits = digits_for(pair.across.values), digits_for(pair.up.values)
    rows: list[Spec] = []
    for system, x, y in pair.points:
        if system in systems:
            low, high = ends.get(system, (None, None))
            rows.append(
                {
                    "system": system,
                    "x": max(x, LEAST_SECONDS) if cost else x,
                    "y": y,
                    "low": low,
                    "high": high,
                    "Across": seconds(max(x, LEAST_SECONDS)) if cost else number(x, x_digits),
                    "Up": number(y, y_digits),
                    "Interval": interval_text((low, high), y_digits),
                }
            )
    beyond, metric = metric_words(pair.across.name), metric_words(pair.up.name)
    x_title, y_title = (
        f"{name} (lower is better)" if means == "lower is better" else name
        for name, means in ((beyond, pair.across.means), (metric, pair.up.means))
    )
    return marks.points(
        pair.across.name,
        rows,
        layout,
        systems=systems,
        names=short_systems([row["system"] for row in rows], layout, of=findings.systems, most=0.4),
        titles=("Seconds to fit and score (log scale)" if cost else x_title, y_title),
        told=[SYSTEM, ("Up", metric), ("Interval", f"{confidence(findings)} CI"), ("Across", beyond)],
        log=cost,
    )


CHARTS: dict[str, Callable[..., Chart | None]] = {
    "user-differences": user_differences,
    **{name: partial(groups, name) for name in GROUP_FIGURES},
    "recommended-popularity": recommended_popularity,
    "precision-recall": precision_recall,
    "roc": roc,
    "accuracy-beyond": accuracy_beyond,
    "cost-quality": cost_quality,
}
"""Name → function of findings."""
