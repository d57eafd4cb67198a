"""The biases of a study as one page: sentences, protocols, expectations, curves and drift; no script, no request."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup

from heldout.biases.findings import BiasFindings, CurvePoint, ProtocolEffect
from heldout.biases.protocols import ESTIMANDS
from heldout.reports.axis import Axis
from heldout.reports.bias_views import (
    ROLES,
    SWEEP_HEADS,
    SWEEP_NOTES,
    curves_of,
    expectation_cells,
    expectation_lines,
    exposure_facts,
    interval_text,
    pairs_text,
    place_text,
    protocol_lines,
    sizes_words,
    sweeps_drawn,
    times_text,
    value_text,
)
from heldout.reports.page import protocol as protocol_part
from heldout.reports.page.line_chart import Line, line_chart
from heldout.reports.page.markup import NOTEBOOK_STYLE, cell, el, join, rows, table
from heldout.reports.page.static import static_page, text_section
from heldout.review.reviewed_protocol import ReviewedProtocol
from heldout.words import digits_for, interval, number, p_number, percent, signed

SECTIONS = (
    ("answer", "The answer"),
    ("protocols", "Protocols"),
    ("pairs", "Pairs of systems"),
    ("expected", "Expectations"),
    ("sweeps", "Sweeps"),
    ("drift", "Time and exposure"),
    ("unknown", "What is not known"),
    ("definitions", "Definitions"),
)
COLOURS = 12
CITED = ("bellogin2017", "buckley2004", "yilmaz2006", "steck2011")
"""Whose protocols, metrics for missing ratings and equations these are."""


def to_html(findings: BiasFindings, title: str, reviewed: ReviewedProtocol | None = None) -> str:
    """The whole page; the same findings give the same bytes. `reviewed` is the study's protocol, explained."""
    return static_page(
        join(
            _answer(findings),
            _protocols(findings),
            _pairs(findings),
            _expected(findings),
            _sweeps(findings),
            _drift(findings),
            text_section("unknown", "What is not known", findings.limits),
            text_section("left-out", "What was left out", findings.left_out),
            _definitions(findings),
            protocol_part.reviewed(reviewed, CITED),
        ),
        title=title,
        eyebrow="Heldout: biases",
        meta=sizes_words(findings),
        sections=(*SECTIONS, *protocol_part.REVIEWED),
        style="metric_quality",
        beside="All figures stand in bias.json and in the tables beside it.",
    )


def html_fragment(findings: BiasFindings) -> str:
    """The answer for notebooks: the sentences and the table of protocols, no style but its own."""
    sentences = [el("p", el("strong", " ".join(findings.sentences[:2])))]
    return el("div", NOTEBOOK_STYLE, *sentences, _protocol_table(findings), cls="heldout")


def _answer(findings: BiasFindings) -> Markup:
    choices = [el("div", el("dt", stage), el("dd", text)) for stage, text in findings.protocol.items() if text != "none"]
    others = [el("li", sentence) for sentence in findings.sentences[2:]]
    return el(
        "section",
        el("h2", "How much of this is popularity?"),
        el("p", " ".join(findings.sentences[:2]), cls="sentence"),
        *([el("ul", *others, cls="minimal")] if others else []),
        el("dl", *choices, cls="protocol"),
        id="answer",
    )


def _protocol_table(findings: BiasFindings) -> Markup:
    heads = [cell("Protocol"), *(cell(system, "num") for system in findings.systems)]
    heads += [cell("Popularity ÷ random", "num", f"Popularity's {findings.precision} by that of a random ranking")]
    heads += [cell("τ", "num", f"with the order of systems under {findings.effects.reference}")]
    body = []
    for line in protocol_lines(findings):
        effect = line.effect
        best = min(line.values.values(), key=lambda row: row.place).system
        cells = [
            cell(value_text(line, system), "num best" if system == best else "num", interval_text(line, system))
            for system in findings.systems
        ]
        cells += [cell(times_text(line.popularity), "num"), cell(number(effect.tau, 2), "num")]
        body.append([cell(effect.protocol, "name", effect.summary), *cells])
    return table(
        heads, rows(body), caption=f"{findings.metric}, or the metric that a protocol is named by", name="protocols"
    )


