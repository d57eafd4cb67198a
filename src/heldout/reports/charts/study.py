"""Charts of a study, an evaluation or a comparison: leaderboards, pairs of systems, and settings.

A function takes findings and the options that the figure has, and returns a chart; None if the findings lack what it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from heldout.analysis.explored import Switchboard, explored_settings
from heldout.analysis.findings import Findings, distinct_contests
from heldout.analysis.rows import LeaderRow, PairRow, Setting, VerdictRow
from heldout.analysis.sentences import how_tested
from heldout.errors import SpecError
from heldout.reports.charts import users_items
from heldout.reports.charts.encodings import (
    FADED,
    FOCUS,
    SYSTEM,
    Detail,
    chosen,
    chosen_room,
    key,
    layer,
    nominal,
    pixels,
    plot,
    plot_height,
    quantity,
    short_systems,
    system_color,
    system_shape,
    text_width,
    tooltips,
    upright,
    zero_axis,
)
from heldout.reports.charts.marks import estimate, forest, heat, lines
from heldout.reports.charts.theme import MOST_SERIES, text_size
from heldout.reports.charts.users_items import interval_field, ordered_curves
from heldout.reports.diagrams import LEAST_SYSTEMS, Diagram, diagrams
from heldout.reports.document import Chart, Layout, Spec
from heldout.reports.study_tables import leading_alone
from heldout.reports.views import (
    CHARTED,
    Held,
    confidence,
    margins_drawn,
    protocol_sentence,
    systems_shown,
    uncalled_note,
    users_text,
)
from heldout.reports.views import margins as margin_rows
from heldout.text.names import metric_words, short_names, shorten_labels
from heldout.text.numbers import ABSENT, count, counted, interval_text, number, p_number, percent, signed
from heldout.text.phrases import slug

Figure: TypeAlias = Callable[..., Chart | None]
MOST_ROWS = 40
"""Systems that a leaderboard draws at most."""
SIGNIFICANT = 0.5
"""Shade of a significant difference, on the scale of shades from 0 to 1."""
WIDE_COLUMNS, NARROW_COLUMNS = 240, 120
"""Columns of a curve of many settings at most, on a wide and on a narrow page."""
CHOSEN = "chosen_margin"
"""The parameter of the curve of margins that holds the place of the way that a reader of the page chose, from 0 to 1."""


def charts(findings: Findings) -> dict[str, Figure]:
    """Name → function of the chart; its keyword parameters are the options that the figure has."""
    return {name: partial(draw, findings) for name, draw in CHARTS.items()}


def leaderboard(findings: Findings, *, setting: int | None = None) -> Chart | None:
    """Each system's value and interval, best on top."""
    of = _setting(findings, setting)
    board = [row for row in findings.board(of.id) if row.value is not None][:MOST_ROWS]
    if not board:
        return None
    return Chart(
        name="leaderboard",
        title=f"{metric_words(of.metric)} of each system",
        caption=_sentences(
            f"{_measured(of)} of each system",
            _where(findings, of),
            f"Bars are {confidence(findings)} confidence intervals" if any(row.low is not None for row in board) else "",
            _letters_mean(findings, of) if any(row.group for row in board) else "",
        ),
        table="leaderboard",
        draw=partial(_leaderboard, findings, of, board),
    )


def _leaderboard(findings: Findings, setting: Setting, board: Sequence[LeaderRow], layout: Layout) -> Spec:
    digits = findings.digits(setting.id)
    texts = [number(row.value, digits) for row in board]
    names = short_systems([row.system for row in board], layout, of=findings.systems)
    rows: list[Spec] = [
        {
            **estimate(row.system, names[row.system], row.value, (row.low, row.high), f"{text} {row.group}".strip()),
            "Value": text,
            "Interval": interval_text((row.low, row.high), digits),
            "Letters": row.group or ABSENT,
            "Users": count(row.users),
        }
        for row, text in zip(board, texts, strict=True)
    ]
    letters: list[Detail] = ["Letters"] if any(row.group for row in board) else []
    details = [SYSTEM, ("Value", metric_words(setting.metric)), interval_field(findings), *letters, "Users"]
    return _forest("leaderboard", findings, rows, layout, title=_measured(setting), details=details)


