"""Pictures of the primary setting: who gains and loses, values by groups, curves, popularity of what is recommended."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from markupsafe import Markup

from heldout.analysis.details import CurveRow, GroupValues, PopularityShares, UserDifferences
from heldout.analysis.findings import Findings
from heldout.analysis.overview import OverviewColumn, TradeOff, cost_and_quality, trade_offs
from heldout.reports.axis import PERCENT_TICKS, Axis, axis_of
from heldout.reports.label_places import beside_points
from heldout.reports.page.markup import Cell, breakable, cell, el, join, rows, table
from heldout.reports.page.small_chart import ABOVE, WIDTH, SmallChart, drawing, text
from heldout.reports.picture_views import (
    AIMS_MEAN,
    PR_MEANS,
    ROC_MEANS,
    absences,
    board_order,
    drawn_systems,
    figure_of,
    gains_sentence,
    popularity_sentence,
)
from heldout.words import count, counted, digits_for, interval, number, percent, seconds, shorten_all

LEAST_SECONDS = 1e-3


def users_section(findings: Findings) -> Markup:
    """Who gains and who loses by the leader, and values by groups of users and items."""
    pictures = findings.pictures
    figures = [] if pictures.differences is None else [_differences(pictures.differences)]
    figures += [_groups(findings, groups) for groups in pictures.groups]
    if not figures:
        return Markup()
    return el("section", el("h2", "Users and items"), el("div", *figures, cls="grid"), _absent(findings), id="users-items")


def operating_figures(findings: Findings) -> list[Markup]:
    """Precision against recall, and ROC, of the primary setting."""
    pictures = findings.pictures
    named = (("precision-recall", pictures.precision_recall, PR_MEANS), ("roc", pictures.roc, ROC_MEANS))
    return [_curves(findings, name, curves, means) for name, curves, means in named if curves]


def aims_section(findings: Findings) -> Markup:
    """Accuracy beside what else lists are like, and how popular what is recommended is."""
    shares = findings.pictures.popularity
    figures = [_trade_off(findings, pair) for pair in trade_offs(findings)]
    note = el("p", AIMS_MEAN, cls="note") if figures else Markup()
    figures += [] if shares is None else [_popularity(findings, shares)]
    cost = cost_and_quality(findings)
    figures += [] if cost is None else [_cost(findings, cost)]
    if not figures:
        return Markup()
    return el("section", el("h2", "Accuracy and other aims"), note, el("div", *figures, cls="grid"), id="aims")


def _trade_off(findings: Findings, pair: TradeOff) -> Markup:
    """The first metric against another."""
    across = axis_of([x for _, x, _ in pair.points], pair.across.name + _lower(pair.across))
    panel = _scatter(findings, pair, across, [number(x, digits_for(pair.across.values)) for _, x, _ in pair.points])
    title = el("strong", f"{pair.up.name} and {pair.across.name}")
    return el("figure", el("figcaption", title), panel.svg(), data_figure="accuracy-beyond")


def _cost(findings: Findings, pair: TradeOff) -> Markup:
    """The first metric against seconds, by powers of ten; what took less than a millisecond stands there."""
    logs = [math.log10(max(x, LEAST_SECONDS)) for _, x, _ in pair.points]
    low, high = math.floor(min(logs)), math.ceil(max(logs))
    high = max(high, low + 1)
    ticks = [(float(power), f"{10.0**power:g} s") for power in range(low, high + 1)]
    across = Axis(start=low - 0.1, end=high + 0.1, ticks=ticks, label="seconds of fitting and scoring")
    logged = replace(pair, points=tuple((name, x, y) for (name, _, y), x in zip(pair.points, logs, strict=True)))
    panel = _scatter(findings, logged, across, [seconds(x) for _, x, _ in pair.points])
    note = " Seconds of fitting and scoring, all folds together, on a scale of powers of ten."
    caption = el("figcaption", el("strong", f"{pair.up.name} and cost"), note)
    return el("figure", caption, panel.svg(), cls="measured", data_figure="cost-quality")


def _scatter(findings: Findings, pair: TradeOff, across: Axis, shown: Sequence[str]) -> SmallChart:
    """A point for each system, named beside it; `shown` are the numbers across in words."""
    up = pair.up
    panel = SmallChart(
        x=across,
        y=axis_of([y for _, _, y in pair.points], up.name + _lower(up)),
        title=f"{up.name} against {pair.across.name} of {counted(len(pair.points), 'system')}",
    )
    series = drawn_systems(findings, [name for name, _, _ in pair.points])
    spots = [panel.at(x, y) for _, x, y in pair.points]
    short = shorten_all([name for name, _, _ in pair.points], 20)
    inside = [(px - panel.left, ABOVE + panel.tall - py) for px, py in spots]
    widths = [6.4 * len(short[name]) for name, _, _ in pair.points]
    places = beside_points(inside, widths, line=13, gap=8, top=panel.tall, right=panel.wide)
    for (name, x, y), words, (left, height), (px, py), width in zip(pair.points, shown, places, spots, widths, strict=True):
        panel.point(
            x, y, series.get(name, 0), f"{name}: {up.name} {number(y, digits_for(up.values))}, {pair.across.name} {words}"
        )
        label_x, label_y = panel.left + left, ABOVE + panel.tall - height
        before = label_x < px
        end = label_x + width if before else label_x
        if abs(label_y - py) > 2:
            panel.parts.append(el("path", d=f"M{px:.1f} {py:.1f}L{end:.1f} {label_y:.1f}", cls="lead"))
        panel.parts.append(text(short[name], end, label_y + 4, "end" if before else "start", "small"))
    return panel


def _lower(column: OverviewColumn) -> str:
    return " (lower is better)" if column.means == "lower is better" else ""


def _absent(findings: Findings) -> Markup:
    reasons = absences(findings.pictures)
    return el("p", f"Not drawn: {reasons}.", cls="note") if reasons else Markup()


def _differences(pair: UserDifferences) -> Markup:
    """Users from the largest gain to the largest loss, with what the leader adds or takes."""
    n = pair.users
    x = Axis(start=0.0, end=float(n), ticks=[(0.0, "0"), (n / 2, count(n // 2)), (float(n), count(n))], label="users")
    panel = SmallChart(
        x=x,
        y=axis_of([*pair.curve, 0.0], "difference"),
        title=f"Differences of {counted(n, 'user')} in {pair.metric}, {pair.a} minus {pair.b}",
    )
    step = n / max(1, len(pair.curve) - 1)
    points = [(k * step, value) for k, value in enumerate(pair.curve)] if len(pair.curve) > 1 else []
    (first, base), (last, _) = panel.at(0.0, 0.0), panel.at(float(n), 0.0)
    for cls, kept in (("gain", [(px, max(v, 0.0)) for px, v in points]), ("loss", [(px, min(v, 0.0)) for px, v in points])):
        edge = "".join(f"L{px:.1f} {py:.1f}" for px, py in (panel.at(*point) for point in kept))
        panel.parts.append(el("path", d=f"M{first:.1f} {base:.1f}{edge}L{last:.1f} {base:.1f}z", cls=cls))
    panel.rule(0.0, 0.0, float(n), 0.0)
    top, bottom = ABOVE + 12, ABOVE + panel.tall - 6
    short = shorten_all([pair.a, pair.b], 24)
    panel.parts += [
        text(f"{count(pair.wins)} better with {short[pair.a]}", WIDTH - 14, top, "end"),
        text(f"{count(pair.losses)} better with {short[pair.b]}", panel.left + 6, bottom, "start"),
    ]
    caption = join(el("strong", "Who gains, who loses"), " ", gains_sentence(pair))
    return el("figure", el("figcaption", caption), panel.svg(), data_figure="user-differences")


def _groups(findings: Findings, groups: GroupValues) -> Markup:
    """A line for each system over the groups, with intervals where they are kept, and the numbers folded away."""
    systems = drawn_systems(findings, groups.systems)
    places = {system: k for k, system in enumerate(groups.systems)}
    values = [v for s in systems for v in groups.values[places[s]] if v is not None]
    ends = [v for s in systems for side in (groups.low, groups.high) if side for v in side[places[s]] if v is not None]
    if not values:
        return Markup()
    last = len(groups.groups) - 1
    short = shorten_all(groups.groups, 12)
    ticks = [
        (float(k), f"{short[name]}\n{count(n)}") for k, (name, n) in enumerate(zip(groups.groups, groups.users, strict=True))
    ]
    panel = SmallChart(
        x=Axis(start=-0.4, end=last + 0.4, ticks=ticks, label="groups, and how many users each has"),
        y=axis_of([*values, *ends], groups.metric, zero=True),
        title=f"{groups.metric} {groups.title[0].lower()}{groups.title[1:]}",
    )
    for place, (system, series) in enumerate(systems.items()):
        own = places[system]
        shift = (
            (0.05 if groups.ordered else 0.09) * (place - (len(systems) - 1) / 2)
            if groups.low or not groups.ordered
            else 0.0
        )
        points = [(k + shift, v) for k, v in enumerate(groups.values[own]) if v is not None]
        if groups.low:
            for k, (low, high) in enumerate(zip(groups.low[own], groups.high[own], strict=True)):
                if low is not None and high is not None:
                    panel.whisker(k + shift, low, high, series)
        if points and groups.ordered:
            panel.line(points, series, system)
        for point in points if not groups.ordered else ():
            panel.point(*point, series, system)
        panel.key.append((system, series))
    caption = join(el("strong", groups.title), " ", groups.means)
    numbers = el("details", el("summary", "Numbers"), _group_table(groups))
    return el("figure", el("figcaption", caption), panel.svg(), numbers, data_figure=figure_of(groups.by))


def _group_table(groups: GroupValues) -> Markup:
    digits = digits_for(v for line in groups.values for v in line)
    body: list[list[Cell]] = []
    for k, system in enumerate(groups.systems):
        line = [cell(breakable(system), "name")]
        for j, value in enumerate(groups.values[k]):
            between = interval(groups.low[k][j], groups.high[k][j], digits) if groups.low else ""
            line.append(cell(number(value, digits), "num", between))
        body.append(line)
    heads = [
        cell("System"),
        *(cell(name, "num", f"{count(n)} users") for name, n in zip(groups.groups, groups.users, strict=True)),
    ]
    return table(heads, rows(body), caption=groups.title)


def curve_panel(curves: Sequence[CurveRow], series: Sequence[int], names: Sequence[str], *, chance: bool) -> SmallChart:
    """Lines of systems between axes of shares, named by `names` in the key; with `chance`, the line of a random order."""
    first, top = curves[0], max(max(row.y) for row in curves)
    shares = Axis(start=0.0, end=1.0, ticks=PERCENT_TICKS, label=first.y_label)
    panel = SmallChart(
        x=Axis(start=0.0, end=1.0, ticks=PERCENT_TICKS, label=first.x_label),
        y=shares if chance or top > 0.5 else axis_of([0.0, top], first.y_label, zero=True),
        marked=False,
        title=f"{first.y_label} against {first.x_label} of {counted(len(curves), 'system')}",
    )
    if chance:
        panel.rule(0.0, 0.0, 1.0, 1.0)
    for row, own, name in zip(curves, series, names, strict=True):
        panel.line(list(zip(row.x, row.y, strict=True)), own, row.system)
        panel.key.append((name, own))
    return panel


def _curves(findings: Findings, name: str, curves: Sequence[CurveRow], means: str) -> Markup:
    by_system = {row.system: row for row in curves}
    systems = drawn_systems(findings, list(by_system))
    panel = curve_panel(
        [by_system[system] for system in systems], list(systems.values()), list(systems), chance=name == "roc"
    )
    lacking = [s for s in findings.systems if s not in by_system]
    note = (
        f" Not drawn, for too few of the candidates are ranked: {', '.join(lacking)}." if lacking and name == "roc" else ""
    )
    title = "ROC curves" if name == "roc" else "Precision and recall"
    return el("figure", el("figcaption", el("strong", title), f" {means}{note}"), panel.svg(), data_figure=name)


def _popularity(findings: Findings, shares: PopularityShares) -> Markup:
    """A bar for each system and for what it is held against, cut by popularity class, darkest for the head."""
    left, step, wide = 150, 24, WIDTH - 150 - 10
    short = shorten_all(shares.names, 22)
    parts, y = [], 34.0
    for k, name in enumerate(shares.classes):
        px = 10 + k * 92
        parts += [el("rect", x=str(px), y="6", width="12", height="12", cls=f"class p{k}"), text(name, px + 17, 16, "start")]
    for row, (name, own) in enumerate(board_order(findings, shares)):
        y += 10 if row == shares.systems else 0
        parts.append(text(short[name], left - 8, y + 14, "end", "soft" if row >= shares.systems else ""))
        for k, (start, share) in enumerate(zip([0.0, *accumulate(own)], own, strict=False)):
            if share <= 0:
                continue
            hover = el("title", f"{name}, {shares.classes[k]}: {percent(share)}")
            box = {"x": f"{left + wide * start:.1f}", "width": f"{wide * share:.1f}"}
            parts.append(el("rect", hover, y=f"{y:.0f}", height="18", cls=f"class p{k}", **box))
            if share > 0.14:
                middle = left + wide * (start + share / 2)
                parts.append(text(percent(share, 0), middle, y + 13, "middle", f"on p{k}"))
        y += step
    title = f"Popularity of the top {shares.n} of each system"
    caption = join(el("strong", "Popularity of what is recommended"), " ", popularity_sentence(shares))
    numbers = el("details", el("summary", "Numbers"), _popularity_table(findings, shares))
    return el(
        "figure",
        el("figcaption", caption),
        drawing(parts, WIDTH, y + 4, title),
        numbers,
        data_figure="recommended-popularity",
    )


def _popularity_table(findings: Findings, shares: PopularityShares) -> Markup:
    body = [
        [cell(breakable(name), "name"), *(cell(percent(share), "num") for share in own)]
        for name, own in board_order(findings, shares)
    ]
    return table(
        [cell("Share of"), *(cell(name, "num") for name in shares.classes)], rows(body), caption="Popularity shares"
    )
