"""Values expected over all orders of tied items (`ties = expected`), from `Judged.above` and `Judged.tied`.

A metric that adds up gains discounted by rank takes `mean_discounts`; counts within a depth take `chance_within`; the first
relevant item and average precision have closed forms of their own (McSherry and Najork 2008).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from heldout.tables import Judged
from heldout.tables.arrays import Float64, frozen

DEEPEST = np.iinfo(np.int32).max


def chance_within(judged: Judged, n: int | None) -> Float64:
    """For every entry, the chance that its rank is at most n; sum it over lists with `judged.sum`."""
    if n is None:
        return np.ones(len(judged.rank))
    size = judged.tied.astype(np.float64) + 1
    return np.clip(n - judged.above, 0, size) / size


def mean_discounts(judged: Judged, discount: Callable[[Float64], Float64], n: int | None) -> Float64:
    """For every entry, the mean of `discount(rank)` over the ranks it may have, 0 beyond n.

    `discount` takes ranks 1, 2, 3, … as an array. The places of a group of g tied items below a others are a + 1 … a + g.
    """
    last = judged.above.astype(np.int64) + judged.tied + 1
    deepest = int(last.max(initial=0)) if n is None else min(int(last.max(initial=0)), n)
    upto = np.concatenate([[0.0], np.cumsum(discount(np.arange(1.0, deepest + 1)))])
    total = upto[np.minimum(last, deepest)] - upto[np.minimum(judged.above, deepest)]
    alone = judged.tied == 0  # one place only: no difference of sums, hence no rounding
    total[alone] = np.where(last[alone] <= deepest, discount(last[alone].astype(np.float64)), 0.0)
    return np.asarray(total / (judged.tied + 1.0))


def expected_hits(judged: Judged, rel: float | None, n: int | None) -> Float64:
    """The expected number of relevant items in the top n of each list."""
    return judged.sum(np.where(judged.relevant(rel), chance_within(judged, n), 0.0))


def expected_gain(judged: Judged, of_row: Float64, discount: Callable[[Float64], Float64], n: int | None) -> Float64:
    """The expected sum of discounted gains of each list; `of_row` is the gain of every relevance row."""
    return judged.sum(of_row[judged.row] * mean_discounts(judged, discount, n))


def expected_reciprocal_rank(judged: Judged, rel: float | None, n: int | None) -> Float64:
    """The expected reciprocal rank of the first relevant item; 0 where none is met."""
    from heldout.kernels.expectation import expected_reciprocal

    return _of_groups(expected_reciprocal, judged, rel, n)


def chance_of_hit(judged: Judged, rel: float | None, n: int | None) -> Float64:
    """The chance that the top n holds a relevant item."""
    from heldout.kernels.expectation import expected_hit

    return _of_groups(expected_hit, judged, rel, n)


def expected_precision_sum(judged: Judged, rel: float | None, n: int | None) -> Float64:
    """The expected sum of P@k over the ranks of relevant items: average precision before it is divided by R."""
    from heldout.kernels.expectation import expected_precisions

    return _of_groups(expected_precisions, judged, rel, n)


def _of_groups(kernel: Callable[..., Any], judged: Judged, rel: float | None, n: int | None) -> Float64:
    out = np.empty(len(judged))
    relevant = frozen(judged.relevant(rel), np.bool_)
    kernel(judged.indptr, judged.above, judged.tied, relevant, DEEPEST if n is None else n, out)
    return out
