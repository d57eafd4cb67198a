"""The paired t test."""

from __future__ import annotations

import numpy as np

from heldout.aggregate.moments import effective_size, moments
from heldout.compare.differences import checked_rows, differences
from heldout.compare.test import Test
from heldout.tables.arrays import Bool, Float64, Int64

_CANCELLED = 1e-3
"""Share of both variances below which that of the difference is taken from the differences themselves."""


class PairedT(Test):
    """Student's paired t test of the difference in means, two-sided.

    Assumes: the mean of the users' differences is nearly normal, which thousands of users bring about. Two equal columns
    give p = 1; a difference that is the same for every user and not 0 gives p = 0. Weighted, the users count as
    (Σw)² / Σw² (the effective sample size), and equal weights give the plain test. All pairs come from one matrix of
    products of columns; where two columns are nearly equal, from their differences, lest digits cancel.

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
        if len(pairs) > len(rows):
            t, left = _from_products(rows, pairs, weights)
        direct = np.flatnonzero(left)
        for part, d in differences(rows, pairs[direct]):
            found = moments(d, weights)
            of_part = np.divide(np.abs(found.mean), found.error, out=np.full(len(d), np.inf), where=found.error > 0)
            of_part[~d.any(axis=1)] = 0.0
            t[direct[part]] = of_part
        size = rows.shape[1] if weights is None else effective_size(weights)
        p: Float64 = np.minimum(1.0, 2.0 * stdtr(size - 1.0, -t))
        return p


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
    square = own[a] + own[b] - 2.0 * products[a, b]
    cancelled = square <= _CANCELLED * (own[a] + own[b])
    error = np.sqrt(np.where(cancelled, 1.0, square) / (size - 1.0))
    return np.abs(mean[a] - mean[b]) / error, cancelled
