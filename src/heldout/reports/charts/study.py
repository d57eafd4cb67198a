"""Charts of a study, an evaluation or a comparison: leaderboards, pairs of systems, and settings.

A function takes findings and the options that the figure has, and returns a chart; None if the findings lack what it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from heldout.analysis.explored import Switchboard, explored_settings
from heldout.analysis.findings import Findings, distinct_contests
from heldout.analysis.rows import LeaderRow, PairRow, Setting, VerdictRow
from heldout.errors import SpecError
from heldout.reports.captions import correction_note, uncalled_note, users_text
from heldout.reports.charts import users_items
from heldout.reports.charts.encodings import (
    FADED,
    FOCUS,
    Told,
    across,
    beside,
    chosen,
    key,
    labels,
    plot_height,
    reach,
    round_ticks,
    short_systems,
    sized,
    step,
    system_color,
    system_shape,
    text_width,
    tooltips,
    upright,
    zero_axis,
)
from heldout.reports.charts.theme import MOST_SERIES, text_size
from heldout.reports.diagrams import LEAST_SYSTEMS, Diagram, diagrams
from heldout.reports.document import Chart, Layout, Spec
from heldout.reports.study_tables import leading_alone
from heldout.reports.views import CHARTED, Held, margins_drawn, systems_shown
from heldout.reports.views import margins as margin_rows
from heldout.words import (
    ABSENT,
    count,
    counted,
    interval_text,
    metric_words,
    number,
    p_number,
    percent,
    shorten_labels,
    signed,
    slug,
)

Figure: TypeAlias = Callable[..., Chart | None]
MOST_ROWS = 40
"""Systems that a leaderboard draws at most."""
SIGNIFICANT = 0.5
"""Shade of a significant difference, on the scale of shades from 0 to 1."""
_PAIR_TOLD: tuple[Told, ...] = (("d", "Cohen d"), ("p", "adjusted p"), "Users")
WIDE_COLUMNS, NARROW_COLUMNS = 240, 120
"""Columns of a curve of many settings at most, on a wide and on a narrow page."""
CHOSEN = "chosen_margin"
"""The parameter of the curve of margins that holds the place of the way that a reader of the page chose, from 0 to 1."""


def charts(findings: Findings) -> dict[str, Figure]:
    """Name → function of the chart; its keyword parameters are the options that the figure has."""
    return {name: partial(draw, findings) for name, draw in CHARTS.items()}


def leaderboard(findings: Findings, *, setting: int | None = None) -> Chart | None:
    """Each system's value and interval, best on top."""
    chosen = _setting(findings, setting)
    board = [row for row in findings.board(chosen.id) if row.value is not None][:MOST_ROWS]
    if not board:
        return None
    return Chart(
        name="leaderboard",
        title=f"{metric_words(chosen.metric)} of each system",
        caption=_sentences(
            f"{metric_words(chosen.metric)}{_lower(chosen)} of each system, {_where(findings, chosen)}",
            f"Bars are {_level(findings)} confidence intervals" if any(row.low is not None for row in board) else "",
            _letters_mean(findings, chosen) if any(row.group for row in board) else "",
        ),
        table="leaderboard",
        draw=partial(_leaderboard, findings, chosen, board),
    )


def _leaderboard(findings: Findings, setting: Setting, board: Sequence[LeaderRow], layout: Layout) -> Spec:
    digits = findings.digits(setting.id)
    names = short_systems([row.system for row in board], layout, of=findings.systems)
    rows: list[Spec] = [
        {
            "system": row.system,
            "name": names[row.system],
            "value": row.value,
            "low": row.low,
            "high": row.high,
            "label": f"{number(row.value, digits)} {row.group}".rstrip(),
            "end": row.value if row.high is None else row.high,
            "Value": number(row.value, digits),
            "Interval": interval_text((row.low, row.high), digits),
            "Letters": row.group or ABSENT,
            "Users": count(row.users),
        }
        for row in board
    ]
    told: list[Told] = [
        ("Value", metric_words(setting.metric)),
        ("Interval", f"{_level(findings)} CI"),
        *(["Letters"] if any(r.group for r in board) else []),
    ]
    start, end = reach([end for row in board for end in (row.value, row.low, row.high)])
    return _forest(
        "leaderboard",
        rows,
        layout,
        drawn=systems_shown(findings, MOST_SERIES),
        title=f"{metric_words(setting.metric)}{_lower(setting)}{_with_intervals(findings, rows)}",
        scale=(start, end),
        told=["system", *told, "Users"],
    )


