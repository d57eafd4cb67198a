"""Protocols compared with the truth as a document: how often each was right, and how far its values are from true ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from heldout.analysis.choices import ProtocolFacts
from heldout.biases.protocols import abbreviations
from heldout.biases.truth.findings import EstimatorRow, TruthFindings
from heldout.biases.truth.sentences import truth_answer
from heldout.reports.biases import appendix, emphasised, notices
from heldout.reports.charts import truth as drawn
from heldout.reports.columns import Column
from heldout.reports.document import Builders, Chart, Document, Listing, Section, Table, Terms, Text
from heldout.review.lint.finding import Review
from heldout.words import counted, interval_text, listed, number, percent

NOT_TRUSTED = (
    "The truth is that of these users, these items and this kind of missing ratings. A protocol that does well here may do "
    "worse if ratings are missing for other reasons."
)


def document(
    findings: TruthFindings, *, title: str, facts: ProtocolFacts | None = None, review: Review | None = None
) -> Document:
    """Everything that a report shows; `facts` and `review` are of the study's protocol."""
    table, chart, main = tables(findings), charts(findings), protocols(findings)
    right, bias, pairs = chart["right"](), chart["bias"](), table["pairs"]()
    others = Listing(tuple(map(Text, findings.sentences[2:])))
    sections = [
        Section(
            id="right",
            title="Which protocol finds the truly better system?",
            blocks=tuple(block for block in (main, right, others if others.items else None) if block is not None),
        ),
        Section(id="bias", title="Bias and variance", blocks=(bias,) if bias is not None else ()),
        Section(id="estimators", title="All protocols and metrics", blocks=(_all_protocols(findings),)),
        Section(
            id="pairs", title="Which pairs of systems can be distinguished?", blocks=(pairs,) if pairs is not None else ()
        ),
    ]
    return Document(
        kind="truth",
        title=title,
        facts=(findings.data, *_sizes(findings)),
        answer=truth_answer(findings),
        numbers=tuple(emphasised(sentence) for sentence in findings.sentences[:2]),
        main=main,
        sections=tuple(section for section in sections if section.blocks),
        notices=notices([*findings.limits, NOT_TRUSTED], findings.left_out, review),
        appendix=(
            Section(id="figures", title="Figures", blocks=(_definitions(findings),), summary="definitions"),
            Section(id="estimands", title="Protocols", blocks=(_estimands(findings),), summary="what each estimates"),
            *appendix(facts, review),
        ),
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


def charts(findings: TruthFindings) -> Mapping[str, Callable[..., Chart | None]]:
    """Figures by name."""
    return {"right": partial(_right_chart, findings), "bias": partial(_bias_chart, findings)}


def best_of_each(findings: TruthFindings) -> list[EstimatorRow]:
    """Each protocol with the metric by which it was right most often; the one most often right first."""
    best: dict[str, EstimatorRow] = {}
    for row in findings.rows:
        best.setdefault(row.protocol, row)
    return list(best.values())


def scaled(findings: TruthFindings) -> list[EstimatorRow]:
    """The estimators on the scale of the truth, whose bias and standard error can be drawn."""
    return [row for row in findings.rows if row.same_scale and row.truth > 0 and not math.isnan(row.bias + row.error)]


def _drawn(findings: TruthFindings) -> str:
    return counted(findings.draws, "redrawn world" if findings.simulated else "split")


def _sizes(findings: TruthFindings) -> tuple[str, ...]:
    pairs = len(findings.systems) * (len(findings.systems) - 1) // 2
    return (
        f"{counted(len(findings.systems), 'system')} ({counted(pairs, 'pair')})",
        _drawn(findings),
        counted(findings.users, "user"),
        counted(len(findings.rows), "estimator"),
    )


def _columns(findings: TruthFindings) -> dict[str, tuple[Column, Callable[[EstimatorRow], Any]]]:
    """The figures of an estimator: name → column, and the value in a row."""
    share = partial(Column, kind="share", fold=False)
    value = partial(Column, kind="value", digits=3)
    columns: list[tuple[Column, Callable[[EstimatorRow], Any]]] = [
        (share(name="Ordered rightly", need=0, means=_ORDERED), lambda row: row.right),
        (
            Column(name="95% interval", kind="interval", shares=True, means=_INTERVAL),
            lambda row: (row.right_low, row.right_high),
        ),
        (
            value(name="τ", digits=2, need=3, means="mean Kendall's τ-b with the true order of systems"),
            lambda row: row.tau,
        ),
        (
            share(
                name="Significant",
                means=f"share of the judged pairs whose difference had p < {findings.level:g} by a paired t test",
            ),
            lambda row: row.decided,
        ),
        (
            share(name="Type S", need=2, means="sign error: the share of the significant differences with the wrong sign"),
            lambda row: row.type_s,
        ),
        (
            Column(name="Users", kind="count", means="users with both an estimate and a truth, in the mean over draws"),
            lambda row: row.users,
        ),
        (value(name="Bias", need=5, means=_BIAS), lambda row: row.bias),
        (
            Column(name="Bias interval", kind="interval", head="Bias, 95% interval", digits=3, means="of that mean"),
            lambda row: (row.bias_low, row.bias_high),
        ),
        (value(name="SE", means=_ERROR), lambda row: row.error),
        (value(name="RMSE", need=4, means="root of the mean of (estimate − truth)²"), lambda row: row.rmse),
        (value(name="Truth", means="mean of the true values of all systems"), lambda row: row.truth),
        (value(name="Type M", digits=2, means=_MAGNITUDE), lambda row: row.type_m),
    ]
    return {column.name: (column, value) for column, value in columns}


_ORDERED = "share of the judged pairs of systems that it ordered as the truth does; ties count half"
_INTERVAL = "of that share, over redrawn worlds, or over splits and resampled users"
_BIAS = "mean of estimate − truth of the same users over systems and draws, if both are on one scale"
_ERROR = "standard error: standard deviation of estimate − truth over draws, as a root mean square over systems"
_MAGNITUDE = "magnitude error: mean of |estimated| ÷ |true difference| over significant differences; 1 is right"


def _table(findings: TruthFindings, rows: Sequence[EstimatorRow], figures: Sequence[str], **about: Any) -> Table:
    every = _columns(findings)
    columns = [every[figure] for figure in figures]
    return Table(
        columns=(
            Column(name="Protocol", kind="text", fold=False),
            Column(name="Metric", kind="text", need=0),
            *(column for column, _ in columns),
        ),
        rows=[(row.protocol, row.metric, *(value(row) for _, value in columns)) for row in rows],
        subject="protocols",
        **about,
    )


def _meanings(findings: TruthFindings, figures: Sequence[str]) -> str:
    every = _columns(findings)
    return " ".join(f"{every[figure][0].title}: {every[figure][0].means}." for figure in figures)


MAIN = ("Ordered rightly", "95% interval", "τ", "Type S", "Bias", "RMSE")
"""Figures of the table of protocols."""


def protocols(findings: TruthFindings) -> Table:
    """Each protocol with one metric and its main figures."""
    rows = best_of_each(findings)
    words = "; ".join(f"{short}: {long}" for short, long in abbreviations(row.protocol for row in rows).items())
    truth = f"Systems: {', '.join(findings.systems)}. Truth: {findings.data}, {findings.split}, {findings.relevance}."
    caption = f"{truth} {_meanings(findings, MAIN)} {words + '.' if words else ''}".strip()
    title = "Each protocol with the metric by which it was right most often"
    return _table(findings, rows, MAIN, name="protocols", title=title, caption=caption)


def _all_protocols(findings: TruthFindings) -> Table:
    others = [name for name in _columns(findings) if name not in MAIN]
    caption = (
        f"Every estimator of {findings.data}. {_meanings(findings, others)} Other figures as in the table of protocols."
    )
    title = "All protocols and metrics"
    figures = list(_columns(findings))
    return _table(findings, findings.rows, figures, name="all-protocols", title=title, caption=caption, most=12)


def _pairs(findings: TruthFindings) -> Table | None:
    if not findings.pairs:
        return None
    return Table(
        name="pairs",
        title="Pairs of systems by the truth",
        caption="True difference: mean over draws, with its standard error (SE). Right: the share of draws that put the "
        "better system first, by the plain ranking of all items (AI-AR: all items, all relevant), and by the estimator that "
        "was right most often.",
        columns=(
            Column(name="Better", kind="system"),
            Column(name="Worse", kind="system"),
            Column(name="Metric", kind="text"),
            Column(name="True difference", kind="value", digits=4),
            Column(name="SE", kind="value", digits=4),
            Column(name="AI-AR right", kind="share", fold=False),
            Column(name="Best right", kind="share", head="Most often right", fold=False),
            Column(name="Best estimator", kind="text", head="By estimator", fold=False),
        ),
        rows=[
            (
                pair.better,
                pair.worse,
                pair.metric,
                pair.difference,
                pair.error,
                pair.plain,
                pair.best_right,
                pair.best if pair.judged else "not separated by the truth",
            )
            for pair in findings.pairs
        ],
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
            "verdict": drawn.VERDICTS[0 if row.right_low > 0.5 else 1 if row.right_high < 0.5 else 2],
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
        f"metric with which it was right most often, over {_drawn(findings)} of {findings.data}. The dashed line is chance.",
        draw=lambda layout: drawn.right(rows, layout),
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
        f"true value. Left is unbiased, below is precise. Values below {percent(drawn.SMALLEST)} are drawn there. Curves "
        "join points of the same root mean square error (RMSE).",
        draw=lambda layout: drawn.bias(points, layout),
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
        "x": max(drawn.SMALLEST, abs(row.bias) / row.truth),
        "y": max(drawn.SMALLEST, row.error / row.truth),
        "low": max(drawn.SMALLEST, ends[0] / row.truth) if some else None,
        "high": max(drawn.SMALLEST, ends[1] / row.truth) if some else None,
        "bias": number(row.bias, 4),
        "interval": interval_text((row.bias_low, row.bias_high), 4),
        "error": number(row.error, 4),
        "rmse": number(row.rmse, 4),
        "truth": number(row.truth, 4),
    }


def _definitions(findings: TruthFindings) -> Terms:
    entries = [(column.title, column.means) for column, _ in _columns(findings).values()]
    return Terms(tuple((name, (Text(f"{means[:1].upper()}{means[1:]}."),)) for name, means in entries))


def _estimands(findings: TruthFindings) -> Terms:
    """What each protocol estimates, by metric if that differs."""
    metrics: dict[str, dict[str, dict[str, None]]] = {}
    for row in findings.rows:
        metrics.setdefault(row.protocol, {}).setdefault(row.estimand, {})[row.metric] = None
    entries = []
    for protocol, by_estimand in metrics.items():
        texts = []
        for estimand, names in by_estimand.items():
            with_metrics = f"With {listed(list(names))}: {estimand}." if len(by_estimand) > 1 else ""
            texts.append(Text(with_metrics or f"{estimand[:1].upper()}{estimand[1:]}."))
        entries.append((protocol, tuple(texts)))
    return Terms(tuple(entries))