def _forest(name: str, findings: Findings, rows: Sequence[Spec], layout: Layout, *, title: str, **options: Any) -> Spec:
    """A forest of which the title says what the bars are."""
    bars = f" ({confidence(findings)} CI)" if any(row["low"] is not None for row in rows) else ""
    return forest(name, rows, layout, systems=systems_shown(findings, MOST_SERIES), title=title + bars, **options)


def differences(findings: Findings, *, setting: int | None = None, test: str | None = None) -> Chart | None:
    """The leader against each other system, or each system against the baseline: difference and interval."""
    of = _setting(findings, setting)
    tests = findings.tests(of.id)
    if not tests and test is None:
        return None
    if test is not None and test not in tests:
        raise SpecError(f"setting {of.id} has no comparison by {test}", hint=f"its tests: {', '.join(tests) or 'none'}")
    pairs = findings.against_others(of.id, test or tests[0])[:MOST_ROWS]
    if not pairs:
        return None
    held = findings.baseline or pairs[0].a
    (brief,) = short_systems([held], of=findings.systems).values()
    minus = f"system minus {brief}" if findings.baseline else f"{brief} minus the other system"
    return Chart(
        name="differences",
        title=f"Each system against {brief}" if findings.baseline else f"{brief} against each other system",
        caption=_sentences(
            f"Difference in {_measured(of)}, {minus}",
            _where(findings, of),
            f"Bars are {confidence(findings)} confidence intervals, not adjusted for the number of comparisons",
            f"Marks with a hole: not significant at {findings.level:g}",
            how_tested(pairs[0]),
            uncalled_note(findings.verdict_row(of.id)),
        ),
        table="differences",
        draw=partial(_differences, findings, of, pairs),
    )


def _differences(findings: Findings, setting: Setting, pairs: Sequence[PairRow], layout: Layout) -> Spec:
    digits = findings.digits(setting.id)
    others = [pair.a if findings.baseline else pair.b for pair in pairs]
    names = short_systems(others, layout, of=findings.systems)
    rows: list[Spec] = [
        {
            **estimate(other, names[other], pair.difference, (pair.low, pair.high), signed(pair.difference, digits)),
            **_pair_texts(pair, digits),
            "hole": pair.p_adjusted is not None and not pair.significant(findings.level),
        }
        for pair, other in zip(pairs, others, strict=True)
    ]
    title = f"Difference in {_measured(setting)}"
    return _forest("differences", findings, rows, layout, title=title, details=_pair_told(findings), zero=True)


def _pair_texts(pair: PairRow, digits: int) -> dict[str, str]:
    """What the tooltip of a pair shows."""
    return {
        "Pair": f"{pair.a} − {pair.b}",
        "Difference": signed(pair.difference, digits),
        "Interval": interval_text((pair.low, pair.high), digits, sign=True),
        "d": signed(pair.effect, 2),
        "p": p_number(pair.p_adjusted),
        "Users": users_text(pair),
    }


def _pair_told(findings: Findings) -> list[Detail]:
    return ["Pair", "Difference", interval_field(findings), ("d", "Cohen d"), ("p", "adjusted p"), "Users"]


def margins(findings: Findings) -> Chart | None:
    """The leader's margin over its strongest rival in each setting."""
    if not margins_drawn(findings):
        return None
    whose = (
        f"{short_names(findings.systems)[findings.leader(findings.primary) or '']} minus its strongest rival in each setting"
    )
    whose = f"each setting's leader minus the baseline {findings.baseline}" if findings.baseline else whose
    intervals = any(_margin_ends(findings, *entry) != (None, None) for entry in margin_rows(findings))
    bars = f"Bars are {confidence(findings)} confidence intervals of the difference, divided by the same mean"
    return Chart(
        name="margins",
        title="Margin in each setting",
        caption=_sentences(
            f"Margin: {whose}",
            "It is drawn as a share of the mean of both",
            bars if intervals else "",
            f"Colour and marker: the setting's leader; marks with a hole: not significant at {findings.level:g}",
            "Settings share users and ratings, so do not count them as votes",
        ),
        table="settings",
        draw=partial(_margins, findings),
    )