def differences(findings: Findings, *, setting: int | None = None, test: str | None = None) -> Chart | None:
    """The leader against each other system, or each system against the baseline: difference and interval."""
    chosen = _setting(findings, setting)
    tests = findings.tests(chosen.id)
    if not tests and test is None:
        return None
    if test is not None and test not in tests:
        raise SpecError(f"setting {chosen.id} has no comparison by {test}", hint=f"its tests: {', '.join(tests) or 'none'}")
    pairs = findings.against_others(chosen.id, test or tests[0])[:MOST_ROWS]
    if not pairs:
        return None
    held = findings.baseline or pairs[0].a
    (brief,) = short_systems([held], of=findings.systems).values()
    minus = f"system minus {brief}" if findings.baseline else f"{brief} minus the other system"
    return Chart(
        name="differences",
        title=f"Each system against {brief}" if findings.baseline else f"{brief} against each other system",
        caption=_sentences(
            f"Difference in {metric_words(chosen.metric)}{_lower(chosen)}, {minus}, {_where(findings, chosen)}",
            f"Bars are {_level(findings)} confidence intervals, not adjusted for the number of comparisons",
            f"Marks with a hole: not significant at {findings.level:g} ({pairs[0].test}, {correction_note(pairs[0])})",
            uncalled_note(findings.verdict_row(chosen.id)),
        ),
        table="differences",
        draw=partial(_differences, findings, chosen, pairs),
    )


def _differences(findings: Findings, setting: Setting, pairs: Sequence[PairRow], layout: Layout) -> Spec:
    digits = findings.digits(setting.id)
    others = [pair.a if findings.baseline else pair.b for pair in pairs]
    names = short_systems(others, layout, of=findings.systems)
    rows: list[Spec] = [
        {
            "system": other,
            "name": names[other],
            "value": pair.difference,
            "low": pair.low,
            "high": pair.high,
            "hole": pair.p_adjusted is not None and not pair.significant(findings.level),
            "label": signed(pair.difference, digits),
            "end": max(0.0, pair.difference if pair.high is None else pair.high),
            "Pair": f"{pair.a} − {pair.b}",
            "Difference": signed(pair.difference, digits),
            "Interval": interval_text((pair.low, pair.high), digits, sign=True),
            "d": signed(pair.effect, 2),
            "p": p_number(pair.p_adjusted),
            "Users": users_text(pair),
        }
        for pair, other in zip(pairs, others, strict=True)
    ]
    start, end = reach([end for pair in pairs for end in (pair.difference, pair.low, pair.high)], zero=True)
    told: list[Told] = [
        "Pair",
        "Difference",
        ("Interval", f"{_level(findings)} CI"),
        ("d", "Cohen d"),
        ("p", "adjusted p"),
        "Users",
    ]
    return _forest(
        "differences",
        rows,
        layout,
        drawn=systems_shown(findings, MOST_SERIES),
        title=f"Difference in {metric_words(setting.metric)}{_lower(setting)}{_with_intervals(findings, rows)}",
        scale=(start, end),
        told=told,
        zero=True,
    )


def _forest(
    name: str,
    rows: Sequence[dict[str, Any]],
    layout: Layout,
    *,
    drawn: Sequence[str],
    title: str,
    scale: tuple[float, float],
    told: Sequence[Told],
    zero: bool = False,
) -> Spec:
    """A row for each system: interval, estimate, and its value as a label."""
    axis = labels([row["name"] for row in rows], layout)
    plot = layout.width - axis["maxExtent"]
    placed = beside([row["end"] for row in rows], [row["label"] for row in rows], scale, plot, layout)
    ticks: Spec = {"tickCount": 3 if layout.narrow else 6, **across(title, plot, layout)}
    x: Spec = {"type": "quantitative", "scale": placed, "axis": {**ticks, **({"labelExpr": zero_axis()} if zero else {})}}
    y: Spec = {"field": "name", "type": "nominal", "sort": None, "axis": axis}
    color, shape = system_color(drawn, rows=rows), system_shape(drawn, rows=rows)
    tooltip = tooltips(*(("system", "System") if field == "system" else field for field in told))
    at_zero: list[Spec] = [{"mark": {"type": "rule", "style": "zero"}, "encoding": {"x": {**x, "datum": 0}}}] if zero else []
    shared = {"y": y, "opacity": FADED, "tooltip": tooltip}
    value = {**x, "field": "value"}
    hole: Spec = {"transform": [{"filter": "datum.hole"}], "mark": {"type": "point", "style": "hole"}}
    return {
        **sized(layout, step(layout, len(rows)) * len(rows)),
        "params": FOCUS,
        "data": {"name": name, "values": list(rows)},
        "layer": [
            *at_zero,
            {
                "mark": {"type": "rule", "style": "interval"},
                "encoding": {**shared, "x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": color},
            },
            {
                "mark": {"type": "point", "style": "estimate"},
                "encoding": {**shared, "x": value, "color": color, "shape": shape},
            },
            *([{**hole, "encoding": {**shared, "x": value}}] if any(row.get("hole") for row in rows) else []),
            {
                "mark": {"type": "text", "style": "label", "align": "left", "dx": 0.6 * text_size(paper=layout.paper)},
                "encoding": {**shared, "x": {**x, "field": "end"}, "text": {"field": "label"}},
            },
        ],
    }


