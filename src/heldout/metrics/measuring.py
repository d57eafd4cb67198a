"""Many metrics over judged lists, one row per user: under ties, unrated items and sampled targets as the protocol says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from heldout.catalogue import parameters
from heldout.errors import NotApplicableError
from heldout.metrics.corrected import corrected
from heldout.metrics.curves.curve import OperatingCurve
from heldout.metrics.diagnostic.coverage import Coverage
from heldout.metrics.diagnostic.filled import Filled
from heldout.metrics.diagnostic.rho import Rho
from heldout.metrics.diagnostic.tied import Tied
from heldout.metrics.diagnostic.unrated import Unrated
from heldout.metrics.list_subsets import of_lists
from heldout.metrics.metric import Gain, Metric, no_interval
from heldout.tables import Judged, Relevance
from heldout.tables.arrays import Bool, Float64, Int32, Int64, frozen
from heldout.tables.memo import once
from heldout.targets.target import Estimator, Target

_NO_WEIGHT = np.empty(0)
_USUAL_DEPTH = 10
ENTRIES = 1 << 21
"""Entries made at a time where unrated items become entries."""


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


def value_of(metric: Metric, judged: Judged, depth: int | None, estimator: Estimator | None) -> Float64:
    """One value per list. Diagnostics describe the lists as they are."""
    if metric.direction == "none":
        if estimator is not None and judged.pool is not None and metric.describes_pool:
            # a random ranking that is corrected too stands in a list of the whole pool
            judged = replace(judged, targets=frozen(judged.pool + 1, np.int32))
        return metric.measured(judged)
    if judged.expected:
        return metric.measured(judged, expected=True)
    if judged.full:
        return with_full_gain(metric, judged, depth)
    return metric.measured(judged) if estimator is None else corrected(metric, judged, estimator)


def with_full_gain(metric: Metric, judged: Judged, depth: int | None) -> Float64:
    """The value with every unrated item of a list at full gain: each becomes an entry of the highest grade."""
    if not metric.has_interval:
        raise no_interval(metric)
    relevance = once(judged.relevance, "unrated as relevant", lambda: _with_unrated(judged.relevance))
    counts = judged.length.astype(np.int64) if depth is None else np.minimum(judged.length, depth).astype(np.int64)
    upto = np.concatenate([[0], np.cumsum(counts)])
    out = np.empty(len(judged))
    low = 0
    while low < len(judged):
        high = max(low + 1, int(np.searchsorted(upto, upto[low] + ENTRIES, side="right")) - 1)
        out[low:high] = metric.measured(_filled(judged, relevance, low, high, counts))
        low = high
    return out


def _with_unrated(relevance: Relevance) -> Relevance:
    """The rows of each user and, behind them, one of the highest grade that stands for any unrated item."""
    at = relevance.indptr[1:]
    return replace(
        relevance,
        indptr=frozen(relevance.indptr + np.arange(len(relevance) + 1), np.int64),
        item=frozen(np.insert(relevance.item, at, -1), np.int32),
        grade=frozen(np.insert(relevance.grade, at, relevance.top_grade), np.float64),
        relevant=frozen(np.insert(relevance.relevant, at, True), np.bool_),
        utility=None,
    )


def _filled(judged: Judged, relevance: Relevance, low: int, high: int, counts: Int64) -> Judged:
    """Lists low…high−1 with an entry at every rank."""
    own = counts[low:high]
    owner = judged.owner[low:high].astype(np.int64)
    indptr = np.concatenate([[0], np.cumsum(own)])
    of_list = np.repeat(np.arange(high - low), own)
    rank = np.arange(indptr[-1]) - indptr[of_list] + 1
    row = (relevance.indptr[owner + 1] - 1)[of_list]
    entries = slice(int(judged.indptr[low]), int(judged.indptr[high]))
    at = judged.list_of[entries] - low
    inside = judged.rank[entries] <= own[at]
    old = judged.row[entries][inside]
    row[indptr[at[inside]] + judged.rank[entries][inside] - 1] = old + judged.relevance.owner[old]
    only = None if judged.only is None else judged.only[low:high] + owner
    return Judged(
        relevance=relevance,
        owner=judged.owner[low:high],
        indptr=frozen(indptr, np.int64),
        row=frozen(row, np.int64),
        rank=frozen(rank, np.int32),
        above=frozen(rank - 1, np.int32),
        tied=frozen(np.zeros(len(rank)), np.int32),
        length=judged.length[low:high],
        computed=judged.computed[low:high],
        targets=judged.targets[low:high],
        relevant_targets=judged.relevant_targets[low:high],
        only=frozen(only, np.int64) if only is not None else None,
    )


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


FEW = 2048
"""Lists up to which telling kinds apart would cost more than it saves."""


def of_kinds(judged: Judged, metric: Metric) -> bool:
    """Whether a metric's value of a list follows from the rank and grade of its one relevant item."""
    plain = judged.only is not None and not judged.expected and not judged.full
    return plain and metric.is_additive and metric.per_user and judged.relevance.utility is None


def kinds(judged: Judged) -> tuple[Int64, Int64]:
    """For each list its kind, and for each kind one list of it; a list that lacks its item has rank 0."""
    grades = once(judged.relevance, "grade codes", lambda: np.unique(judged.relevance.grade, return_inverse=True))
    rank = np.zeros(len(judged), dtype=np.int64)
    rank[judged.list_of] = judged.rank
    key = rank * len(grades[0]) + grades[1][judged.only]
    first = np.full(int(key.max(initial=0)) + 1, -1, dtype=np.int64)
    first[key[::-1]] = np.arange(len(key) - 1, -1, -1)
    met = first >= 0
    number = np.cumsum(met) - 1
    return number[key], first[met]


def means_of_kinds(judged: Judged, metrics: Sequence[Metric], weight: Float64) -> Float64:
    """Users × metrics: the (weighted) mean over each user's lists; each kind of list is measured once."""
    from heldout.kernels.lists import mean_of_kinds

    kind, examples = kinds(judged)
    few = of_lists(judged, examples)
    values = np.ascontiguousarray(np.stack([metric.measured(few) for metric in metrics], axis=1))
    shape = (len(judged.relevance), len(metrics))
    total, count = np.empty(shape), np.empty(shape)
    mean_of_kinds(judged.owner, kind, weight, values, total, count)
    return total