def _margin_ends(findings: Findings, row: VerdictRow, held: Held) -> tuple[float | None, float | None]:
    """The interval of a margin, from the interval of the difference."""
    test = findings.deciding_test(row.setting)
    pair = None if test is None else findings.pair(row.setting, test, held.a, held.b)
    magnitude = 0.0 if pair is None else abs(pair.value_a) + abs(pair.value_b)
    if pair is None or pair.low is None or pair.high is None or held.margin is None or magnitude == 0:
        return None, None
    share = 2 / magnitude * (1 if findings.setting(row.setting).higher_is_better else -1)
    low, high = sorted((pair.low * share, pair.high * share))
    return low, high


def _margins(findings: Findings, layout: Layout) -> Spec:
    by_setting = {row.setting: (row, held) for row, held in margin_rows(findings)}
    settings = [setting for setting in distinct_contests(findings) if setting.id in by_setting]
    systems = systems_shown(findings, MOST_SERIES)
    names = short_systems(findings.systems, layout, most=0.15)
    texts = setting_labels([setting.words for setting in settings], layout, most=0.44 if layout.narrow else 0.36)
    rows: list[Spec] = []
    for setting, text in zip(settings, texts, strict=True):
        row, held = by_setting[setting.id]
        ends = _margin_ends(findings, row, held)
        margin, digits = held.margin or 0.0, findings.digits(row.setting)
        share = f"{signed(100 * margin, 1)}%" if margin else "0%"
        lead = f"{names[row.leader]} leads {names[row.rival]} by {signed(abs(row.difference), digits)[1:]}"
        rows.append(
            {
                **estimate(row.leader, text, margin, ends, share if layout.narrow else "tie" if row.tie else lead),
                "settings": [own.id for own in findings.contests if setting.id in (own.id, own.same_as)],
                "hole": not row.significant,
                "Setting": setting.words,
                "Leader": row.leader,
                "Margin": share,
                "Interval": " to ".join(f"{signed(100 * end, 1)}%" for end in ends if end is not None) or ABSENT,
                "Difference": f"{signed(held.difference, digits)} against {held.b}",
                "p": p_number(row.p_adjusted),
            }
        )
    details: list[Detail] = ["Setting", "Leader", "Margin", interval_field(findings), "Difference", ("p", "adjusted p")]
    spec = _forest("margins", findings, rows, layout, title="Margin, % of the mean", details=details, zero=True, share=True)
    axis = spec["layer"][1]["encoding"]["y"]["axis"]
    whole = {"y": nominal("name", sort=None), "x": {"value": 0}, "x2": {"value": "width"}, "tooltip": tooltips(*details)}
    spec["layer"].insert(0, layer("rect", "band", whole, where="indexof(datum.settings, current) >= 0"))
    spec["params"] = [*FOCUS, {"name": "current", "value": findings.primary}]
    leaders = {row["system"] for row in rows}
    led = {system: name for system, name in short_systems(systems, layout, of=findings.systems).items() if system in leaders}
    if len(led) > 1 and layout.narrow:
        spec["layer"] += key(led, layout, drawn=systems, left=axis["maxExtent"])
    return spec