def margins(findings: Findings) -> Chart | None:
    """The leader's margin over its strongest rival in each setting."""
    if not margins_drawn(findings):
        return None
    if findings.baseline:
        whose = f"Each setting's leader minus {findings.baseline}"
    else:
        whose = f"{findings.leader(findings.primary)} minus its strongest rival in each setting"
    intervals = any(_margin_ends(findings, *entry) != (None, None) for entry in margin_rows(findings))
    return Chart(
        name="margins",
        title="Margin in each setting",
        caption=_sentences(
            f"{whose}, as a share of the mean of both",
            f"Bars are {_level(findings)} confidence intervals of the difference, divided by the same mean"
            if intervals
            else "",
            f"Colour and marker: the setting's leader; marks with a hole: not significant at {findings.level:g}",
            "Settings share users and ratings, so do not count them as votes",
        ),
        table="settings",
        draw=partial(_margins, findings),
    )


def _distinct_margins(findings: Findings) -> list[tuple[Setting, VerdictRow, Held]]:
    """Settings in which users have different values, labelled with those that are identical, and their margins."""
    by_id = {row.setting: (row, held) for row, held in margin_rows(findings)}
    return [(setting, *by_id[setting.id]) for setting in distinct_contests(findings) if setting.id in by_id]


def _margin_ends(findings: Findings, row: VerdictRow, held: Held) -> tuple[float | None, float | None]:
    """The interval of a margin, from the interval of the difference."""
    test = findings.deciding_test(row.setting)
    pair = None if test is None else findings.pair(row.setting, test, held.a, held.b)
    if pair is None or pair.low is None or pair.high is None or held.margin is None:
        return None, None
    magnitude = abs(pair.value_a) + abs(pair.value_b)
    if magnitude == 0:
        return None, None
    share = 2 / magnitude * (1 if findings.setting(row.setting).higher_is_better else -1)
    low, high = sorted((pair.low * share, pair.high * share))
    return low, high


def _margins(findings: Findings, layout: Layout) -> Spec:
    entries = _distinct_margins(findings)
    systems = systems_shown(findings, MOST_SERIES)
    names = short_systems(findings.systems, layout, most=0.15)
    texts = setting_labels([setting.words for setting, _, _ in entries], layout, most=0.44 if layout.narrow else 0.36)
    rows: list[Spec] = []
    for (setting, row, held), text in zip(entries, texts, strict=True):
        low, high = _margin_ends(findings, row, held)
        margin, digits = held.margin or 0.0, findings.digits(row.setting)
        share = f"{signed(100 * margin, 1)}%" if margin else "0%"
        lead = f"{names[row.leader]} leads {names[row.rival]} by {signed(abs(row.difference), digits)[1:]}"
        rows.append(
            {
                "system": row.leader,
                "name": text,
                "settings": [own.id for own in findings.contests if setting.id in (own.id, own.same_as)],
                "value": margin,
                "low": low,
                "high": high,
                "hole": not row.significant,
                "label": share if layout.narrow else "tie" if row.tie else lead,
                "end": max(0.0, margin if high is None else high),
                "Setting": setting.words,
                "Leader": row.leader,
                "Margin": share,
                "Interval": _percent_interval(low, high),
                "Difference": f"{signed(held.difference, digits)} against {held.b}",
                "p": p_number(row.p_adjusted),
            }
        )
    leaders = {row["system"] for row in rows}
    led = {system: name for system, name in short_systems(systems, layout, of=findings.systems).items() if system in leaders}
    told: list[Told] = [
        "Setting",
        "Leader",
        "Margin",
        ("Interval", f"{_level(findings)} CI"),
        "Difference",
        ("p", "adjusted p"),
    ]
    start, end = reach([row[key] for row in rows for key in ("value", "low", "high")], zero=True)
    spec = _forest(
        "margins",
        rows,
        layout,
        drawn=systems,
        title=f"Margin, % of the mean{_with_intervals(findings, rows)}",
        scale=(start, end),
        told=told,
        zero=True,
    )
    for layer in spec["layer"]:
        layer["encoding"]["x"]["axis"] |= {"format": "+.0%", "labelExpr": zero_axis(percent=True)}
    lines = max(text.count("\n") for text in texts) + 1
    spec["height"] += (lines - 1) * 1.2 * text_size(paper=layout.paper) * len(rows)
    spec["params"] = [*FOCUS, {"name": "current", "value": findings.primary}]
    y: Spec = {"field": "name", "type": "nominal", "sort": None}
    point_axis = spec["layer"][1]["encoding"]["y"]["axis"]
    band: Spec = {
        "transform": [{"filter": "indexof(datum.settings, current) >= 0"}],
        "mark": {"type": "rect", "style": "band"},
        "encoding": {"y": y, "x": {"value": 0}, "x2": {"value": "width"}, "tooltip": tooltips(*told)},
    }
    spec["layer"].insert(0, band)
    left = point_axis["maxExtent"]
    if len(led) > 1 and layout.narrow:
        spec["layer"] += key(led, layout, drawn=systems, left=left)
    return spec


def _percent_interval(low: float | None, high: float | None) -> str:
    return ABSENT if low is None or high is None else f"{signed(100 * low, 1)}% to {signed(100 * high, 1)}%"


def setting_labels(names: Sequence[str], layout: Layout, *, most: float = 0.36) -> list[str]:
    """Labels of settings that take this share of the width, in two lines if one is too short."""
    room = most * layout.width
    if max(text_width(name, layout) for name in names) <= room:
        return list(names)
    letters = max(8, int(room / (0.52 * text_size(paper=layout.paper))))
    return [_two_lines(name, layout) for name in shorten_labels(names, 2 * letters)]