def _protocols(findings: BiasFindings) -> Markup:
    heads = [cell("Protocol"), cell("τ", "num"), cell("Pairs that turn round"), cell("Pairs that lose significance")]
    body = [
        [
            cell(line.effect.protocol, "name", line.effect.summary),
            cell(number(line.effect.tau, 2), "num"),
            cell(pairs_text(line.effect.reversed, line.effect.overturned) or "none", "text"),
            cell(pairs_text(line.effect.lost) or "none", "text"),
        ]
        for line in protocol_lines(findings)
        if line.effect.protocol != findings.effects.reference
    ]
    note = (
        f"Bold: the best under a protocol. On hovering: intervals over users. τ, turned pairs and lost significance are "
        f"against {findings.effects.reference}, the study's own protocol; significant is an adjusted p below "
        f"{findings.level:g}. Pairs are written in the order that they have there: A over B turns round where B is "
        "ahead; * where significantly."
    )
    return el(
        "section",
        el("h2", "Every system under every protocol"),
        _protocol_table(findings),
        el("p", note, cls="note"),
        el("h3", "What each protocol changes"),
        table(heads, rows(body), caption="What each protocol changes", name="changes"),
        id="protocols",
    )


def _pairs(findings: BiasFindings) -> Markup:
    """Differences of every pair under the study's own and the neutral protocols."""
    lines = [line for line in protocol_lines(findings) if line.effect.role != "metric"]
    shown = [line.effect.protocol for line in lines]
    pairs = {(p.a, p.b, p.protocol): p for p in findings.effects.pairs if p.metric == findings.metric}
    names = list(dict.fromkeys((a, b) for a, b, protocol in pairs if protocol == findings.effects.reference))
    if not names:
        return Markup()
    digits = {name: digits_for([v.value for v in line.values.values()]) for name, line in zip(shown, lines, strict=True)}
    heads = [cell("Pair"), *(cell(protocol, "num") for protocol in shown)]
    body = []
    for a, b in names:
        cells = []
        for protocol in shown:
            pair = pairs.get((a, b, protocol))
            if pair is None:
                cells.append(cell("", "num"))
                continue
            hover = f"p {p_number(pair.p)}; {interval(pair.low, pair.high, 4, sign=True)}"
            cells.append(cell(signed(pair.difference, digits[protocol]), "num best" if pair.significant else "num", hover))
        body.append([cell(f"{a} − {b}", "name"), *cells])
    note = f"Differences by {findings.metric}. Bold: significant (adjusted p below {findings.level:g})."
    inside = [
        table(heads, rows(body), caption="Differences under every protocol", name="differences"),
        el("p", note, cls="note"),
    ]
    return el("section", el("h2", "Pairs of systems"), *inside, id="pairs")


def _expected(findings: BiasFindings) -> Markup:
    lines = expectation_lines(findings)
    if not lines:
        return Markup()
    heads = [cell("Protocol"), cell("System"), cell("Closed form, over splits"), cell("Bounds", "num")]
    heads += [cell("Given the split", "num"), cell("Measured", "num"), cell("Interval", "num")]
    body = []
    for row in lines:
        closed, bounds, exact, measured, around = expectation_cells(row)
        body.append(
            [
                cell(row.protocol, "name"),
                cell(row.system),
                cell(closed),
                cell(bounds, "num"),
                cell(exact, "num"),
                cell(measured, "num"),
                cell(around, "num"),
            ]
        )
    others = [row for row in findings.expectations if row not in lines and not math.isnan(row.exact)]
    more = [
        [
            cell(row.protocol, "name"),
            cell(row.system),
            *(cell(text, "num") for text in expectation_cells(row)[1:]),
        ]
        for row in others
    ]
    parts = [
        table(heads, rows(body), caption="Expected and measured precision", name="expected"),
        el("p", _EXPECTED, cls="note"),
    ]
    if more:
        inner = table(
            [heads[0], heads[1], *heads[3:]], rows(more), caption="The study's systems", name="expected-of-systems"
        )
        parts.append(el("details", el("summary", el("b", "The study's own systems")), inner))
    return el("section", el("h2", f"What was to be expected ({findings.precision})"), *parts, id="expected")


def _sweeps(findings: BiasFindings) -> Markup:
    parts = []
    for sweep in dict.fromkeys(sweep for sweep, _ in sweeps_drawn(findings)):
        head, places = SWEEP_HEADS[sweep]
        protocols = [protocol for of, protocol in sweeps_drawn(findings) if of == sweep]
        figures = []
        for protocol in protocols:
            curves = curves_of(findings, sweep, protocol)
            drawn = _chart(findings, curves, sweep, places, f"{head}, {protocol}")
            caption = el("figcaption", f"{protocol}, {findings.precision}")
            figures.append(el("figure", caption, drawn, data_figure=sweep))
        parts += [el("h3", head), el("div", *figures, cls="panels maps"), el("p", SWEEP_NOTES[sweep], cls="note")]
    return el("section", el("h2", "What moves the values"), *parts, id="sweeps") if parts else Markup()


