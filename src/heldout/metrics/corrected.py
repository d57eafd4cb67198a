"""Values of sampled targets corrected: from a rank among sampled items to the metric of the rank among all of them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from heldout.errors import NotApplicableError
from heldout.metrics.metric import Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64, Int64, frozen
from heldout.targets.target import Estimator

KNOTS = 33
"""Sizes of pools that are worked out; with more different ones, values of the others lie between those of two."""
RANKS = 1 << 14
"""Ranks whose chances are held at a time."""


def corrected(metric: Metric, judged: Judged, estimator: Estimator) -> Float64:
    """Corrected values of lists of one relevant item; a list whose sample is its whole pool keeps its value."""
    if not metric.is_additive or judged.only is None or judged.pool is None:
        raise NotApplicableError(
            f"{metric} cannot be corrected: its value is not one of the relevant item's rank alone",
            where="target",
            hint="use corrected=none, or a metric such as P, Recall, AP, RR or nDCG",
        )
    out = metric.measured(judged)
    sampled = judged.targets.astype(np.int64) - 1
    ranked = np.diff(judged.indptr) > 0
    rank = np.zeros(len(judged), np.int64)
    rank[ranked] = judged.rank
    grade = judged.relevance.grade[judged.only]
    needed = ranked & (sampled < judged.pool) & (sampled > 0)
    for g in np.unique(grade[needed]):
        of_grade = needed & (grade == g)
        exact = _by_rank(metric, judged, int(judged.only[of_grade][0]), int(judged.pool[of_grade].max()) + 1)
        for n in np.unique(sampled[of_grade]):
            mine = np.flatnonzero(of_grade & (sampled == n))
            out[mine] = _of_size(estimator, exact, int(n), judged.pool[mine], rank[mine])
    return out


def _by_rank(metric: Metric, judged: Judged, row: int, deepest: int) -> Float64:
    """The metric of a list whose one relevant item, of this row, has rank 1, 2, …"""
    n = np.arange(deepest)
    same = np.full(deepest, deepest, np.int32)
    lists = Judged(
        relevance=judged.relevance,
        owner=frozen(np.full(deepest, judged.relevance.owner[row]), np.int32),
        indptr=frozen(np.arange(deepest + 1), np.int64),
        row=frozen(np.full(deepest, row), np.int64),
        rank=frozen(n + 1, np.int32),
        above=frozen(n, np.int32),
        tied=frozen(np.zeros(deepest), np.int32),
        length=same,
        computed=same,
        targets=same,
        relevant_targets=np.ones(deepest, np.int32),
        only=frozen(np.full(deepest, row), np.int64),
    )
    return metric.measured(lists)


def _of_size(estimator: Estimator, exact: Float64, n: int, pool: Int64, rank: Int64) -> Float64:
    """Corrected values of lists with n sampled items, from pools of any size."""
    sizes = np.unique(pool)
    if len(sizes) > KNOTS:
        sizes = np.unique(np.geomspace(sizes[0], sizes[-1], KNOTS).round().astype(np.int64))
    table = np.array([_corrections(estimator, int(m), n, exact[: m + 1].tobytes()) for m in sizes])
    right = np.searchsorted(sizes, pool)
    left = np.maximum(right - (sizes[np.minimum(right, len(sizes) - 1)] != pool), 0)
    right = np.minimum(right, len(sizes) - 1)
    share = np.zeros(len(pool))
    between = sizes[right] > sizes[left]
    share[between] = (pool - sizes[left])[between] / (sizes[right] - sizes[left])[between]
    interpolated: Float64 = (1 - share) * table[left, rank - 1] + share * table[right, rank - 1]
    return interpolated


@lru_cache(maxsize=4096)
def _corrections(estimator: Estimator, pool: int, n: int, exact: bytes) -> Float64:
    """The value of each sampled rank 1…n + 1, kept: all systems share it."""
    values = np.frombuffer(exact)
    squares, cross, mean = np.zeros((n + 1, n + 1)), np.zeros(n + 1), np.zeros(n + 1)
    for low in range(0, pool + 1, RANKS):
        chances = sampled_ranks(pool, n, low, min(low + RANKS, pool + 1))
        squares += chances.T @ chances
        cross += chances.T @ values[low : low + len(chances)]
        mean += chances.sum(axis=0)
    return estimator.values(squares / (pool + 1), cross / (pool + 1), mean / (pool + 1), float(values[0]))


def sampled_ranks(pool: int, n: int, low: int, high: int) -> Float64:
    """The chance of each sampled rank 1…n + 1 where low…high−1 items of the pool stand above: hypergeometric."""
    log = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, pool + 1)))])
    above, met = np.arange(low, high)[:, None], np.arange(n + 1)[None, :]
    possible = (met <= above) & (n - met <= pool - above)

    def choose(a: Int64, b: Int64) -> Float64:
        a, b = np.where(possible, a, 0), np.where(possible, b, 0)
        chosen: Float64 = log[a] - log[b] - log[a - b]
        return chosen

    chances = np.exp(choose(above, met) + choose(pool - above, n - met) - (log[pool] - log[n] - log[pool - n]))
    return np.where(possible, chances, 0.0)