def _two_lines(name: str, layout: Layout) -> str:
    """A label broken where its parts meet, as evenly as possible."""
    parts = name.split(" · ")
    breaks = [(" · ".join(parts[:k]), " · ".join(parts[k:])) for k in range(1, len(parts))]
    return "\n".join(min(breaks, key=lambda lines: max(text_width(line, layout) for line in lines), default=(name,)))


def margin_curve(findings: Findings) -> Chart | None:
    """All settings under all tests, sorted by the leader's margin."""
    return margin_curve_of(explored_settings(findings, findings.contests))


def margin_curve_of(board: Switchboard) -> Chart | None:
    """All ways of measuring, from where the reference is furthest behind to where it is furthest ahead."""
    if not board.has_curve:
        return None
    (name,) = short_systems([board.systems[board.reference]], of=board.systems).values()
    ways = int(np.isfinite(board.margin).sum())
    return Chart(
        name="margin-curve",
        title=f"Margin of {name} in all {count(ways)} {board.noun}s",
        caption=_sentences(
            f"{board.systems[board.reference]} minus the best other system, as a share of the mean of both, in all "
            f"{count(ways)} {board.noun}s from the smallest margin to the largest",
            "Colour: who wins significantly",
            f"If there are more than {WIDE_COLUMNS} {board.noun}s, a column shows the middle one of several"
            if ways > NARROW_COLUMNS
            else "",
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
    told = {side: f"{text} ({percent(float((outcome == side).mean()))})" for side, text in words.items()}
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
                "outcome": told[int(outcome[middle])],
                "Place": place if last - first == 1 else f"{place} to {count(last)}",
                "Margin": f"{signed(100 * margin, 1)}%" if margin else "0%",
                "Outcome": words[int(outcome[middle])],
                "Verdict": board.briefs[order[middle]],
            }
        )
    reached = float(np.abs(board.margin[order]).max())
    present = [told[side] for side in (-1, 0, 1)]
    legend: Spec = {
        "columns": 1 if layout.narrow or layout.width < 700 else 3,
        "values": [told[side] for side in (-1, 0, 1) if (outcome == side).any()],
    }
    legend |= {"symbolType": "square", "offset": 2.2 * text_size(paper=layout.paper)}
    return {
        **sized(layout, plot_height(layout)),
        "params": [{"name": CHOSEN, "value": None}],
        "data": {"name": "margin-curve", "values": rows},
        "encoding": {
            "x": {
                "field": "from",
                "type": "quantitative",
                "scale": {"domain": [0, len(order)], "nice": False},
                "axis": {"values": [], "grid": False},
                "title": f"All {count(len(order))} {board.noun}s, sorted",
            },
            "x2": {"field": "to"},
            "tooltip": tooltips(("Place", f"{board.noun.capitalize()} by margin"), "Margin", "Outcome", "Verdict"),
        },
        "layer": [
            {
                "mark": {"type": "rect", "style": "bar" if columns > 60 else "share"},
                "encoding": {
                    "y": {
                        "field": "value",
                        "type": "quantitative",
                        "axis": upright(
                            layout, format="+.0%" if reached > 0.04 else "+.1%", labelExpr=zero_axis(percent=True)
                        ),
                        "title": "Margin over the best other system",
                    },
                    "y2": {"datum": 0},
                    "color": {
                        "field": "outcome",
                        "type": "nominal",
                        "scale": {"domain": present, "range": "diverging"},
                        "legend": legend,
                    },
                },
            },
            {
                "mark": {"type": "rule", "style": "zero"},
                "encoding": {"x": {"value": 0}, "x2": {"value": "width"}, "y": {"datum": 0}},
            },
            chosen(CHOSEN, len(order)),
        ],
    }


def settings(findings: Findings) -> Chart | None:
    """Values of systems in settings, shaded from the worst to the best of each setting."""
    systems, chosen = systems_shown(findings, MOST_SERIES), distinct_contests(findings)[:CHARTED]
    if not systems or not chosen:
        return None
    more = len(findings.systems) - len(systems)
    return Chart(
        name="settings",
        title="Every system in every setting",
        caption=_sentences(
            "Values of systems in each setting; shades run from the lowest to the best value of each row",
            "Bold: significantly better than every other system",
            "↓: lower is better" if any(not setting.higher_is_better for setting in chosen) else "",
            f"The table also has {counted(more, 'system')} more" if more else "",
            f"The first {CHARTED} of {count(len(findings.contests))} settings" if len(chosen) == CHARTED else "",
        ),
        table="settings",
        draw=partial(_settings, findings, systems, chosen),
    )


