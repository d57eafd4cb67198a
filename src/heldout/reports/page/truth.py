"""Protocols held against the truth as one HTML file: the answer, every figure, and the drawings; no script, no request."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from heldout.biases.truth.findings import EstimatorRow, TruthFindings
from heldout.reports.page import protocol
from heldout.reports.page.markup import FEW_ROWS, NOTEBOOK_STYLE, cell, el, join, rows, table
from heldout.reports.page.static import static_page, text_section
from heldout.reports.page.truth_svg import bias_chart, right_chart
from heldout.reports.truth_views import (
    NOT_TRUSTED,
    TruthReport,
    best_of_each,
    figures,
    metrics,
    scaled,
    sizes_words,
)
from heldout.review.reviewed_protocol import ReviewedProtocol
from heldout.words import listed, number, percent

SECTIONS = (
    ("answer", "The answer"),
    ("bias", "Bias and variance"),
    ("figures", "All figures"),
    ("pairs", "Pairs of systems"),
    ("unknown", "What is not known"),
    ("definitions", "Definitions"),
)
BRIEF = ("right", "right_low", "tau", "type_s", "bias", "rmse")
"""Figures of the short table below the answer."""
BEST_METRIC = "Each protocol with its best metric"


def to_html(report: TruthReport, reviewed: ReviewedProtocol | None = None) -> str:
    """The whole page; the same report gives the same bytes. `reviewed` is the study's protocol, explained."""
    findings = report.findings
    body = join(
        _answer(findings),
        _bias(findings),
        _figures(findings),
        _pairs(findings),
        text_section("unknown", "What is not known", [*findings.limits, NOT_TRUSTED]),
        text_section("left-out", "What was left out", findings.left_out),
        _definitions(findings),
        protocol.reviewed(reviewed),
    )
    return static_page(
        body,
        title=report.title,
        eyebrow="Heldout: held against the truth",
        meta=f"{findings.data}: {sizes_words(findings)}",
        sections=(*SECTIONS, *protocol.REVIEWED),
        style="truth",
        beside="All figures stand in truth.json and in the tables beside it.",
    )


def html_fragment(report: TruthReport) -> str:
    """The answer for notebooks: the sentence and the short table, no style but its own."""
    findings = report.findings
    return el(
        "div",
        NOTEBOOK_STYLE,
        el("p", el("strong", findings.sentence)),
        _table(findings, best_of_each(findings), BRIEF, BEST_METRIC, "protocols"),
        cls="heldout",
    )


def _answer(findings: TruthFindings) -> Markup:
    best = best_of_each(findings)
    note = (
        "Each protocol with the metric by which it was right most often: the share of pairs of systems that it ordered as "
        "the truth does, with its 95% interval. The dotted line is a coin; dots are blue where the interval lies above it, "
        "and orange where it lies below."
    )
    choices = [("data", findings.data), ("split", findings.split), ("relevance", findings.relevance)]
    terms = [el("div", el("dt", stage), el("dd", text)) for stage, text in choices]
    return el(
        "section",
        el("h2", "Which protocol would have chosen the truly better system?"),
        el("p", findings.sentence, cls="sentence"),
        el("ul", *(el("li", text) for text in findings.sentences[1:]), cls="minimal"),
        el("figure", right_chart(best), el("figcaption", note), data_figure="right"),
        _table(findings, best, BRIEF, BEST_METRIC, "protocols"),
        el("dl", *terms, cls="protocol"),
        id="answer",
    )


def _table(
    findings: TruthFindings, shown_rows: Sequence[EstimatorRow], keys: Sequence[str], caption: str, name: str
) -> Markup:
    shown = [figure for figure in figures(findings) if figure.key in keys]
    heads = [cell("Protocol"), cell("Metric"), *(cell(figure.head, "num", figure.meaning) for figure in shown)]
    body = [
        [
            cell(row.protocol, "name", row.estimand),
            cell(row.metric, "", row.measured),
            *(cell(figure.text(row), "num", figure.exact(row)) for figure in shown),
        ]
        for row in shown_rows
    ]
    return table(heads, rows(body), caption=caption, name=name, most=FEW_ROWS)


def _bias(findings: TruthFindings) -> Markup:
    drawn = scaled(findings)
    if not drawn:
        return Markup()
    note = (
        "Estimators whose estimand and scale are the truth's. Both axes are in shares of the true value, on logarithmic "
        "scales: left is unbiased, below is precise. Lines join points of the same RMSE. The table below names all points."
    )
    keys = [el("span", el("i", cls=f"c{k}"), metric, cls="key") for k, metric in enumerate(metrics(drawn))]
    inside = [bias_chart(drawn), el("p", *keys, cls="legend"), el("figcaption", note)]
    figure = el("figure", *inside, data_figure="bias")
    return el("section", el("h2", "Bias against variance"), figure, id="bias")


def _figures(findings: TruthFindings) -> Markup:
    every = [figure.key for figure in figures(findings)]
    note = (
        "The one that was right most often first. Hover over a protocol for what it estimates, over a metric for its form."
    )
    return el(
        "section",
        el("h2", "All figures"),
        _table(findings, findings.rows, every, "All protocols and metrics", "all-protocols"),
        el("p", note, cls="note"),
        id="figures",
    )


def _pairs(findings: TruthFindings) -> Markup:
    """Pairs of systems by the truth, and how often they were ordered rightly."""
    heads = [cell("Better"), cell("Worse"), cell("Metric"), cell("True difference", "num"), cell("SE", "num")]
    heads += [cell("AI-AR right", "num"), cell("Best right", "num"), cell("Best estimator")]
    body = [
        [
            cell(pair.better, "name"),
            cell(pair.worse),
            cell(pair.metric),
            cell(number(pair.difference, 4), "num"),
            cell(number(pair.error, 4), "num"),
            cell(percent(pair.plain), "num"),
            cell(percent(pair.best_right), "num"),
            cell(pair.best if pair.judged else "not separated by the truth"),
        ]
        for pair in findings.pairs
    ]
    if not body:
        return Markup()
    note = (
        "The difference of the true values, in the mean over draws, with its standard error. Right: the share of draws in "
        "which the plain ranking of all items (AI-AR), or the estimator that was right most often, put the better first."
    )
    inside = table(heads, rows(body), caption="Pairs of systems by the truth", name="pairs", most=FEW_ROWS)
    return el("section", el("h2", "Which pairs can be told apart?"), inside, el("p", note, cls="note"), id="pairs")


def _definitions(findings: TruthFindings) -> Markup:
    entries = [part for figure in figures(findings) for part in (el("dt", figure.head), el("dd", figure.meaning))]
    by_estimand: dict[str, dict[str, dict[str, None]]] = {}
    for row in findings.rows:
        by_estimand.setdefault(row.protocol, {}).setdefault(row.estimand, {})[row.metric] = None
    protocols = []
    for name, estimands in by_estimand.items():
        protocols.append(el("dt", name))
        for estimand, measured in estimands.items():
            where = f"With {listed(list(measured))}: " if len(estimands) > 1 else ""
            protocols.append(el("dd", f"{where}{estimand if where else estimand[:1].upper() + estimand[1:]}."))
    return el(
        "section",
        el("h2", "How each figure is defined"),
        el("dl", *entries, cls="definitions"),
        el("h3", "What each protocol estimates"),
        el("dl", *protocols, cls="definitions"),
        id="definitions",
    )
