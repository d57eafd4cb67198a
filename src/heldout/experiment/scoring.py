"""Judged lists → scores and curves: the one way to a metric's value, for runs, evaluations and multiverses alike."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from heldout.experiment.judging import Judgement
from heldout.metrics.measuring import Measured, denominators, measure
from heldout.metrics.metric import Metric
from heldout.metrics.system import Blocks, own_metrics, with_system_values
from heldout.recommenders.recommender import Recommender
from heldout.study.analysis import Analysis
from heldout.study.applicability import fits, refusal_of
from heldout.study.compatibility import cut_lists
from heldout.tables import ProtocolKey, Scores
from heldout.tables.arrays import Bool, Float64, frozen
from heldout.tables.part import Points
from heldout.tables.scores import DENOMINATOR, WEIGHT


@dataclass(frozen=True, eq=False)
class UserScores:
    """The scores of one judgement under one rule for users, and the curves of metrics that have one."""

    scores: Scores
    curves: tuple[Points, ...] = ()


@lru_cache(maxsize=64)
def metric_names(metrics: tuple[Metric, ...]) -> tuple[str, ...]:
    """The text forms of metrics; the same metrics are measured of every system, fold and way of judging."""
    return tuple(str(metric) for metric in metrics)


def keeps_denominators(analysis: Analysis) -> bool:
    """True if an aggregation asks for what metrics divide by."""
    return any(aggregation.pools_ratios for aggregation in analysis.all_aggregations)


def applying_metrics(
    metrics: Sequence[Metric],
    recommender: Recommender,
    judgement: Judgement,
    refused: Collection[tuple[str, str, str]] = (),
) -> list[Metric]:
    """The metrics that have a value of this system's lists; see `heldout.study.applicability`.

    `refused` holds (metric, target, relevance rule) that the data rule out.
    """
    target, rule = judgement.choices.target, judgement.choices.relevance
    cut = recommender.ends_early and bool(cut_lists(judgement.judged, judgement.system))
    return [
        metric
        for metric in metrics
        if not refusal_of(metric, recommender)
        and not (cut and metric.needs_whole_lists)
        and fits(metric, judgement.choices)
        and not (refused and (str(metric), str(target), str(rule)) in refused)
    ]


def score(judgement: Judgement, metrics: Sequence[Metric], blocks: Blocks | None, *, pooling: bool) -> Iterator[UserScores]:
    """Measure judged lists under every rule for users.

    `blocks` gives the scores of all targets, for metrics that need them; without it, lists are taken to be whole.
    `pooling` keeps what metrics divide by, which ratios of sums need.
    """
    judged, own = judgement.judged, own_metrics(metrics)
    divided = denominators(judged, metrics) if pooling else {}
    counts = counts_of(judgement)
    measured: Measured | None = None
    for protocol, tested in judgement.tested:
        if measured is None or judged.stratum is not None:
            # Only popularity classes make the value of one user depend on who else is tested.
            classes = tested if judged.stratum is not None else None
            measured = measure(judged, own, target=judgement.choices.target, tested=classes)
        complete = replace(with_system_values(measured, judged, metrics, tested, blocks), denominators=divided)
        yield UserScores(
            _scores(judgement, protocol, tested, metrics, complete, counts), tuple(_points(judgement, protocol, complete))
        )


def counts_of(judgement: Judgement) -> dict[str, Float64]:
    """Counts of each evaluated user: what users may be weighed by, and their group."""
    relevance, train, development = judgement.judged.relevance, judgement.train, judgement.development
    users = relevance.users
    return {
        "test": relevance.rated.astype(np.float64),
        "relevant": relevance.total(None).astype(np.float64),
        "train": np.full(len(users), np.nan) if train is None else train.user_counts[users].astype(np.float64),
        "development": np.zeros(len(users)) if development is None else development[users].astype(np.float64),
    }


def _scores(
    judgement: Judgement,
    protocol: ProtocolKey,
    tested: Bool,
    metrics: Sequence[Metric],
    measured: Measured,
    counts: dict[str, Float64],
) -> Scores:
    """The tested users' rows; who has no list at all (no relevant item to make one) is not tested."""
    kept = tested & (measured.lists > 0)
    whole = bool(kept.all())
    columns = counts | {f"{DENOMINATOR}{metric}": column for metric, column in measured.denominators.items()}
    if measured.weights is not None:
        columns[WEIGHT] = measured.weights

    def cut(column: Float64) -> Float64:
        return frozen(column if whole else column[..., kept], np.float64)

    return Scores(
        system=judgement.system,
        protocol=protocol,
        fold=judgement.fold,
        users=frozen(judgement.users[kept], np.int32),
        metrics=metric_names(tuple(metrics)),
        values=cut(measured.values.T).T,  # a metric's values lie side by side, as they are aggregated
        length=cut(measured.length),
        computed=cut(measured.computed),
        lists=frozen(measured.lists[kept], np.int32),
        counts={name: cut(column) for name, column in columns.items()},
    )


def _points(judgement: Judgement, protocol: ProtocolKey, measured: Measured) -> Iterator[Points]:
    for metric, curve in measured.curves.items():
        x, y = (tuple(float(v) for v in column) for column in (curve.x, curve.y))
        yield Points(
            system=judgement.system,
            protocol=protocol,
            fold=judgement.fold,
            metric=metric,
            x_label=curve.x_label,
            y_label=curve.y_label,
            x=x,
            y=y,
        )