def _settings(findings: Findings, systems: Sequence[str], chosen: Sequence[Setting], layout: Layout) -> Spec:
    marks = ["" if setting.higher_is_better else " ↓" for setting in chosen]
    full = 0.98 if layout.narrow else 0.36
    texts = setting_labels([setting.words + mark for setting, mark in zip(chosen, marks, strict=True)], layout, most=full)
    cells: list[Spec] = []
    for setting, text in zip(chosen, texts, strict=True):
        digits = min(3, findings.digits(setting.id)) if layout.narrow else findings.digits(setting.id)
        first = leading_alone(findings, setting.id)
        board = {row.system: row for row in findings.board(setting.id)}
        for system in systems:
            row = board.get(system)
            value = None if row is None else row.value
            cells.append(
                {
                    "system": system,
                    "row": text,
                    "shade": _place(findings, setting, value),
                    "label": number(value, digits),
                    "strong": system == first,
                    "Setting": setting.words,
                    "Value": number(value, findings.digits(setting.id)),
                    "Interval": ABSENT if row is None else interval_text((row.low, row.high), findings.digits(setting.id)),
                    "Place": ABSENT if row is None or value is None else f"{row.rank} of {len(findings.systems)}",
                }
            )
    told: list[Told] = [("system", "System"), "Setting", "Value", ("Interval", f"{_level(findings)} CI"), "Place"]
    names = short_systems(systems, layout, of=findings.systems)
    return _grid("settings", texts, names, cells, layout, told=told, lines=1)


def _place(findings: Findings, setting: Setting, value: float | None) -> float | None:
    """Where a value is between the worst (0) and the best (1) of its setting."""
    values = [row.value for row in findings.board(setting.id) if row.value is not None]
    if value is None or not values:
        return None
    low, high = min(values), max(values)
    share = 1.0 if high == low else (value - low) / (high - low)
    return share if setting.higher_is_better else 1 - share


def pairwise_matrix(findings: Findings, *, setting: int | None = None, test: str | None = None) -> Chart | None:
    """Differences and effects of all pairs above the diagonal, adjusted p below it."""
    chosen = _setting(findings, setting)
    test = test or findings.deciding_test(chosen.id)
    pairs = [] if test is None else findings.pairs(chosen.id, test)
    first = set(systems_shown(findings, MOST_SERIES))
    order = [row.system for row in findings.board(chosen.id) if row.system in first]
    if not pairs or len(order) < 2:
        return None
    more = len(findings.board(chosen.id)) - len(order)
    return Chart(
        name="pairwise-matrix",
        title=f"All pairs of systems: {metric_words(chosen.metric)}",
        caption=_sentences(
            f"Above the diagonal: row minus column in {metric_words(chosen.metric)}{_lower(chosen)}",
            "d: paired Cohen’s d",
            f"Measured on {_where(findings, chosen)}",
            f"Shaded: significant at {findings.level:g}",
            f"Below the diagonal: p-values ({test}: {correction_note(pairs[0])})",
            f"The table also has {counted(more, 'system')} more" if more > 0 else "",
        ),
        table="pairs",
        draw=partial(_matrix, findings, chosen, pairs, order),
    )


def _matrix(findings: Findings, setting: Setting, pairs: Sequence[PairRow], order: Sequence[str], layout: Layout) -> Spec:
    by_pair = {(pair.a, pair.b): pair for pair in pairs} | {(pair.b, pair.a): pair.flipped() for pair in pairs}
    digits = findings.digits(setting.id)
    names = short_systems(order, layout, of=findings.systems)
    brief = layout.narrow
    cells: list[Spec] = []
    for i, row in enumerate(order):
        for j, column in enumerate(order):
            pair = by_pair.get((row, column))
            if pair is None:
                continue
            difference = signed(pair.difference, min(digits, 3) if brief else digits)
            effect = "" if pair.effect is None else f"\nd {number(pair.effect, 2)}"
            cells.append(
                {
                    "system": column,
                    "row": names[row],
                    "shade": SIGNIFICANT if j > i and pair.significant(findings.level) else 0 if j > i else None,
                    "label": f"{difference}{effect}" if j > i else p_number(pair.p_adjusted).replace("< 0.001", "<.001"),
                    "strong": False,
                    "soft": j < i,
                    "Pair": f"{row} − {column}",
                    "Difference": signed(pair.difference, digits),
                    "Interval": interval_text((pair.low, pair.high), digits, sign=True),
                    "d": signed(pair.effect, 2),
                    "p": p_number(pair.p_adjusted),
                    "Users": users_text(pair),
                }
            )
    told: list[Told] = [
        "Pair",
        "Difference",
        ("Interval", f"{_level(findings)} CI"),
        ("d", "Cohen d"),
        ("p", "adjusted p"),
        "Users",
    ]
    return _grid("pairwise-matrix", list(names.values()), names, cells, layout, told=told, lines=2)


