"""Many metrics over judged lists, one row per user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from heldout.catalogue import parameters
from heldout.errors import NotApplicableError
from heldout.metrics.curves.curve import OperatingCurve
from heldout.metrics.diagnostic.coverage import Coverage
from heldout.metrics.diagnostic.filled import Filled
from heldout.metrics.diagnostic.rho import Rho
from heldout.metrics.diagnostic.tied import Tied
from heldout.metrics.diagnostic.unrated import Unrated
from heldout.metrics.metric import Gain, Metric
from heldout.metrics.protocol_values import value_of
from heldout.metrics.single_lists import FEW, means_of_kinds, of_kinds
from heldout.tables import Judged, Relevance
from heldout.tables.arrays import Bool, Float64, Int32
from heldout.targets.estimator import Estimator
from heldout.targets.target import Target

_NO_WEIGHT = np.empty(0)
_USUAL_DEPTH = 10


@dataclass(frozen=True, eq=False, kw_only=True)
class Measured:
    """Values of each user, the mean over the user's lists where there are several."""

    values: Float64
    """Users × metrics."""
    length: Float64
    computed: Float64
    lists: Int32
    denominators: dict[str, Float64] = field(default_factory=dict)
    """By metric, what each user's value was divided by; of metrics that pool, where asked for."""
    curves: dict[str, OperatingCurve] = field(default_factory=dict)
    """By metric, the curve that its value sums up; of metrics that have one."""
    weights: Float64 | None = None
    """What each user counts for, where lists are averaged within popularity classes."""


def denominators(judged: Judged, metrics: Sequence[Metric]) -> dict[str, Float64]:
    """What the values of metrics that pool are divided by; in lists of one relevant item each list counts the same."""
    if judged.only is not None:
        return {}
    return {str(m): m.denominator(judged) for m in metrics if m.pooling}


def measure(
    judged: Judged,
    metrics: Sequence[Metric],
    *,
    target: Target | None = None,
    tested: Bool | None = None,
) -> Measured:
    """All metrics for every user of the relevance table; a user without lists has NaN.

    `target` says how values of sampled lists are corrected and lists are averaged; with popularity classes, lists of
    `tested` users make up the classes.
    """
    check_gains(judged.relevance, metrics)
    _refuse_without_lists(judged, metrics)
    estimator = target.form.corrected if target is not None else None
    lists = np.bincount(judged.owner, minlength=len(judged.relevance)).astype(np.int32)
    if judged.only is None:
        columns = [value_of(metric, judged, depth_of(metric), estimator) for metric in metrics]
        values = np.stack(columns).T if columns else np.empty((len(judged), 0))
        return Measured(
            values=values, length=judged.length.astype(np.float64), computed=judged.computed.astype(np.float64), lists=lists
        )
    weight = None
    if judged.stratum is not None:
        by_user = target is not None and target.form.average == "user"
        weight = class_weights(judged, by_user=by_user, tested=tested)
    return Measured(
        values=_means(judged, metrics, estimator, weight),
        length=np.nan_to_num(_mean_of_lists(judged, judged.length.astype(np.float64), weight)),
        computed=np.nan_to_num(_mean_of_lists(judged, judged.computed.astype(np.float64), weight)),
        lists=lists,
        weights=None if weight is None else np.bincount(judged.owner, weight, len(judged.relevance)).astype(np.float64),
    )


def _means(judged: Judged, metrics: Sequence[Metric], estimator: Estimator | None, weight: Float64 | None) -> Float64:
    """Users × metrics: the mean over each user's lists."""
    values = np.empty((len(judged.relevance), len(metrics)))
    alike, weighed = [], []
    for k, metric in enumerate(metrics):
        own = metric.list_weights(judged)
        if own is None:
            alike.append(k)
        else:
            weighed.append(([k], own if weight is None else own * weight))
    for places, of_list in ((alike, weight), *weighed):
        quick = [k for k in places if estimator is None and len(judged) > FEW and of_kinds(judged, metrics[k])]
        if quick:
            weights = _NO_WEIGHT if of_list is None else of_list
            values[:, quick] = means_of_kinds(judged, [metrics[k] for k in quick], weights)
        for k in sorted(set(places) - set(quick)):
            column = value_of(metrics[k], judged, depth_of(metrics[k]), estimator)
            values[:, k] = _mean_of_lists(judged, column, of_list)
    return values


