"""What every form of a report on the truth draws alike: its figures in words, and each protocol at its best."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from heldout.biases.truth.findings import EstimatorRow, TruthFindings
from heldout.reports.table_figure import TableFigure
from heldout.words import ABSENT, counted, number, percent

NOT_TRUSTED = (
    "The truth is that of these users, these items and this kind of missing ratings. A protocol that does well here need "
    "not do well where ratings are missing for other reasons."
)


@dataclass(frozen=True, kw_only=True)
class TruthReport:
    """All that a report on the truth is drawn from."""

    title: str
    findings: TruthFindings


def sizes_words(findings: TruthFindings) -> str:
    """8 systems (28 pairs), 20 redrawn worlds, 67 estimators."""
    pairs = len(findings.systems) * (len(findings.systems) - 1) // 2
    drawn = counted(findings.draws, "redrawn world" if findings.simulated else "split")
    systems = f"{counted(len(findings.systems), 'system')} ({counted(pairs, 'pair')})"
    return f"{systems}, {drawn}, {counted(findings.users, 'user')}, {counted(len(findings.rows), 'estimator')}"


def best_of_each(findings: TruthFindings) -> list[EstimatorRow]:
    """Each protocol with the metric by which it was right most often, the best first."""
    best: dict[str, EstimatorRow] = {}
    for row in findings.rows:
        best.setdefault(row.protocol, row)
    return list(best.values())


def scaled(findings: TruthFindings) -> list[EstimatorRow]:
    """The estimators whose bias and standard error can be drawn: those on the scale of the truth."""
    return [row for row in findings.rows if row.same_scale and row.truth > 0 and not math.isnan(row.bias + row.error)]


def metrics(rows: Sequence[EstimatorRow]) -> list[str]:
    """The metrics of these rows, each once."""
    return list(dict.fromkeys(row.metric for row in rows))


def interval_words(row: EstimatorRow) -> str:
    """89.3% to 96.0%."""
    if math.isnan(row.right_low):
        return ABSENT
    return f"{percent(row.right_low)} to {percent(row.right_high)}"


def figures(findings: TruthFindings) -> list[TableFigure[EstimatorRow]]:
    """All figures, in the order of tables."""
    significant = f"Share of the judged pairs whose difference had p < {findings.level:g} by a paired t test."
    rows: list[tuple[str, str, str, str, Callable[[EstimatorRow], str]]] = [
        (
            "right",
            "Ordered rightly",
            "right",
            "Share of the judged pairs of systems that it ordered as the truth does, ties counting half.",
            lambda row: percent(row.right),
        ),
        (
            "right_low",
            "95% interval",
            "95%",
            "Of that share, over redrawn worlds, or over splits and resampled users.",
            interval_words,
        ),
        ("tau", "τ", "τ", "Mean τ-b with the order of systems by the truth.", lambda row: number(row.tau, 2)),
        ("decided", "Significant", "signif.", significant, lambda row: percent(row.decided)),
        (
            "type_s",
            "Type S",
            "type S",
            "Among significant differences, the share with the wrong sign.",
            lambda row: percent(row.type_s),
        ),
        (
            "users",
            "Users",
            "users",
            "Users who have both an estimate and a truth, in the mean over draws; the estimate is their mean.",
            lambda row: f"{row.users:,}",
        ),
        (
            "bias",
            "Bias",
            "bias",
            "Mean of estimate − truth of the same users, over systems and draws, where both are on one scale.",
            lambda row: number(row.bias, 3),
        ),
        (
            "error",
            "SE",
            "SE",
            "Standard deviation of estimate − truth over draws, root mean square over systems.",
            lambda row: number(row.error, 3),
        ),
        ("rmse", "RMSE", "RMSE", "Root of the mean of (estimate − truth)².", lambda row: number(row.rmse, 3)),
        (
            "truth",
            "Truth",
            "truth",
            "Mean of the true values of all systems, which biases are to be compared with.",
            lambda row: number(row.truth, 3),
        ),
        (
            "type_m",
            "Type M",
            "type M",
            "Among significant differences, the mean of |estimated| ÷ |true difference|; 1 is right.",
            lambda row: number(row.type_m, 2),
        ),
    ]
    return [
        TableFigure(key=key, head=head, brief=brief, meaning=meaning, text=text) for key, head, brief, meaning, text in rows
    ]
