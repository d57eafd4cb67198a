"""Charts of users and items in the primary setting: gains and losses, groups, what is recommended, curves and trade-offs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate

from heldout.analysis.details import CurveRow, GroupValues, PopularityShares, UserDifferences
from heldout.analysis.findings import Findings
from heldout.analysis.overview import TradeOff, cost_and_quality, trade_offs
from heldout.reports.charts import marks
from heldout.reports.charts.encodings import (
    FADED,
    FOCUS,
    SYSTEM,
    Detail,
    across,
    beside,
    inset,
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
from heldout.reports.charts.marks import Groups, estimate, panelled
from heldout.reports.charts.theme import MOST_SERIES, text_size
from heldout.reports.document import Chart, Layout, Spec
from heldout.reports.study_tables import kebab
from heldout.reports.views import (
    AIMS_MEAN,
    GROUP_FIGURES,
    PR_MEANS,
    ROC_MEANS,
    board_order,
    confidence,
    figure_of,
    popularity_sentence,
    systems_shown,
)
from heldout.text.names import metric_words
from heldout.text.numbers import count, counted, digits_for, interval_text, number, percent, seconds, signed

BARS = 100
"""Bars of the curve of gains and losses: one for each percent of the users."""
LEAST_SECONDS = 1e-3
REFERENCES = {"relevant test ratings": "relevant in test"}
"""Shorter names of what recommendations are compared with."""


def user_differences(findings: Findings) -> Chart | None:
    """Users from the largest gain to the largest loss by the leader against its strongest rival."""
    pair = findings.pictures.differences
    if pair is None or len(pair.curve) < 2:
        return None
    a, b = short_systems([pair.a, pair.b], of=findings.systems).values()
    metric = metric_words(pair.metric)
    return Chart(
        name="user-differences",
        title=f"Who gains and who loses: {a} against {b}",
        caption=f"{count(pair.users)} users in the order of their difference in {metric}, {a} minus {b}: "
        f"{count(pair.wins)} gain{_mean(pair.gain)}, {count(pair.losses)} lose{_mean(pair.loss)}, {count(pair.ties)} see no "
        "change.",
        draw=partial(_user_differences, findings, pair),
    )


def _mean(difference: float | None) -> str:
    return "" if difference is None else f" {number(abs(difference))} on average"


def _user_differences(findings: Findings, pair: UserDifferences, layout: Layout) -> Spec:
    size, height = text_size(paper=layout.paper), plot_height(layout, 200)
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
    axis = {"format": ".0%", "grid": False, "tickCount": 5}
    x = quantity("from", scale=inset((0.0, 1.0), layout), axis=axis, title="Users, sorted by difference")
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
        share = f"{counted(users, 'user')} ({percent(users / pair.users, 0)})"
        if layout.narrow:
            return f"{share}\nbetter with {names[system]}"
        size = "" if mean is None else f",\nby {number(abs(mean), 3)} on average"
        return f"{share} {'is' if users == 1 else 'are'} better off with {names[system]}{size}"

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
    room = max(part.axis()["maxExtent"] for part in plots)  # plots below each other begin at one place
    specs = []
    for part in plots:
        ends = [other.ends for other in plots if other.title == part.title]  # one scale for one metric
        specs.append(part.spec(room, (min(low for low, _ in ends), max(high for _, high in ends))))
    if len(specs) == 1:
        return {**specs[0], "params": FOCUS}
    specs = [spec if "facet" in spec else within(spec, layout.width - room - 3) for spec in specs]
    titled = [{**spec, "title": own.title} for own, spec in zip(tables, specs, strict=True)]
    return {"params": FOCUS, "vconcat": titled, "spacing": 2 * text_size(paper=layout.paper)}


def _group_plot(findings: Findings, own: GroupValues, layout: Layout) -> Groups:
    systems = [system for system in systems_shown(findings, MOST_SERIES) if system in own.systems]
    digits = digits_for(value for line in own.values for value in line)
    names = short_systems(systems, layout, of=findings.systems, most=0.42 if layout.narrow else 0.24)
    panels = panelled(len(own.groups), layout)
    unit, parting = " ratings" if own.by == "user-activity" else "", "\n" if panels or layout.narrow else " · "
    groups = [wrapped(group + unit, 0.4 * layout.width, layout) if layout.narrow else group + unit for group in own.groups]
    heads = [f"{group}{parting}{counted(users, 'user')}" for group, users in zip(groups, own.users, strict=True)]
    rows: list[Spec] = []
    for system in systems:
        line = own.systems.index(system)
        for j, value in enumerate(own.values[line]):
            if value is None:
                continue
            ends = (own.low[line][j], own.high[line][j]) if own.low else (None, None)
            label = number(value, min(3, digits)) if panels and not own.low else ""
            rows.append(
                {
                    **estimate(system, names[system], value, ends, label),
                    "end": value,
                    "group": heads[j],
                    "Group": own.groups[j],
                    "Value": number(value, digits),
                    "Interval": interval_text(ends, digits),
                    "Users": count(own.users[j]),
                }
            )
    metric = metric_words(own.metric)
    details: list[Detail] = [SYSTEM, "Group", ("Value", metric), *([interval_field(findings)] if own.low else []), "Users"]
    return Groups(name=own.by, title=metric, rows=rows, heads=heads, names=names, details=details, layout=layout)


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
    drawn, names = {row.system for row in curves}, short_systems(findings.systems)
    lacking = ", ".join(names[system] for system in findings.systems if system not in drawn)
    without = f" Not drawn, since too few targets are ranked: {lacking}." if lacking and name == "roc" else ""
    systems = systems_shown(findings, MOST_SERIES)
    return Chart(
        name=name,
        title=title,
        caption=means + without,
        half=True,
        draw=partial(marks.lines, name, rows, systems=systems, of=findings.systems, chance=name == "roc"),
    )


def ordered_curves(findings: Findings, curves: Sequence[CurveRow]) -> list[CurveRow]:
    """The curves of systems with a colour, in their order."""
    by_system = {row.system: row for row in curves}
    return [by_system[system] for system in systems_shown(findings, MOST_SERIES) if system in by_system]


def interval_field(findings: Findings) -> Detail:
    """The field of intervals in tooltips."""
    return "Interval", f"{confidence(findings)} CI"


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
        caption=f"{metric_words(pair.up.name)} against seconds of fitting and scoring, all folds together. Costs differ "
        "from run to run.",
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
        details=[SYSTEM, ("Up", metric), interval_field(findings), ("Across", beyond)],
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