def setting_labels(names: Sequence[str], layout: Layout, *, most: float) -> list[str]:
    """Labels of settings that take this share of the width; if one is too long, all are broken where their parts meet."""
    room = most * layout.width
    if max(text_width(name, layout) for name in names) <= room:
        return list(names)
    letters = max(8, int(room / (0.52 * text_size(paper=layout.paper))))
    parted = [name.split(" · ") for name in shorten_labels(names, 2 * letters)]
    breaks = [[" · ".join(parts[:k]) + "\n" + " · ".join(parts[k:]) for k in range(1, len(parts))] for parts in parted]
    return [
        min(texts, key=lambda text: text_width(text, layout), default=parts[0])
        for texts, parts in zip(breaks, parted, strict=True)
    ]


def margin_curve(findings: Findings) -> Chart | None:
    """All settings under all tests, sorted by the leader's margin."""
    return margin_curve_of(explored_settings(findings, findings.contests))


def margin_curve_of(board: Switchboard) -> Chart | None:
    """All ways of measuring, from where the reference is furthest behind to where it is furthest ahead."""
    if not board.has_curve:
        return None
    (name,) = short_systems([board.systems[board.reference]], of=board.systems).values()
    ways = int(np.isfinite(board.margin).sum())
    several = f"If there are more than {WIDE_COLUMNS} {board.noun}s, a column shows the middle one of several"
    return Chart(
        name="margin-curve",
        title=f"Margin of {name} in all {count(ways)} {board.noun}s",
        caption=_sentences(
            f"{board.systems[board.reference]} minus the best other system, as a share of the mean of both, in all "
            f"{count(ways)} {board.noun}s from the smallest margin to the largest",
            "Colour: who wins significantly",
            several if ways > NARROW_COLUMNS else "",
        ),
        table="settings",
        half=True,
        draw=partial(_margin_curve, board, name),
    )


def _margin_curve(board: Switchboard, name: str, layout: Layout) -> Spec:
    finite = np.flatnonzero(np.isfinite(board.margin))
    order = finite[np.argsort(board.margin[finite], kind="stable")]
    outcome = board.verdict_of_reference[order]
    words = {-1: "another system wins", 0: "no significant winner", 1: f"{name} wins"}
    details = {side: f"{text} ({percent(float((outcome == side).mean()))})" for side, text in words.items()}
    columns = min(len(order), NARROW_COLUMNS if layout.narrow else WIDE_COLUMNS)
    edges = [round(k * len(order) / columns) for k in range(columns + 1)]
    rows: list[Spec] = []
    for first, last in pairwise(edges):
        middle = (first + last) // 2
        margin, place = float(board.margin[order[middle]]), f"{count(first + 1)}"
        rows.append(
            {
                "from": first,
                "to": last,
                "value": margin,
                "state": int(order[middle]),
                "outcome": details[int(outcome[middle])],
                "Place": place if last - first == 1 else f"{place} to {count(last)}",
                "Margin": f"{signed(100 * margin, 1)}%" if margin else "0%",
                "StudyScores": words[int(outcome[middle])],
                "Verdict": board.briefs[order[middle]],
            }
        )
    reached = float(np.abs(board.margin[order]).max())
    legend: Spec = {
        "columns": 1 if layout.width < 700 else 3,
        "values": [details[side] for side in words if (outcome == side).any()],
        "symbolType": "square",
        "offset": 2.2 * text_size(paper=layout.paper),
    }
    low, high = min(0.0, float(board.margin[order[0]])), max(0.0, float(board.margin[order[-1]]))
    scale = {"domainMax": high + chosen_room(layout) * (high - low), "nice": False}
    signs = {"format": "+.0%" if reached > 0.04 else "+.1%", "labelExpr": zero_axis(percent=True)}
    title = f"All {count(len(order))} {board.noun}s, sorted"
    x = quantity("from", scale={"domain": [0, len(order)], "nice": False}, axis={"values": [], "grid": False}, title=title)
    bar = {
        "x": x,
        "x2": {"field": "to"},
        "y": quantity("value", scale=scale, axis=upright(layout, **signs), title="Margin over the best other system"),
        "y2": {"datum": 0},
        "color": nominal("outcome", scale={"domain": list(details.values()), "range": "diverging"}, legend=legend),
        "tooltip": tooltips(("Place", f"{board.noun.capitalize()} by margin"), "Margin", "StudyScores", "Verdict"),
    }
    layers = [
        layer("rect", "bar" if columns > 60 else "share", bar),
        layer("rule", "zero", {"x": {"value": 0}, "x2": {"value": "width"}, "y": {"datum": 0}}),
        chosen(CHOSEN, len(order)),
    ]
    params = [{"name": CHOSEN, "value": None}]
    return {**plot("margin-curve", rows, layout, plot_height(layout), layers), "params": params}


