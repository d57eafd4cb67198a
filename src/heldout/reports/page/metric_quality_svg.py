"""The drawings of a page on the quality of metrics: curves, heat maps with their tree, and robustness against power."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from markupsafe import Markup

from heldout.metric_quality.findings import AgreementMatrix, MetricFindings, MetricRow, SweepPoint, unbeaten
from heldout.reports.axis import Axis, round_ticks, widened
from heldout.reports.label_places import label_places
from heldout.reports.metric_quality_views import (
    FRONT,
    drawn_on_front,
    named_on_front,
    names,
    of_name,
    pairs_words,
    undecided_from,
    user_sizes,
)
from heldout.reports.page.line_chart import Line, line_chart
from heldout.reports.page.markup import el, join
from heldout.reports.page.small_chart import text
from heldout.words import count, interval, number, p_number, percent

COLOURS = 12
CELL, LETTER, TREE = 40, 7.2, 90
NAMED_DEPTHS = 4
SMALL = {"width": 340, "height": 230}


def colour(trial: MetricFindings, name: str) -> str:
    """The class that colours a metric, the same in all drawings."""
    return f"c{names(trial).index(name) % COLOURS}"


def sweep_chart(
    trial: MetricFindings, rows: Sequence[MetricRow], sweeps: Mapping[str, Sequence[SweepPoint]], *, kept: str, title: str
) -> Markup:
    """τ with the whole test set's order against the share that is kept, a line for each metric with a 95 % band."""
    lines = []
    several = len({row.name for row in rows}) > 1 or len(rows) == 1  # bands of many depths of one metric hide each other
    for line_label, cls, opacity, row in _labelled(trial, rows):
        points = sweeps.get(row.metric, [])
        if points:
            last = points[-1]
            tau = f"τ {number(last.tau, 3)} {interval(last.low, last.high, 3)}"
            lines.append(
                Line(
                    label=line_label,
                    cls=cls,
                    points=[(point.share, point.tau) for point in points],
                    band=[(point.share, point.low, point.high) for point in points] if several else (),
                    hover=f"{row.metric}: {tau} at {percent(last.share, 0)}",
                    opacity=opacity,
                )
            )
    if not lines:
        return Markup()
    shares = [point.share for points in sweeps.values() for point in points]
    floor = min(point.low for points in sweeps.values() for point in points)  # the same for all drawings of a sweep
    x = Axis(start=max(shares), end=min(shares), ticks=_share_ticks(min(shares), max(shares)), label=kept)
    return line_chart(lines, x, _tau_axis(max(-1.0, math.floor(floor * 5) / 5)), title=title, **_size(trial, rows))