def _grid(
    name: str,
    rows: Sequence[str],
    names: Mapping[str, str],
    cells: Sequence[dict[str, Any]],
    layout: Layout,
    *,
    told: Sequence[Told],
    lines: int,
) -> Spec:
    """Cells with shades and texts, a column for each system below its marker; on narrow charts, names of rows above them.

    `names` are systems with their short names.
    """
    size, systems = text_size(paper=layout.paper), list(names)
    label_lines = max(row.count("\n") for row in rows) + 1
    above = (1.2 * label_lines + 0.5) * size if layout.narrow else 0.0
    inside = 1.2 * size * max(lines, 1 if layout.narrow else label_lines) + 0.8 * size
    high = above + inside
    axis = None if layout.narrow else labels(rows, layout, most=0.38)
    touching = {"paddingInner": 0, "paddingOuter": 0}
    y: Spec = {"field": "row", "type": "nominal", "scale": {"domain": list(rows), **touching}, "axis": axis}
    x: Spec = {"field": "system", "type": "nominal", "scale": {"domain": list(systems), **touching}, "axis": None}
    left = 0.0 if layout.narrow else y["axis"]["maxExtent"]
    column = (layout.width - left) / len(systems)
    named = all(text_width(text, layout) <= column - 0.3 * size for text in names.values())
    head = [{"system": system, "name": names[system]} for system in systems]
    top, middle = above / high, (above + inside / 2) / high
    tooltip = tooltips(*told)
    shade: Spec = {"field": "shade", "type": "quantitative", "scale": {"domain": [0, 1], "range": "ramp"}, "legend": None}
    text: Spec = {**x, "bandPosition": 0.5}
    written: Spec = {
        "x": text,
        "y": {**y, "bandPosition": middle},
        "text": {"field": "label"},
        "tooltip": tooltip,
        "opacity": FADED,
    }
    centred: Spec = {"type": "text", "baseline": "middle", "lineBreak": "\n"}
    styles = (("label", "!datum.soft && !datum.strong"), ("label-strong", "datum.strong"), ("note", "datum.soft"))
    raised = {"note": 0.0, "label": -0.6 * size * (lines - 1), "label-strong": -0.6 * size * (lines - 1)}
    texts: list[Spec] = [
        {"transform": [{"filter": test}], "mark": {**centred, "style": style, "dy": raised[style]}, "encoding": written}
        for style, test in styles
    ]
    layers: list[Spec] = [
        {
            "transform": [{"filter": "isValid(datum.shade)"}],
            "mark": {"type": "rect", "style": "tile"},
            "encoding": {
                "x": x,
                "y": {**y, "bandPosition": top},
                "y2": {"field": "row", "bandPosition": 1},
                "color": shade,
                "tooltip": tooltip,
            },
        },
        *texts,
        {
            "data": {"values": head},
            "mark": {"type": "point", "style": "symbol"},
            "encoding": {
                "x": text,
                "y": {"value": -0.8 * size},
                "color": system_color(systems),
                "shape": system_shape(systems),
                "tooltip": tooltips(("system", "System")),
            },
        },
    ]
    if named:
        layers.append(
            {
                "data": {"values": head},
                "mark": {"type": "text", "style": "label"},
                "encoding": {
                    "x": text,
                    "y": {"value": -2.2 * size},
                    "text": {"field": "name"},
                    "tooltip": tooltips(("system", "System")),
                },
            }
        )
    else:
        layers += key(names, layout, drawn=systems, left=left, above=2.2 * size)
    if layout.narrow:
        label: Spec = {
            "data": {"values": [{"row": row} for row in rows]},
            "mark": {**centred, "style": "note", "align": "left", "dy": -0.6 * size * (label_lines - 1)},
        }
        place: Spec = {"x": {"value": 2}, "y": {**y, "bandPosition": 0.55 * above / high}, "text": {"field": "row"}}
        layers.append({**label, "encoding": {**place, "tooltip": tooltips(("row", "Row"))}})
    return {
        **sized(layout, high * len(rows)),
        "params": FOCUS,
        "data": {"name": name, "values": list(cells)},
        "layer": layers,
        "resolve": {"scale": {"color": "independent"}},
    }


def critical_difference(findings: Findings, *, setting: int | None = None, test: str | None = None) -> Chart | None:
    """Systems along an axis; bars join those that do not differ significantly."""
    chosen = _setting(findings, setting)
    own = diagrams(findings, chosen.id)
    fitting = [diagram for diagram in own if test in (None, diagram.test)]
    if test is not None and not fitting:
        raise SpecError(
            f"setting {chosen.id} has no critical-difference diagram by {test}",
            hint=f"compare {LEAST_SYSTEMS} systems or more in all pairs, without a baseline, by a test that gives p-values",
        )
    if not fitting:
        return None
    diagram = replace(fitting[0], scale=fitting[0].scale.replace(chosen.metric, metric_words(chosen.metric)))
    return Chart(
        name="critical-difference",
        title=f"Systems that do not differ significantly: {diagram.scale}",
        caption=f"{diagram.caption} Measured on {_where(findings, chosen)}.",
        table="pairs",
        draw=partial(_critical_difference, diagram, systems_shown(findings, MOST_SERIES)),
    )


