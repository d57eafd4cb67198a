"""The best possible list: each user's gains in descending order, worked out once for all systems and depths."""

from __future__ import annotations

from weakref import proxy

import numpy as np

from heldout.metrics.metric import Discount, Gain
from heldout.tables import Judged, Levels, Relevance, Running
from heldout.tables.arrays import Float64, Int64
from heldout.tables.memo import once

DEEPEST = np.iinfo(np.int32).max


def depth_or_all(n: int | None) -> int:
    """A cut-off as a number: without one, deeper than any list."""
    return DEEPEST if n is None else n


def sorted_gains(relevance: Relevance, gain: Gain, rel: float | None, *, relevant_only: bool = False) -> Float64:
    """The gains of each user's test ratings from the highest to the lowest, in the rows of `relevance.indptr`.

    `relevant_only` gives ratings that are not relevant no gain.
    """

    def compute() -> Float64:
        from heldout.kernels.gains import sort_down

        levels = relevance.levels(rel)
        out = np.empty(len(relevance.grade))
        if levels is None:
            gains = gain.rows(relevance, rel) * (relevance.relevant_at(rel) if relevant_only else 1.0)
            lowered, place = np.unique(-gains, return_inverse=True)
            sort_down(relevance.indptr, place, -lowered, np.arange(len(lowered)), out)
        else:
            values = gain.of_levels(levels, relevance.top_grade) * (levels.relevant if relevant_only else 1.0)
            sort_down(relevance.indptr, levels.level, values, _descending(values, levels), out)
        return out

    return once(relevance, ("sorted gains", gain, rel, relevant_only), compute)


def _descending(values: Float64, levels: Levels) -> Int64:
    """The levels that some row has, from the highest value to the lowest."""
    order = np.argsort(-values)
    return np.asarray(order[levels.used[order]])


def ideal_of_users(relevance: Relevance, gain: Gain, rel: float | None, discount: Discount, n: int | None) -> Float64:
    """The discounted gain of each user's best possible list, cut at n."""
    running = once(relevance, ("running ideal", gain, rel, discount), lambda: _running(relevance, gain, rel, discount))
    return once(relevance, ("ideal", gain, rel, discount, n), lambda: running.upto(n))


def _running(owner: Relevance, gain: Gain, rel: float | None, discount: Discount) -> Running:
    # what the table keeps must not keep the table: a cycle would hold its arrays until garbage is collected
    relevance: Relevance = proxy(owner)
    weights = discount.weights(once(relevance, "most rated", lambda: int(relevance.rated.max(initial=0))))

    def cumulate() -> Float64:
        from heldout.kernels.gains import cumulate_ideal

        out = np.empty(len(relevance.grade))
        cumulate_ideal(relevance.indptr, sorted_gains(relevance, gain, rel), weights, out)
        return out

    def direct(n: int | None) -> Float64:
        from heldout.kernels.gains import ideal_sums

        levels = relevance.levels(rel)
        if levels is None:
            running = Running(relevance.indptr, count, direct, cumulate)
            running.begin()
            return running.upto(n)
        values = gain.of_levels(levels, relevance.top_grade)
        out = np.empty(len(relevance))
        ideal_sums(relevance.indptr, levels.level, values, _descending(values, levels), weights, depth_or_all(n), out)
        return out

    def count(n: int | None) -> Float64:
        return np.minimum(relevance.rated, depth_or_all(n)).astype(np.float64)

    return Running(relevance.indptr, count, direct, cumulate)


def ideal_of_lists(judged: Judged, gain: Gain, rel: float | None, discount: Discount, n: int | None) -> Float64:
    """The discounted gain of the best possible list of each list's user; in single lists, of their one item."""
    if judged.only is not None:
        first = discount.weights(1)[1]
        return np.asarray(gain.rows(judged.relevance, rel)[judged.only] * first)
    of_user = ideal_of_users(judged.relevance, gain, rel, discount, n)
    return of_user if judged.one_each else np.asarray(of_user[judged.owner])


def discounted(judged: Judged, gain: Gain, rel: float | None, discount: Discount, n: int | None) -> Float64:
    """The discounted gain of each list, cut at n."""

    def make() -> Running:
        weights = discount.weights(judged.deepest)
        gains = gain.rows(judged.relevance, rel)
        held: Judged = proxy(judged)  # kept by what it would keep

        def direct(depth: int | None) -> Float64:
            from heldout.kernels.gains import sum_gains

            out = np.empty(len(held))
            sum_gains(held.indptr, held.rank, held.row, gains, weights, depth_or_all(depth), out)
            return out

        def cumulate() -> Float64:
            from heldout.kernels.gains import cumulate_gains

            out = np.empty(len(held.rank))
            cumulate_gains(held.indptr, held.rank, held.row, gains, weights, out)
            return out

        return Running(judged.indptr, lambda depth: held.count(depth), direct, cumulate)

    return once(judged, ("running gain", gain, rel, discount), make).upto(n)