def _chart(findings: BiasFindings, curves: dict[str, list[CurvePoint]], sweep: str, places: str, title: str) -> Markup:
    lines = []
    for system, points in curves.items():
        last = points[-1]
        bounded = [point for point in points if not math.isnan(point.lower)]
        hover = f"{system}: {number(last.value)} {interval(last.low, last.high, 4)} at {place_text(sweep, last.x)}"
        lines.append(
            Line(
                label=system if len(system) <= 16 else f"{system[:15]}…",
                cls=f"c{findings.systems.index(system) % COLOURS}",
                points=[(point.x, point.value) for point in points],
                band=[(p.x, p.lower, p.upper) for p in bounded],
                hover=hover,
            )
        )
    xs = sorted({point.x for points in curves.values() for point in points})
    top = max(v for points in curves.values() for p in points for v in (p.value, p.upper) if not math.isnan(v)) or 1.0
    step = _step(top)
    ticks = [(k * step, f"{k * step:.6g}") for k in range(math.ceil(top / step) + 1)]
    x = Axis(start=xs[0], end=xs[-1], ticks=[(v, place_text(sweep, v)) for v in _apart(xs)], label=places)
    y = Axis(start=0.0, end=ticks[-1][0], ticks=ticks, label=findings.precision)
    return line_chart(lines, x, y, title=title, width=520, height=300)


def _apart(places: Sequence[float]) -> list[float]:
    """The places that are at least a twelfth of the axis apart, both ends among them."""
    least = (places[-1] - places[0]) / 12
    shown = [places[0]]
    for place in places[1:-1]:
        if place - shown[-1] >= least and places[-1] - place >= least:
            shown.append(place)
    return [*shown, *places[1:][-1:]]


def _step(top: float) -> float:
    """A round step of about a fifth of an axis."""
    power = 10.0 ** math.floor(math.log10(top / 5)) if top > 0 else 1.0
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power * 5 >= top)


def _drift(findings: BiasFindings) -> Markup:
    drift = findings.drift
    facts = [
        ("Correlation of popularity in training and test (Spearman)", number(drift.correlation, 3)),
        ("Share of ratings that would have to move to make both alike", percent(drift.distance)),
        ("The same for a test set drawn at random", percent(drift.distance_by_chance)),
        ("Test items without a training rating", percent(drift.unseen_items)),
        ("Test ratings on them", percent(drift.unseen_ratings)),
        ("Relevant test ratings on them", percent(drift.unseen_relevant)),
    ]
    if drift.exposure is not None:
        facts += exposure_facts(drift.exposure)
    if not math.isnan(drift.repeated):
        facts.append(("Rows of the data that repeat an earlier pair of user and item", percent(drift.repeated)))
        facts.append(("Users with such a row", percent(drift.repeating_users)))
    body = [[cell(words), cell(figure, "num")] for words, figure in facts]
    heads = [cell("Measure"), cell("Value", "num")]
    parts = [table(heads, rows(body), caption="Popularity in training and in test", name="popularity")]
    if drift.periods:
        heads = [cell("Part of the test ratings, by time"), cell("Ratings", "num")]
        heads += [cell("Correlation with training", "num"), cell("On unseen items", "num")]
        lines = [
            [
                cell(f"{k} of {len(drift.periods)}"),
                cell(f"{period.ratings:,}", "num"),
                cell(number(period.correlation, 3), "num"),
                cell(percent(period.unseen), "num"),
            ]
            for k, period in enumerate(drift.periods, 1)
        ]
        parts.append(table(heads, rows(lines), caption="Drift over time", name="drift"))
    elif not drift.timed:
        parts.append(el("p", "The data have no times, so drift over time cannot be told.", cls="note"))
    return el("section", el("h2", "Time and exposure"), *parts, id="drift")


def _definitions(findings: BiasFindings) -> Markup:
    entries: list[Markup] = []
    for effect in _each_once(findings):
        summary = f"{effect.summary[0].upper()}{effect.summary[1:]}"
        words = f"{summary}. {ROLES[effect.role].capitalize()}; target {effect.target}; split {effect.split}. "
        entries += [el("dt", effect.protocol), el("dd", words + f"Estimates {ESTIMANDS[effect.estimand]}.")]
    return el("section", el("h2", "The protocols"), el("dl", *entries, cls="definitions"), id="definitions")


def _each_once(findings: BiasFindings) -> list[ProtocolEffect]:
    return list({effect.protocol: effect for effect in findings.effects.protocols}.values())


_EXPECTED = (
    "Over splits: equations 3 to 5 and section 6.2 of Bellogín, Castells and Cantador (2017); equation 3 ignores that "
    "popular items are more often in training. Given the split: the exact mean over all samples (hypergeometric), or over "
    "all orders of a random ranking. Bounds are those of equation 2, from lists of all relevant items with the same sample."
)