def _critical_difference(diagram: Diagram, drawn: Sequence[str], layout: Layout) -> Spec:
    """Everything in pixels: the axis on top, brackets below it, and names on both sides."""
    if layout.narrow:
        return _narrow_difference(diagram, drawn, layout)
    size, width = text_size(paper=layout.paper), layout.width - 1
    digits = diagram.digits
    names = short_systems([name for name, _ in diagram.order], layout, most=0.3)
    half = (len(diagram.order) + 1) // 2
    texts = {
        name: f"{names[name]}  {number(place, digits)}" if k < half else f"{number(place, digits)}  {names[name]}"
        for k, (name, place) in enumerate(diagram.order)
    }
    left, right = (
        max((text_width(texts[name], layout) for name, _ in part), default=0.0) + size
        for part in (diagram.order[:half], diagram.order[half:])
    )
    low, high = (pick(place for _, place in diagram.order) for pick in (min, max))
    first, last = diagram.order[0][1], diagram.order[-1][1]
    ends = (left + size, width - right - size)

    def at(place: float) -> float:
        return ends[0] + (ends[1] - ends[0]) * ((place - first) / (last - first) if last != first else 0.5)

    line, top = 1.55 * size, 3.4 * size + (1.8 * size if diagram.critical is not None else 0.0)
    deep = top + 0.9 * size * (len(diagram.groups) + 1) + 0.4 * size
    points, elbows, words, members = [], [], [], []
    for k, (name, place) in enumerate(diagram.order):
        on_left = k < half
        level = deep + line * (k if on_left else len(diagram.order) - 1 - k) + line / 2
        edge = left if on_left else width - right
        texts_of = {"system": name, "Place": number(place, digits), "Alike": ", ".join(_alike(diagram, name)) or "none"}
        points.append({"x": at(place), "y": top, **texts_of})
        elbows += [
            {"system": name, "x": at(place), "y": top, "x2": at(place), "y2": level},
            {"system": name, "x": at(place), "y": level, "x2": edge, "y2": level},
        ]
        shift = -0.4 * size if on_left else 0.4 * size
        words.append({"x": edge + shift, "y": level, "name": texts[name], "on_left": on_left, **texts_of})
    brackets = []
    for k, group in enumerate(diagram.groups):
        places = [at(place) for name, place in diagram.order if name in group]
        own = {"y": top + 0.9 * size * (k + 1), "Group": ", ".join(group)}
        brackets.append({"x": min(places) - 2, "x2": max(places) + 2, **own})
        members += [{"x": place, **own} for place in places]
    ticks = (
        [(tick, text) for tick, text in round_ticks(low, high) if low <= tick <= high]
        if high > low
        else [(low, number(low))]
    )
    gap = max(text_width(text, layout) for _, text in ticks) + size / 2
    while len(ticks) > 2 and abs(at(ticks[1][0]) - at(ticks[0][0])) < gap:
        ticks = ticks[::2]
    tick_rows = [{"x": at(tick), "y": top, "y2": top - 0.5 * size, "text": text} for tick, text in ticks]
    axis_rule = [{"x": ends[0], "x2": ends[1], "y": top}]
    height = deep + line * half + 0.3 * size
    x: Spec = {"field": "x", "type": "quantitative", "axis": None, "scale": {"domain": [0, width], "nice": False}}
    y: Spec = {"field": "y", "type": "quantitative", "axis": None, "scale": {"domain": [height, 0], "nice": False}}
    told = tooltips(("system", "System"), ("Place", diagram.scale), ("Alike", "Not different from"))
    label: Spec = {"x": x, "y": y, "text": {"field": "name"}, "tooltip": told, "opacity": FADED}

    def layer(rows: Sequence[dict[str, Any]], kind: str, style: str, **encoding: Any) -> Spec:
        mark: Spec = {"type": kind, "style": style}
        return {"data": {"values": list(rows)}, "mark": mark, "encoding": {"x": x, "y": y, **encoding}}

    side_layers = []
    for on_left, align in ((True, "right"), (False, "left")):
        part = layer([row for row in words if row["on_left"] is on_left], "text", "label", **label)
        part["mark"] |= {"align": align, "baseline": "middle"}
        side_layers.append(part)
    tick_text = layer(tick_rows, "text", "note", text={"field": "text"}, y={**y, "field": "y2"})
    tick_text["mark"] |= {"baseline": "bottom", "dy": -2}
    scale_text = layer(
        [{"x": ends[0], "y": top - 2.1 * size, "text": diagram.scale}], "text", "note", text={"field": "text"}
    )
    scale_text["mark"] |= {"align": "left", "baseline": "bottom"}
    ruler: list[Spec] = []
    if diagram.critical is not None and last != first:
        span = abs(at(first + (1 if last > first else -1) * diagram.critical) - ends[0])
        y_ruler = size
        label_text = f"critical difference {number(diagram.critical, digits + 1)}"
        ruler = [
            layer([{"x": ends[0], "x2": ends[0] + span, "y": y_ruler}], "rule", "bracket", x2={"field": "x2"}),
            layer(
                [{"x": ends[0] + span + 0.6 * size, "y": y_ruler, "text": label_text}],
                "text",
                "note",
                text={"field": "text"},
            ),
        ]
        ruler[1]["mark"] |= {"align": "left", "baseline": "middle"}
    group_tip = tooltips(("Group", "Do not differ significantly"))
    color, shape = system_color(drawn, rows=points), system_shape(drawn, rows=points)
    return {
        "width": width,
        "height": height,
        "autosize": {"type": "none"},
        "params": FOCUS,
        "layer": [
            layer(elbows, "rule", "leader", x2={"field": "x2"}, y2={"field": "y2"}, opacity=FADED),
            layer(axis_rule, "rule", "zero", x2={"field": "x2"}),
            layer(tick_rows, "rule", "zero", y2={"field": "y2"}),
            tick_text,
            scale_text,
            *ruler,
            *([layer(brackets, "rule", "bracket", x2={"field": "x2"}, tooltip=group_tip)] if brackets else []),
            *([layer(members, "point", "member", tooltip=group_tip)] if brackets else []),
            layer(points, "point", "symbol", color=color, shape=shape, tooltip=told, opacity=FADED),
            *side_layers,
        ],
    }