def settings(findings: Findings) -> Chart | None:
    """Values of systems in settings, shaded from the worst to the best of each setting."""
    systems, contests = systems_shown(findings, MOST_SERIES), distinct_contests(findings)[:CHARTED]
    if not systems or not contests:
        return None
    more = len(findings.systems) - len(systems)
    return Chart(
        name="settings",
        title="Every system in every setting",
        caption=_sentences(
            "Values of systems in each setting; shades run from the lowest to the best value of each row",
            "Bold: significantly better than every other system",
            "↓: lower is better" if any(not setting.higher_is_better for setting in contests) else "",
            f"The table also has {counted(more, 'system')} more" if more else "",
            f"The first {CHARTED} of {count(len(findings.contests))} settings" if len(contests) == CHARTED else "",
        ),
        table="settings",
        draw=partial(_settings, findings, systems, contests),
    )


def _settings(findings: Findings, systems: Sequence[str], contests: Sequence[Setting], layout: Layout) -> Spec:
    marks = ["" if setting.higher_is_better else " ↓" for setting in contests]
    full = 0.98 if layout.narrow else 0.36
    texts = setting_labels([setting.words + mark for setting, mark in zip(contests, marks, strict=True)], layout, most=full)
    cells: list[Spec] = []
    for setting, text in zip(contests, texts, strict=True):
        digits = min(3, findings.digits(setting.id)) if layout.narrow else findings.digits(setting.id)
        first = leading_alone(findings, setting.id)
        board = {row.system: row for row in findings.board(setting.id)}
        values = [row.value for row in board.values() if row.value is not None] or [0.0]
        worst, best = (min(values), max(values)) if setting.higher_is_better else (max(values), min(values))
        for system in systems:
            row = board.get(system)
            value = None if row is None else row.value
            cells.append(
                {
                    "system": system,
                    "row": text,
                    "shade": None if value is None else 1.0 if best == worst else (value - worst) / (best - worst),
                    "label": number(value, digits),
                    "style": "label-strong" if system == first else "label",
                    "Setting": setting.words,
                    "Value": number(value, findings.digits(setting.id)),
                    "Interval": ABSENT if row is None else interval_text((row.low, row.high), findings.digits(setting.id)),
                    "Place": ABSENT if row is None or value is None else f"{row.rank} of {len(findings.systems)}",
                }
            )
    names = short_systems(systems, layout, of=findings.systems)
    return heat(
        "settings", cells, layout, names=names, details=[SYSTEM, "Setting", "Value", interval_field(findings), "Place"]
    )


def pairwise_matrix(findings: Findings, *, setting: int | None = None, test: str | None = None) -> Chart | None:
    """Differences and effects of all pairs above the diagonal, adjusted p below it."""
    of = _setting(findings, setting)
    test = test or findings.deciding_test(of.id)
    pairs = [] if test is None else findings.pairs(of.id, test)
    first = set(systems_shown(findings, MOST_SERIES))
    order = [row.system for row in findings.board(of.id) if row.system in first]
    if not pairs or len(order) < 2:
        return None
    more = len(findings.board(of.id)) - len(order)
    return Chart(
        name="pairwise-matrix",
        title=f"All pairs of systems: {metric_words(of.metric)}",
        caption=_sentences(
            f"Above the diagonal: row minus column in {_measured(of)}",
            "Effect d: paired Cohen’s d",
            f"Shaded: significant at {findings.level:g}",
            "Below the diagonal: adjusted p",
            how_tested(pairs[0]),
            _where(findings, of),
            f"The table also has {counted(more, 'system')} more" if more > 0 else "",
        ),
        table="pairs",
        draw=partial(_matrix, findings, of, pairs, order),
    )


