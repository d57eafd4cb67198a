"""Protocols compared with the truth as a document: how often each was right, and how far its values are from true ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from heldout.analysis.choices import ProtocolFacts
from heldout.biases.protocols import abbreviations
from heldout.biases.truth.findings import EstimatorRow, TruthFindings
from heldout.biases.truth.sentences import truth_answer
from heldout.reports import protocol
from heldout.reports.charts import truth as specs
from heldout.reports.columns import Field, meanings
from heldout.reports.document import Builders, Chart, Charts, Document, Table, Terms, Text, paragraphs, present, section
from heldout.review.lint.finding import Review
from heldout.text.names import short_names
from heldout.text.numbers import counted, interval_text, number, percent
from heldout.text.phrases import listed

NOT_TRUSTED = (
    "The truth is that of these users, these items and this kind of missing ratings. A protocol that does well here may do "
    "worse if ratings are missing for other reasons."
)


def document(
    findings: TruthFindings, *, title: str, facts: ProtocolFacts | None = None, review: Review | None = None
) -> Document:
    """Everything that a report shows; `facts` and `review` are of the study's protocol."""
    main = protocols(findings)
    sections = (
        section(
            "right",
            "Which protocol finds the truly better system?",
            main,
            _right_chart(findings),
            paragraphs(findings.sentences[2:]),
        ),
        section("bias", "Bias and variance", _bias_chart(findings)),
        section("estimators", "All protocols and metrics", _all_protocols(findings)),
        section("pairs", "Which pairs of systems can be distinguished?", _pairs(findings)),
    )
    own = section("estimands", "Protocols", _estimands(findings), summary="what each estimates")
    return Document(
        kind="truth",
        title=title,
        facts=(findings.data, *_sizes(findings)),
        answer=truth_answer(findings),
        numbers=tuple(protocol.emphasised(sentence) for sentence in findings.sentences[:2]),
        main=main,
        sections=present(sections),
        notices=protocol.caveats([*findings.limits, NOT_TRUSTED], findings.left_out, review),
        appendix=(*present([own]), *protocol.appendix(facts, review=review)),
        files="All numbers are in truth.json and in the Parquet tables next to it.",
        systems=findings.systems,
    )


def tables(findings: TruthFindings) -> Builders:
    """Tables by name."""
    return {
        "protocols": partial(protocols, findings),
        "all-protocols": partial(_all_protocols, findings),
        "pairs": partial(_pairs, findings),
    }


def charts(findings: TruthFindings) -> Charts:
    """Figures by name."""
    return {"right": partial(_right_chart, findings), "bias": partial(_bias_chart, findings)}


def best_of_each(findings: TruthFindings) -> list[EstimatorRow]:
    """Each protocol with the metric by which it was right most often; the one most often right first."""
    best: dict[str, EstimatorRow] = {}
    for row in findings.rows:
        best.setdefault(row.protocol, row)
    return list(best.values())


def scaled(findings: TruthFindings) -> list[EstimatorRow]:
    """The estimators on the scale of the truth, whose bias and standard error can be specs."""
    return [row for row in findings.rows if row.same_scale and row.truth > 0 and not math.isnan(row.bias + row.error)]


def _repetitions(findings: TruthFindings) -> str:
    """Number of redrawn worlds, or of splits."""
    return counted(findings.draws, "redrawn world" if findings.simulated else "split")


def _sizes(findings: TruthFindings) -> tuple[str, ...]:
    pairs = len(findings.systems) * (len(findings.systems) - 1) // 2
    return (
        f"{counted(len(findings.systems), 'system')} ({counted(pairs, 'pair')})",
        _repetitions(findings),
        counted(findings.users, "user"),
        counted(len(findings.rows), "estimator"),
    )


def _figures(findings: TruthFindings) -> dict[str, Field]:
    """The figures of an estimator by name."""
    decided = f"share of the judged pairs whose difference had p < {findings.level:g} by a paired t test"
    wrong_sign = "sign error: the share of the significant differences with the wrong sign"
    fields = (
        Field("Ordered rightly", "share", "right", _ORDERED, need=0, fold=False),
        Field("95% interval", "interval", ("right_low", "right_high"), _INTERVAL, shares=True),
        Field("τ", "value", "tau", "mean Kendall's τ-b with the true order of systems", digits=2, need=3),
        Field("Significant", "share", "decided", decided, fold=False),
        Field("Type S", "share", "type_s", wrong_sign, need=2, fold=False),
        Field("Users", "count", "users", "users with both an estimate and a truth, in the mean over draws"),
        Field("Bias", "value", "bias", _BIAS, digits=3, need=5),
        Field("Bias interval", "interval", ("bias_low", "bias_high"), "of that mean", head="Bias, 95% interval", digits=3),
        Field("SE", "value", "error", _ERROR, digits=3),
        Field("RMSE", "value", "rmse", "root of the mean of (estimate − truth)²", digits=3, need=4),
        Field("Truth", "value", "truth", "mean of the true values of all systems", digits=3),
        Field("Type M", "value", "type_m", _MAGNITUDE, digits=2),
    )
    return {field.column.name: field for field in fields}


_ORDERED = "share of the judged pairs of systems that it ordered as the truth does; ties count half"
_INTERVAL = "of that share, over redrawn worlds, or over splits and resampled users"
_BIAS = "mean of estimate − truth of the same users over systems and draws, if both are on one scale"
_ERROR = "standard error: standard deviation of estimate − truth over draws, as a root mean square over systems"
_MAGNITUDE = "magnitude error: mean of |estimated| ÷ |true difference| over significant differences; 1 is right"