def _narrow_difference(diagram: Diagram, drawn: Sequence[str], layout: Layout) -> Spec:
    """A row for each system, and upright brackets on the right."""
    size = text_size(paper=layout.paper)
    names = short_systems([name for name, _ in diagram.order], layout)
    rows: list[Spec] = [
        {
            "system": name,
            "name": names[name],
            "value": place,
            "low": None,
            "high": None,
            "end": place,
            "label": number(place, diagram.digits),
            "Place": number(place, diagram.digits),
            "Alike": ", ".join(_alike(diagram, name)) or "none",
        }
        for name, place in diagram.order
    ]
    told: list[Told] = ["system", ("Place", diagram.scale), ("Alike", "Not different from")]
    room = size * (len(diagram.groups) + 0.5)
    ends = reach([place for _, place in diagram.order])
    inner = Layout(width=layout.width - room, paper=layout.paper)
    spec = _forest("critical-difference", rows, inner, drawn=drawn, title=diagram.scale, scale=ends, told=told)
    spec["layer"] = [layer for layer in spec["layer"] if layer["mark"]["style"] != "interval"]
    brackets, members = [], []
    for k, group in enumerate(diagram.groups):
        inside = [names[name] for name, _ in diagram.order if name in group]
        own = {"shift": (k + 0.9) * size, "Group": ", ".join(group)}
        brackets.append({"from": inside[0], "to": inside[-1], **own})
        members += [{"from": name, **own} for name in inside]
    y: Spec = {"field": "from", "type": "nominal", "sort": None}
    for values, (kind, style), more in (
        (brackets, ("rule", "bracket"), {"y2": {"field": "to"}}),
        (members, ("point", "member"), {}),
    ):
        spec["layer"] += [
            {
                "data": {"values": [row]},
                "mark": {"type": kind, "style": style, "xOffset": row["shift"]},
                "encoding": {
                    "y": y,
                    **more,
                    "x": {"value": "width"},
                    "tooltip": tooltips(("Group", "Do not differ significantly")),
                },
            }
            for row in values
        ]
    return {**spec, "width": layout.width}


def _alike(diagram: Diagram, system: str) -> list[str]:
    """The systems that share a bar with one."""
    names = [name for group in diagram.groups if system in group for name in group]
    return [name for name in dict.fromkeys(names) if name != system]


def curve(findings: Findings, *, setting: int | None = None) -> Chart | None:
    """The curves of a metric that has one, in the first setting that has some unless another is named."""
    ids = [row.setting for row in findings.curves]
    if setting is not None:
        findings.setting(setting)
    if not ids or (setting is not None and setting not in ids):
        return None
    chosen = findings.setting(ids[0] if setting is None else setting)
    by_system = {row.system: row for row in findings.curves if row.setting == chosen.id}
    systems = [system for system in systems_shown(findings, MOST_SERIES) if system in by_system]
    if not systems:
        return None
    rows = [by_system[system] for system in systems]
    chance = rows[0].x_label.startswith("false")
    digits = findings.digits(chosen.id)
    values = [f"{number(findings.value(chosen.id, system), digits)} for {system}" for system in systems]
    return Chart(
        name="curve",
        title=f"Curve of {metric_words(chosen.metric)}",
        caption=_sentences(
            f"{rows[0].y_label} against {rows[0].x_label}, {_where(findings, chosen)}",
            f"{metric_words(chosen.metric)} is {', '.join(values)}",
            "Dashed: a random order" if chance else "",
        ),
        table="leaderboard",
        half=True,
        draw=partial(users_items.lines, "curve", findings, rows, chance=chance),
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
    """The setting and its users, to close a sentence of a caption."""
    users = max((row.users for row in findings.board(setting.id)), default=0)
    choices = ", ".join(setting.choices[name] for name in ("data", "split", "target") if setting.choices.get(name))
    return f"{choices}; {counted(users, 'user')}" if choices else counted(users, "user")


def _level(findings: Findings) -> str:
    return f"{100 * (1 - findings.level):g}%"


def _with_intervals(findings: Findings, rows: Sequence[dict[str, Any]]) -> str:
    """The end of an axis title if there are intervals."""
    return f" ({_level(findings)} CI)" if any(row["low"] is not None for row in rows) else ""


def _lower(setting: Setting) -> str:
    return "" if setting.higher_is_better else " (lower is better)"


def _letters_mean(findings: Findings, setting: Setting) -> str:
    test = findings.deciding_test(setting.id)
    tested = (
        ""
        if test is None
        else f" ({test}, {correction_note(findings.pairs(setting.id, test)[0])}, level {findings.level:g})"
    )
    return f"Systems that share a letter do not differ significantly{tested}"


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