def _matrix(findings: Findings, setting: Setting, pairs: Sequence[PairRow], order: Sequence[str], layout: Layout) -> Spec:
    by_pair = {(pair.a, pair.b): pair for pair in pairs} | {(pair.b, pair.a): pair.flipped() for pair in pairs}
    digits = findings.digits(setting.id)
    names = short_systems(order, layout, of=findings.systems)
    cells: list[Spec] = []
    for i, row in enumerate(order):
        for j, column in enumerate(order):
            pair = by_pair.get((row, column))
            if pair is None:
                continue
            difference = signed(pair.difference, min(digits, 3) if layout.narrow else digits)
            effect = "" if pair.effect is None else f"\nd {number(pair.effect, 2)}"
            cells.append(
                {
                    "system": column,
                    "row": names[row],
                    "shade": SIGNIFICANT if j > i and pair.significant(findings.level) else 0 if j > i else None,
                    "label": f"{difference}{effect}" if j > i else p_number(pair.p_adjusted).replace("< 0.001", "<.001"),
                    "style": "label" if j > i else "note",
                    **_pair_texts(pair, digits),
                }
            )
    return heat("pairwise-matrix", cells, layout, names=names, details=_pair_told(findings), lines=2)


def critical_difference(findings: Findings, *, setting: int | None = None, test: str | None = None) -> Chart | None:
    """Systems along an axis; bars join those that do not differ significantly."""
    of = _setting(findings, setting)
    own = diagrams(findings, of.id)
    fitting = [diagram for diagram in own if test in (None, diagram.test)]
    if test is not None and not fitting:
        raise SpecError(
            f"setting {of.id} has no critical-difference diagram by {test}",
            hint=f"compare {LEAST_SYSTEMS} systems or more in all pairs, without a baseline, by a test that gives p-values",
        )
    if not fitting:
        return None
    diagram = replace(fitting[0], scale=fitting[0].scale.replace(of.metric, metric_words(of.metric)))
    return Chart(
        name="critical-difference",
        title=f"Systems that do not differ significantly: {diagram.scale}",
        caption=f"{diagram.caption} {_where(findings, of)}",
        table="pairs",
        draw=partial(_critical_difference, diagram, systems_shown(findings, MOST_SERIES)),
    )


