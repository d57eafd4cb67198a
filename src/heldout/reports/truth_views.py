"""What every form of a report on the truth draws alike: its figures in words, and each protocol at its best."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from heldout.biases.truth.findings import EstimatorRow, TruthFindings
from heldout.words import ABSENT, counted, exact, number, percent

NOT_TRUSTED = (
    "The truth is that of these users, these items and this kind of missing ratings. A protocol that does well here need "
    "not do well where ratings are missing for other reasons."
)


@dataclass(frozen=True, kw_only=True)
class TruthReport:
    """All that a report on the truth is drawn from."""

    title: str
    findings: TruthFindings


@dataclass(frozen=True, kw_only=True)
class TruthFigure:
    """One figure of an estimator as tables show it."""

    key: str
    head: str
    brief: str
    """Its head where there is little room."""
    meaning: str
    text: Callable[[EstimatorRow], str]

    def exact(self, row: EstimatorRow) -> str:
        """The value with four significant figures."""
        return exact(getattr(row, self.key))


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


def figures(findings: TruthFindings) -> list[TruthFigure]:
    """All figures, in the order of tables."""
    level = f"{findings.level:g}"
    return [
        TruthFigure(
            key="right",
            head="Ordered rightly",
            brief="right",
            meaning="Share of the judged pairs of systems that it ordered as the truth does, ties counting half.",
            text=lambda row: percent(row.right),
        ),
        TruthFigure(
            key="right_low",
            head="95% interval",
            brief="95%",
            meaning="Of that share, over redrawn worlds, or over splits and resampled users.",
            text=interval_words,
        ),
        TruthFigure(
            key="tau",
            head="τ",
            brief="τ",
            meaning="Mean τ-b with the order of systems by the truth.",
            text=lambda row: number(row.tau, 2),
        ),
        TruthFigure(
            key="decided",
            head="Significant",
            brief="signif.",
            meaning=f"Share of the judged pairs whose difference had p < {level} by a paired t test.",
            text=lambda row: percent(row.decided),
        ),
        TruthFigure(
            key="type_s",
            head="Type S",
            brief="type S",
            meaning="Among significant differences, the share with the wrong sign.",
            text=lambda row: percent(row.type_s),
        ),
        TruthFigure(
            key="users",
            head="Users",
            brief="users",
            meaning="Users who have both an estimate and a truth, in the mean over draws; the estimate is their mean.",
            text=lambda row: f"{row.users:,}",
        ),
        TruthFigure(
            key="bias",
            head="Bias",
            brief="bias",
            meaning="Mean of estimate − truth of the same users, over systems and draws, where both are on one scale.",
            text=lambda row: number(row.bias, 3),
        ),
        TruthFigure(
            key="error",
            head="SE",
            brief="SE",
            meaning="Standard deviation of estimate − truth over draws, root mean square over systems.",
            text=lambda row: number(row.error, 3),
        ),
        TruthFigure(
            key="rmse",
            head="RMSE",
            brief="RMSE",
            meaning="Root of the mean of (estimate − truth)².",
            text=lambda row: number(row.rmse, 3),
        ),
        TruthFigure(
            key="truth",
            head="Truth",
            brief="truth",
            meaning="Mean of the true values of all systems, which biases are to be compared with.",
            text=lambda row: number(row.truth, 3),
        ),
        TruthFigure(
            key="type_m",
            head="Type M",
            brief="type M",
            meaning="Among significant differences, the mean of |estimated| ÷ |true difference|; 1 is right.",
            text=lambda row: number(row.type_m, 2),
        ),
    ]