def _refuse_without_lists(judged: Judged, metrics: Sequence[Metric]) -> None:
    if judged.lists is None:
        for metric in metrics:
            if metric.needs_lists:
                raise NotApplicableError(
                    f"{metric} looks at whole lists, which this target or rule for unrated items does not make",
                    where="metrics",
                    hint="use AllItems, TestItems or TrainingItems with unrated=zero",
                )


def class_weights(judged: Judged, *, by_user: bool, tested: Bool | None) -> Float64:
    """What each list counts for: 1/(m n) in a class of n lists, of m classes with any; 0 for users who are not tested.

    `by_user` gives the users of a class the same share instead, and a user's lists in it equal parts of theirs.
    """
    counted = np.ones(len(judged), bool) if tested is None else tested[judged.owner]
    stratum = np.zeros(len(judged), np.int64) if judged.stratum is None else judged.stratum.astype(np.int64)
    n_classes = int(stratum.max(initial=0)) + 1
    size = np.bincount(stratum[counted], minlength=n_classes).astype(np.float64)
    some = np.count_nonzero(size)
    if by_user:
        pair = judged.owner.astype(np.int64) * n_classes + stratum
        lists = np.bincount(pair[counted], minlength=len(judged.relevance) * n_classes)
        users = np.count_nonzero(lists.reshape(-1, n_classes), axis=0)
        share = np.maximum(users[stratum] * lists[pair], 1)
    else:
        share = np.maximum(size[stratum], 1)
    return np.where(counted, 1 / (max(some, 1) * share), 0.0)


def _mean_of_lists(judged: Judged, of_list: Float64, weight: Float64 | None) -> Float64:
    """The (weighted) mean over each user's lists with a defined value; NaN where there is none."""
    from heldout.kernels.lists import mean_by_owner

    total, count = np.empty(len(judged.relevance)), np.empty(len(judged.relevance))
    mean_by_owner(judged.owner, np.ascontiguousarray(of_list), _NO_WEIGHT if weight is None else weight, total, count)
    return total


def depth_of(metric: Metric) -> int | None:
    """The cut-off of a metric, if it has one."""
    for parameter in parameters(type(metric)):
        if parameter.metadata["cutoff"]:
            depth: int | None = getattr(metric, parameter.name)
            return depth
    return None


def list_depth(metrics: Sequence[Metric], n_items: int) -> int:
    """How many items of each list the metrics look at; 0 where none looks at lists."""
    return max((depth_of(m) or n_items for m in metrics if m.needs_lists), default=0)


def pictured_depth(metrics: Sequence[Metric]) -> int:
    """The depth at which pictures show what lists hold: that of the first metric with a cut-off, otherwise the usual one."""
    return next((depth for metric in metrics if (depth := depth_of(metric)) is not None), _USUAL_DEPTH)


def diagnostics_for(metric: Metric) -> tuple[Metric, ...]:
    """What is to be reported beside a metric: coverage, unrated share, ρ and ties at its depth, and what is its own."""
    n = depth_of(metric)
    deep = (Rho(n=n), Tied(n=n))
    at_depth = deep if n is None else (Coverage(n=n), Filled(n=n), Unrated(n=n), *deep)
    return (*at_depth, *metric.beside())


def with_diagnostics(metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """The metrics and, behind them, what is reported beside them, each once."""
    beside = [Coverage(n=1)] + [d for m in metrics for d in diagnostics_for(m)]
    return tuple(dict.fromkeys([*metrics, *beside]))


def check_gains(relevance: Relevance, metrics: Sequence[Metric]) -> None:
    """Refuse metrics under which some test rating would gain less than 0: their value would have no meaning."""
    for metric in metrics:
        gain = getattr(metric, "gain", None)
        if not isinstance(gain, Gain) or not len(relevance.grade):
            continue
        grade, lowest = gain.lowest(relevance, getattr(metric, "rel", None))
        if lowest < 0:
            raise NotApplicableError(
                f"{metric}: gain={gain} gives negative gains",
                where="metrics",
                found=float(grade),
                expected="ratings with a gain of at least 0",
                hint="use gain=binary, write the gains out (gain=table([…], first=…)), or shift the ratings",
            )