def _table(
    findings: TruthFindings, rows: Sequence[EstimatorRow], figures: Sequence[str], said: str, **options: Any
) -> Table:
    """Estimators with these figures, which the caption explains after what is said first."""
    fields = [_figures(findings)[figure] for figure in figures]
    names = Field("Protocol", "text", "protocol", fold=False), Field("Metric", "text", "metric", need=0)
    caption = f"{said} {meanings(fields)}"
    return Table.of_records(rows, (*names, *fields), caption=caption, subject="protocols", **options)


MAIN = ("Ordered rightly", "95% interval", "τ", "Type S", "Bias", "RMSE")
"""Figures of the table of protocols."""


def protocols(findings: TruthFindings) -> Table:
    """Each protocol with one metric and its main figures."""
    rows = best_of_each(findings)
    words = "; ".join(f"{short}: {long}" for short, long in abbreviations(row.protocol for row in rows).items())
    said = f"Systems: {', '.join(findings.systems)}. Truth: {findings.data}, {findings.split}, {findings.relevance}."
    said += f" {words}." if words else ""
    title = "Each protocol with the metric by which it was right most often"
    return _table(findings, rows, MAIN, said, name="protocols", title=title)


def _all_protocols(findings: TruthFindings) -> Table:
    said, title = f"Every estimator of {findings.data}.", "All protocols and metrics"
    return _table(findings, findings.rows, list(_figures(findings)), said, name="all-protocols", title=title, most=12)


def _pairs(findings: TruthFindings) -> Table | None:
    if not findings.pairs:
        return None
    names = short_names(findings.systems)
    return Table.of_records(
        findings.pairs,
        (
            Field("Better", "system", "better", names=names),
            Field("Worse", "system", "worse", names=names),
            Field("Metric", "text", "metric"),
            Field("True difference", "value", "difference", digits=4),
            Field("SE", "value", "error", digits=4),
            Field("AI-AR right", "share", "plain", fold=False),
            Field("Best right", "share", "best_right", head="Most often right", fold=False),
            Field(
                "Best estimator",
                "text",
                lambda pair: pair.best if pair.judged else "not separated by the truth",
                head="By estimator",
                lines=True,
                fold=False,
            ),
        ),
        name="pairs",
        title="Pairs of systems by the truth",
        caption="True difference: mean over draws, with its standard error (SE). Right: the share of draws that put the "
        "better system first, by the plain ranking of all items (AI-AR: all items, all relevant), and by the estimator that "
        "was right most often.",
        subject="pairs",
        most=15,
    )


def _right_chart(findings: TruthFindings) -> Chart | None:
    rows = [
        {
            "protocol": row.protocol,
            "metric": row.metric,
            "at": row.right,
            "low": None if math.isnan(row.right_low) else row.right_low,
            "high": None if math.isnan(row.right_high) else row.right_high,
            "value": percent(row.right),
            "interval": interval_text((row.right_low, row.right_high), None, shares=True),
            "tau": number(row.tau, 2),
            "users": f"{row.users:,}",
            "verdict": specs.VERDICTS[0 if row.right_low > 0.5 else 1 if row.right_high < 0.5 else 2],
        }
        for row in best_of_each(findings)
        if not math.isnan(row.right)
    ]
    if not rows:
        return None
    return Chart(
        name="right",
        title="How often each protocol found the truly better system",
        caption="Share of the pairs of systems that a protocol ordered as the truth does, with its 95% interval, by the "
        f"metric with which it was right most often, over {_repetitions(findings)} of {findings.data}. The dashed line is "
        "chance.",
        draw=lambda layout: specs.right(rows, layout),
        table="protocols",
    )


def _bias_chart(findings: TruthFindings) -> Chart | None:
    rows = scaled(findings)
    if not rows:
        return None
    points = [_point(row) for row in rows]
    return Chart(
        name="bias",
        title="Bias and standard error",
        caption="Estimators on the scale of the truth: bias, with its 95% interval, and standard error, in shares of the "
        f"true value. Left is unbiased, below is precise. Values below {percent(specs.SMALLEST)} are drawn there. Curves "
        "join points of the same root mean square error (RMSE).",
        draw=lambda layout: specs.bias(points, layout),
        table="all-protocols",
    )


def _point(row: EstimatorRow) -> dict[str, Any]:
    """An estimator on scales that begin at the smallest value drawn; an interval around 0 ends there."""
    low, high = abs(row.bias_low), abs(row.bias_high)
    ends = (0.0 if row.bias_low < 0 < row.bias_high else min(low, high), max(low, high))
    some = not math.isnan(low + high)
    return {
        "protocol": row.protocol,
        "metric": row.metric,
        "x": max(specs.SMALLEST, abs(row.bias) / row.truth),
        "y": max(specs.SMALLEST, row.error / row.truth),
        "low": max(specs.SMALLEST, ends[0] / row.truth) if some else None,
        "high": max(specs.SMALLEST, ends[1] / row.truth) if some else None,
        "bias": number(row.bias, 4),
        "interval": interval_text((row.bias_low, row.bias_high), 4),
        "error": number(row.error, 4),
        "rmse": number(row.rmse, 4),
        "truth": number(row.truth, 4),
    }


def _estimands(findings: TruthFindings) -> Terms:
    """What each protocol estimates, by metric if that differs."""
    metrics: dict[str, dict[str, dict[str, None]]] = {}
    for row in findings.rows:
        metrics.setdefault(row.protocol, {}).setdefault(row.estimand, {})[row.metric] = None
    entries = []
    for name, by_estimand in metrics.items():
        texts = []
        for estimand, own in by_estimand.items():
            with_metrics = f"With {listed(list(own))}: {estimand}." if len(by_estimand) > 1 else ""
            texts.append(Text(with_metrics or f"{estimand[:1].upper()}{estimand[1:]}."))
        entries.append((name, tuple(texts)))
    return Terms(tuple(entries))