def _critical_difference(diagram: Diagram, systems: Sequence[str], layout: Layout) -> Spec:
    """Names on both sides below the axis, each joined with its place, and bars between them."""
    if layout.narrow:
        return _narrow_difference(diagram, systems, layout)
    size, systems_below = text_size(paper=layout.paper), len(diagram.order)
    names = short_systems([name for name, _ in diagram.order], layout, most=0.3)
    half = (systems_below + 1) // 2
    first, last = diagram.order[0][1], diagram.order[-1][1]
    deep = (0.9 * len(diagram.groups) + 1.3) * size
    line = max(1.55 * size, 0.0 if layout.paper else (160 - deep) / half)
    rows: list[Spec] = []
    for k, (name, place) in enumerate(diagram.order):
        on_left, value = k < half, number(place, diagram.digits)
        rows.append(
            {
                **_place(diagram, name),
                "x": place,
                "top": 0,
                "level": deep + line * ((k if on_left else systems_below - 1 - k) + 0.5),
                "align": "right" if on_left else "left",
                "dx": -0.4 * size if on_left else 0.4 * size,
                "name": f"{names[name]}  {value}" if on_left else f"{value}  {names[name]}",
            }
        )
    left, right = (
        max((text_width(row["name"], layout) for row in rows if row["align"] == side), default=0.0) + size
        for side in ("right", "left")
    )
    for row in rows:
        row["edge"] = left if row["align"] == "right" else layout.width - right
    brackets, members = _brackets(diagram)
    for row in (*brackets, *members):
        row["level"] = 0.9 * size * (row["number"] + 1)
    ends = {"domain": [first, last] if first != last else [first - 1, first + 1], "nice": False, "zero": False}
    axis = {"orient": "top", "grid": False, "ticks": True, "tickCount": 5}
    axis |= {"title": diagram.scale, "titleX": left + size, "titleAlign": "left"}
    x = quantity("x", scale={**ends, "range": [left + size, layout.width - right - size]}, axis=axis)
    y = pixels("level")
    details = {"opacity": FADED, "tooltip": tooltips(SYSTEM, ("Place", diagram.scale), ("Alike", "Not different from"))}
    edge = {"value": {"expr": "datum.edge"}}
    beside: Spec = {"align": {"expr": "datum.align"}, "dx": {"expr": "datum.dx"}}
    looks = {"color": system_color(systems, rows=rows), "shape": system_shape(systems, rows=rows)}
    together = tooltips(("Group", "Do not differ significantly"))
    bar = {"x": x, "x2": {"field": "to"}, "y": y}
    layers = [
        layer("rule", "zero", bar, rows=[{"x": first, "to": last, "level": 0}]),
        layer("rule", "leader", {"x": x, "y": pixels("top"), "y2": {"field": "level"}, "opacity": FADED}),
        layer("rule", "leader", {"x": x, "x2": edge, "y": y, "opacity": FADED}),
        layer("rule", "bracket", {**bar, "tooltip": together}, rows=brackets),
        layer("point", "member", {"x": x, "y": y, "tooltip": together}, rows=members),
        layer("point", "symbol", {"x": x, "y": pixels("top"), **looks, **details}),
        layer("text", "label", {"x": edge, "y": y, "text": {"field": "name"}, **details}, **beside),
    ]
    if diagram.critical is not None and first != last:
        far = first + (diagram.critical if last > first else -diagram.critical)
        text = f"critical difference {number(diagram.critical, diagram.digits + 1)}"
        ruler = [{"x": first, "to": far, "level": -4.2 * size, "text": text}]
        words = {"x": {**x, "field": "to"}, "y": y, "text": {"field": "text"}}
        layers.append(layer("rule", "bracket", {**bar, "tooltip": tooltips(("text", "Bar"))}, rows=ruler))
        layers.append(layer("text", "note", words, rows=ruler, align="left", dx=size / 2))
    return plot("critical-difference", rows, layout, deep + line * half, layers)


def _narrow_difference(diagram: Diagram, systems: Sequence[str], layout: Layout) -> Spec:
    """A row for each system, and upright bars on the right."""
    size = text_size(paper=layout.paper)
    names = short_systems([name for name, _ in diagram.order], layout)
    rows: list[Spec] = []
    for name, value in diagram.order:
        own = _place(diagram, name)
        rows.append({**estimate(name, names[name], value, (None, None), own["Place"]), **own})
    details: list[Detail] = [SYSTEM, ("Place", diagram.scale), ("Alike", "Not different from")]
    inner = replace(layout, width=layout.width - size * (len(diagram.groups) + 0.5))
    spec = forest("critical-difference", rows, inner, systems=systems, title=diagram.scale, details=details)
    brackets, members = _brackets(diagram)
    for row in (*brackets, *members):
        row["shift"] = (row["number"] + 0.9) * size
        row["from"], row["until"] = names[row["first"]], names[row["last"]]
    channels = {
        "y": nominal("from", sort=None),
        "x": {"value": {"expr": "width + datum.shift"}},
        "tooltip": tooltips(("Group", "Do not differ significantly")),
    }
    spec["layer"] += [
        layer("rule", "bracket", {**channels, "y2": {"field": "until"}}, rows=brackets),
        layer("point", "member", channels, rows=members),
    ]
    return {**spec, "width": layout.width}