def power_chart(trial: MetricFindings, rows: Sequence[MetricRow], *, title: str) -> Markup:
    """The sorted p-values of all pairs of systems, a line for each metric: the lower, the more pairs it tells apart."""
    curves = {power.metric: power.curve for power in trial.power}
    first = undecided_from(trial)
    lines = [
        Line(
            label=label,
            cls=cls,
            points=[(float(k), p) for k, p in enumerate(curves[row.metric], 1) if k >= first],
            hover=f"{row.metric}: mean p {p_number(row.mean_p)}",
            opacity=opacity,
        )
        for label, cls, opacity, row in _labelled(trial, rows)
        if not any(map(math.isnan, curves[row.metric]))
    ]
    if not lines:
        return Markup()
    ticks = [(float(k), count(k)) for k in sorted({first, (first + trial.pairs) // 2, trial.pairs})]
    x = Axis(start=float(first), end=float(trial.pairs), ticks=ticks, label=pairs_words(trial))
    y = Axis(start=0.0, end=1.0, ticks=[(v / 5, number(v / 5, 1)) for v in range(6)], label="p-value")
    return line_chart(lines, x, y, title=title, **_size(trial, rows))


def swap_chart(trial: MetricFindings, rows: Sequence[MetricRow], *, title: str) -> Markup:
    """The swap rate on half of the users, by tenths of the sizes of the differences."""
    bins = {swap.metric: swap.bins for swap in trial.swaps}  # by ascending users: the last is half of them
    lines = [
        Line(
            label=label,
            cls=cls,
            points=[(float(k), rate) for k, (_, rate, _) in enumerate(bins[row.metric], 1)],
            hover=f"{row.metric}: swap rate {percent(row.swap_rate)}",
            opacity=opacity,
        )
        for label, cls, opacity, row in _labelled(trial, rows)
        if bins.get(row.metric)
    ]
    if not lines:
        return Markup()
    most = max(len(line.points) for line in lines)
    x = Axis(
        start=1.0,
        end=float(most),
        ticks=[(1.0, "smallest"), (float(most), "largest")],
        label="differences between two systems, tenth by tenth",
    )
    highest = max((rate for line in lines for _, rate in line.points if math.isfinite(rate)), default=0.0)
    fifths = max(3, math.ceil(5 * highest))  # few comparisons may swap more often than a coin
    y = Axis(start=0.0, end=fifths / 5, ticks=[(v / 5, percent(v / 5, 0)) for v in range(fifths + 1)], label="swapped")
    return line_chart(lines, x, y, title=title)


def reliability_chart(trial: MetricFindings, rows: Sequence[MetricRow], *, title: str) -> Markup:
    """Eρ² as the number of users grows, with a rule at the users at hand."""
    parts = {row.metric: row for row in trial.reliability}
    steps = user_sizes(trial)
    most = steps[-1]
    lines = [
        Line(
            label=label,
            cls=cls,
            points=[(math.log10(n), parts[row.metric].with_users(n)[0]) for n in steps],
            hover=f"{row.metric}: Eρ² {number(row.reliability, 4)}",
            opacity=opacity,
        )
        for label, cls, opacity, row in _labelled(trial, rows)
        if not math.isnan(row.reliability)
    ]
    if not lines:
        return Markup()
    ticks = [(float(k), count(10**k)) for k in range(1, int(math.log10(most)) + 1)]
    x = Axis(
        start=1.0, end=math.log10(most), ticks=ticks, label=f"users (the rule stands at the {count(trial.users)} at hand)"
    )
    y = Axis(start=0.0, end=1.0, ticks=[(v / 5, number(v / 5, 1)) for v in range(6)], label="Eρ²")
    return line_chart(lines, x, y, title=title, mark=math.log10(trial.users))


def _labelled(trial: MetricFindings, rows: Sequence[MetricRow]) -> list[tuple[str, str, float, MetricRow]]:
    """Label, class and opacity of each row: metrics by colour, depths of one metric the fuller the deeper.

    Of many depths only the first and the last are named beside their lines.
    """
    if len({row.name for row in rows}) > 1 or len(rows) < 2:
        return [(row.name, colour(trial, row.name), 1.0, row) for row in rows]
    shades = [0.3 + 0.7 * k / (len(rows) - 1) for k in range(len(rows))]
    words = [str(row.depth or "all") for row in rows]
    if len(rows) > NAMED_DEPTHS:
        words = [words[0], *[""] * (len(rows) - 2), words[-1]]
    return [(text, colour(trial, row.name), shade, row) for text, row, shade in zip(words, rows, shades, strict=True)]


def _size(trial: MetricFindings, rows: Sequence[MetricRow]) -> Mapping[str, int]:
    return SMALL if len({row.name for row in rows}) == 1 and len(names(trial)) > 1 else {}


def _tau_axis(floor: float) -> Axis:
    steps = range(round(floor * 5), 6)
    return Axis(start=floor, end=1.0, ticks=[(v / 5, number(v / 5, 1)) for v in steps], label="Kendall τ")


def _share_ticks(low: float, high: float) -> list[tuple[float, str]]:
    step = 0.25 if high - low > 0.5 else 0.05
    inner = [k * step for k in range(1, 20) if low + step / 2 < k * step < high - step / 2]
    return [(share, percent(share, 0)) for share in (low, *inner, high)]


def heat_map(matrix: AgreementMatrix, values: Sequence[Sequence[float]], *, title: str, tree: bool = True) -> Markup:
    """Agreement between labels, ordered by the tree, the fuller the colour the less alike; the tree stands at the right."""
    order = matrix.order
    drawn_tree = tree and bool(matrix.tree)
    return tiles(
        [matrix.labels[k] for k in order],
        [[values[a][b] for b in order] for a in order],
        [[_hover(matrix, a, b) for b in order] for a in order],
        title=title,
        beside=(lambda left, top: _tree(matrix, left, top)) if drawn_tree else None,
    )


def tiles(
    labels: Sequence[str],
    values: Sequence[Sequence[float]],
    hovers: Sequence[Sequence[str]],
    *,
    title: str,
    beside: Callable[[float, float], str] | None = None,
) -> Markup:
    """A square of numbers, the fuller the colour the further below 1; `beside` is a path at the right of it."""
    left = 14 + LETTER * max(len(label) for label in labels)
    top = 22 if max(len(label) for label in labels) * LETTER <= CELL else left
    size = CELL * len(labels)
    parts = []
    for i, label in enumerate(labels):
        parts.append(text(label, left - 6, top + CELL * (i + 0.5) + 3.5, "end"))
        parts.append(_head(label, left + CELL * (i + 0.5), top - 6, turned=top == left))
        for j, (value, hover) in enumerate(zip(values[i], hovers[i], strict=True)):
            parts += _cell(left + CELL * j, top + CELL * i, value, hover)
    if beside is not None:
        parts.append(el("path", d=beside(left + size + 6, top), cls="tree"))
    wide = left + size + (TREE + 12 if beside is not None else 4)
    return el(
        "svg",
        *parts,
        viewBox=f"0 0 {wide:.0f} {top + size + 4:.0f}",
        cls="heat",
        role="img",
        aria_label=title,
        style=f"width:{wide:.0f}px",
    )


def _cell(x: float, y: float, value: float, hover: str) -> list[Markup]:
    unlike = 0.0 if math.isnan(value) else min(1.0, max(0.0, 1 - value))
    rect = el(
        "rect",
        el("title", hover),
        x=f"{x:.1f}",
        y=f"{y:.1f}",
        width=str(CELL - 2),
        height=str(CELL - 2),
        rx="3",
        cls="tile",
        fill_opacity=f"{0.04 + 0.7 * unlike**0.7:.3f}",
    )
    return [rect, text(number(value, 2), x + CELL / 2 - 1, y + CELL / 2 + 2.5, "middle", "value")]


def _hover(matrix: AgreementMatrix, a: int, b: int) -> str:
    figures = (
        f"τ {number(matrix.tau[a][b], 3)}, τ_AP {number(matrix.tau_ap[a][b], 3)}, RBO {number(matrix.overlap[a][b], 3)}"
    )
    return f"{matrix.labels[a]} and {matrix.labels[b]}: {figures}"


def _head(label: str, x: float, y: float, *, turned: bool) -> Markup:
    if not turned:
        return text(label, x - 1, y, "middle")
    return el("text", label, transform=f"translate({x + 3:.1f} {y:.1f}) rotate(-90)", text_anchor="start")


def _tree(matrix: AgreementMatrix, left: float, top: float) -> str:
    """The merges as brackets from the leaves, further right the less alike the branches are."""
    most = max(height for *_, height, _ in matrix.tree) or 1.0
    place = {leaf: (0.0, top + CELL * (at + 0.5) - 1) for at, leaf in enumerate(matrix.order)}
    paths = []
    for step, (first, second, height, _) in enumerate(matrix.tree):
        (xa, ya), (xb, yb) = place[int(first)], place[int(second)]
        x = TREE * height / most
        paths.append(f"M{left + xa:.1f} {ya:.1f}H{left + x:.1f}V{yb:.1f}H{left + xb:.1f}")
        place[len(matrix.labels) + step] = (x, (ya + yb) / 2)
    return "".join(paths)


def front_chart(trial: MetricFindings) -> Markup:
    """Robustness against power: the best stand in the upper right corner, and those that nothing beats are large.

    These and each metric at its best depth are named in a column at the right, each name joined with its point. One form is
    for wide screens, one for narrow ones.
    """
    drawn = drawn_on_front(trial.rows)
    if not drawn:
        return Markup()
    return join(_front(trial, drawn, 880.0, 440.0, "broad"), _front(trial, drawn, 360.0, 400.0, "narrow"))


def _front(trial: MetricFindings, drawn: Sequence[MetricRow], width: float, height: float, room: str) -> Markup:
    best, named = set(unbeaten(drawn, FRONT)), named_on_front(drawn)
    column = 24 + LETTER * max(len(row.metric) for row in named)
    left, below = 52.0, 40.0
    right, bottom = width - column, height - below
    (p_low, p_high), (t_low, t_high) = widened([r.mean_p for r in drawn]), widened([r.missing_tau for r in drawn])

    def across(p: float) -> float:
        return left + (right - left) * (p_high - p) / (p_high - p_low)

    def down(tau: float) -> float:
        return 10 + (bottom - 10) * (t_high - tau) / (t_high - t_low)

    parts = [el("path", d=f"M{left} 10V{bottom}H{right:.1f}", cls="rule")]
    parts += [text(words, across(p), bottom + 15, "middle") for p, words in round_ticks(p_low, p_high)]
    parts += [text(words, left - 6, down(tau) + 3.5, "end") for tau, words in round_ticks(t_low, t_high)]
    parts.append(text("mean p, better to the right", (left + right) / 2, height - 8, "middle", "axis"))
    turned = f"translate(11 {height / 2 - 15:.0f}) rotate(-90)"
    parts.append(el("text", "mean τ with ratings missing", transform=turned, text_anchor="middle", cls="axis"))
    for name in names(trial):
        path = [(across(row.mean_p), down(row.missing_tau)) for row in of_name(trial, name) if row in drawn]
        if path:
            line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in path)
            parts.append(el("path", d=line, cls=f"thread {colour(trial, name)}"))
    heights = label_places([down(row.missing_tau) for row in named], 14, 10, bottom)
    for row, y in zip(named, heights, strict=True):
        lead = f"M{across(row.mean_p):.1f} {down(row.missing_tau):.1f}L{right + 8:.1f} {y:.1f}"
        parts.append(el("path", d=lead, cls="lead"))
        cls = "name best" if row.metric in best else f"name {colour(trial, row.name)}"
        parts.append(text(row.metric, right + 12, y + 3.5, "start", cls))
    for row in sorted(drawn, key=lambda row: row.metric in best):
        hover = el("title", f"{row.metric}: mean p {p_number(row.mean_p)}, mean τ {number(row.missing_tau, 3)}")
        cls = f"dot {'best ' if row.metric in best else ''}{colour(trial, row.name)}"
        at = {"cx": f"{across(row.mean_p):.1f}", "cy": f"{down(row.missing_tau):.1f}"}
        parts.append(el("circle", hover, **at, r="6" if row.metric in best else "3", cls=cls))
    label = "Robustness to missing ratings against discriminative power"
    return el(
        "svg",
        *parts,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        cls=f"lines {room}",
        role="img",
        aria_label=label,
        style=f"max-width:{width:.0f}px",
    )
