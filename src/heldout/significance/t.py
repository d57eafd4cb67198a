"""The paired t test."""

from __future__ import annotations

import numpy as np

from heldout.aggregations.moments import effective_size, moments
from heldout.significance.differences import checked_rows, differences
from heldout.significance.significance_test import Test
from heldout.tables.arrays import Bool, Float64, Int64

_ROUNDING = 4e-16
"""How far sums of products round, relative to the larger of what they are differences of."""
_PAIRS_AT_ONCE = 2048
"""Pairs whose columns share one matrix of products, so that this never has more than so many rows."""
_TOLERATED = 1e-13
"""Relative error of p from which a pair is computed from its differences themselves."""


class PairedT(Test):
    """Student's paired t test of the difference in means, two-sided.

    Assumes: the mean of the users' differences is nearly normal, which thousands of users bring about. Two equal columns
    give p = 1; a difference that is the same for every user and not 0 gives p = 0. Weighted, the users count as
    (Σw)² / Σw² (the effective sample size), and equal weights give the plain test. All pairs come from one matrix of
    products of columns; where digits of p would be lost by that (columns nearly equal, p very small), a pair is computed
    from its differences.

    Example: differences 1, 2 and 3 have mean 2 and standard deviation 1: t = 2√3 = 3.464, p = 0.0742.
    """

    key = "t"
    formula = "t = d̄ / (s_d / √n), n − 1 degrees of freedom"
    references = ("student1908", "gunawardana2009", "kish1965")
    compares = "means"
    weighable = True

    def p_values(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Float64:
        """Two-sided p of each pair; nothing is drawn at random."""
        from scipy.special import stdtr

        rows = checked_rows(columns, pairs, weights)
        t = np.zeros(len(pairs))
        left = np.ones(len(pairs), dtype=np.bool_)
        for start in range(0, len(pairs), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            used, place = np.unique(pairs[part], return_inverse=True)
            if len(pairs[part]) > len(used):
                t[part], left[part] = _from_products(rows[used], place.reshape(-1, 2), weights)
        direct = np.flatnonzero(left)
        for part, d in differences(rows, pairs[direct]):
            found = moments(d, weights)
            of_part = np.divide(np.abs(found.mean), found.error, out=np.full(len(d), np.inf), where=found.error > 0)
            of_part[~d.any(axis=1)] = 0.0
            t[direct[part]] = of_part
        size = rows.shape[1] if weights is None else effective_size(weights)
        p: Float64 = np.minimum(1.0, 2.0 * stdtr(size - 1.0, -t))
        return p

    def rejections(self, rows: Float64, pairs: Int64, members: Int64, level: float) -> Int64:
        """Sums of differences and of their squares, of all subsets, are matrix products."""
        from scipy.special import stdtrit

        size = members.shape[1]
        drawn = np.zeros((rows.shape[1], len(members)))
        drawn[members.T, np.arange(len(members))] = 1.0
        limit = float(stdtrit(size - 1.0, 1.0 - level / 2)) ** 2
        total = np.zeros(len(pairs), dtype=np.int64)
        for part, d in differences(rows, pairs):
            centre = d.mean(axis=1, keepdims=True)
            off = d - centre
            mean = off @ drawn / size
            spread = np.square(off) @ drawn / size - np.square(mean)
            spread[spread <= 1e-12 * np.square(d).max(axis=1, keepdims=True)] = 0.0
            # t² > limit, written without dividing by a spread that may be 0; equal columns never reject
            rejects: Bool = np.square(mean + centre) * (size - 1) > limit * spread
            total[part] = (rejects & d.any(axis=1, keepdims=True)).sum(axis=1)
        return total

    def phrase(self) -> str:
        return "the paired two-sided t test"


def _from_products(rows: Float64, pairs: Int64, weights: Float64 | None) -> tuple[Float64, Bool]:
    """|t| of each pair from one matrix of products, and which pairs it cannot serve."""
    from heldout.threads import single_blas

    n = rows.shape[1]
    share = np.full(n, 1.0 / n) if weights is None else weights / weights.sum()
    size = float(n) if weights is None else effective_size(weights)
    rows = rows - rows.mean()  # means far from 0 would cancel in their differences
    mean = rows @ share
    centred = rows - mean[:, None]
    with single_blas():
        products = (centred * share) @ centred.T
    own = np.diag(products)
    a, b = pairs.T
    both = own[a] + own[b]
    square = both - 2.0 * products[a, b]
    usable = square > _ROUNDING * both
    t = np.abs(mean[a] - mean[b]) / np.sqrt(np.where(usable, square, 1.0) / (size - 1.0))
    # p falls about as exp(−t²/2), so what t² rounds by is what p errs by, relative to itself.
    amplified = np.divide(both, square, out=np.full(len(pairs), np.inf), where=usable)
    return t, (1.0 + np.square(t)) * _ROUNDING * amplified > _TOLERATED
