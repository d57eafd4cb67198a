"""What a metric's value is under the ties, the unrated items and the sampling of a protocol."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.metrics.corrected import corrected
from heldout.metrics.metric import Metric, no_interval
from heldout.tables import Judged, Relevance
from heldout.tables.arrays import Float64, Int64, frozen
from heldout.tables.memo import once
from heldout.targets.estimator import Estimator

ENTRIES = 1 << 21
"""Entries made at a time where unrated items become entries."""


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