def _brackets(diagram: Diagram) -> tuple[list[Spec], list[Spec]]:
    """The bar of each group of systems, and a dot on it for each of them."""
    brackets, members = [], []
    for k, group in enumerate(diagram.groups):
        inside = [(name, place) for name, place in diagram.order if name in group]
        own = {"number": k, "Group": ", ".join(group)}
        (first, start), (last, end) = inside[0], inside[-1]
        brackets.append({**own, "x": start, "to": end, "first": first, "last": last})
        members += [{**own, "x": place, "first": name, "last": name} for name, place in inside]
    return brackets, members


def _place(diagram: Diagram, system: str) -> Spec:
    """What the tooltip of a system shows."""
    names = [name for group in diagram.groups if system in group for name in group if name != system]
    alike = ", ".join(dict.fromkeys(names)) or "none"
    place = number(dict(diagram.order)[system], diagram.digits)
    return {"system": system, "Place": place, "Alike": alike}


def curve(findings: Findings, *, setting: int | None = None) -> Chart | None:
    """The curves of a metric that has one, in the first setting that has some unless another is named."""
    first = next((row.setting for row in findings.curves), None)
    of = _setting(findings, first if setting is None else setting)
    rows = ordered_curves(findings, [row for row in findings.curves if row.setting == of.id])
    if not rows:
        return None
    chance = rows[0].x_label.startswith("false")
    digits = findings.digits(of.id)
    values = [f"{number(findings.value(of.id, system), digits)} for {system}" for system in (row.system for row in rows)]
    return Chart(
        name="curve",
        title=f"Curve of {metric_words(of.metric)}",
        caption=_sentences(
            f"{rows[0].y_label} against {rows[0].x_label}",
            _where(findings, of),
            f"{metric_words(of.metric)} is {', '.join(values)}",
            "Dashed: a random order" if chance else "",
        ),
        table="leaderboard",
        half=True,
        draw=partial(lines, "curve", rows, systems=systems_shown(findings, MOST_SERIES), of=findings.systems, chance=chance),
    )


def curves(findings: Findings) -> Iterator[Chart]:
    """The curve of each metric that has one, in the first setting that has it."""
    settings: dict[str, int] = {}
    for row in findings.curves:
        settings.setdefault(findings.setting(row.setting).metric, row.setting)
    for k, (metric, setting) in enumerate(settings.items()):
        chart = curve(findings, setting=setting)
        if chart is not None:
            yield replace(chart, name=f"curve-{slug(metric)}") if k else chart


def _setting(findings: Findings, key: int | None) -> Setting:
    return findings.setting(findings.primary if key is None else key)


def _where(findings: Findings, setting: Setting) -> str:
    """The protocol and the users of a setting."""
    users = max((row.users for row in findings.board(setting.id)), default=0)
    return f"{protocol_sentence(findings, setting)} Values are of {counted(users, 'user')}.".strip()


def _measured(setting: Setting) -> str:
    return f"{metric_words(setting.metric)}{'' if setting.higher_is_better else ' (lower is better)'}"


def _letters_mean(findings: Findings, setting: Setting) -> str:
    test = findings.deciding_test(setting.id)
    tested = how_tested(findings.pairs(setting.id, test)[0]) if test else ""
    return f"Systems that share a letter do not differ significantly at {findings.level:g}. {tested}".strip()


def _sentences(*parts: str) -> str:
    """Sentences of a caption, each with its full stop; empty ones are left out."""
    return " ".join(part if part.endswith(".") else f"{part}." for part in parts if part)


CHARTS: dict[str, Callable[..., Chart | None]] = {
    "leaderboard": leaderboard,
    "differences": differences,
    "margins": margins,
    "margin-curve": margin_curve,
    "settings": settings,
    "critical-difference": critical_difference,
    "curve": curve,
    "pairwise-matrix": pairwise_matrix,
    **users_items.CHARTS,
}
"""Name → function of findings and of the options that the figure has."""
