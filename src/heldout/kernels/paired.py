"""Rows of users' values, compared pair by pair: means, differences and their spread under several weightings at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import kernel, reordering_kernel

Reals = NDArray[np.float64]


@reordering_kernel
def weighted_means(rows: Reals, shares: Reals, out: Reals) -> None:
    """out[m, k] = Σ_u rows[m, u] shares[k, u]; shares of one weighting add up to 1."""
    users = rows.shape[1]
    for m in range(rows.shape[0]):
        for k in range(shares.shape[0]):
            total = 0.0
            for u in range(users):
                total += rows[m, u] * shares[k, u]
            out[m, k] = total


@reordering_kernel
def spread_of_differences(
    a: Reals, b: Reals, shares: Reals, rounding: float, mean: Reals, square: Reals, wins: Reals, losses: Reals
) -> None:
    """Of the differences of rows a[m] − b[m]: their mean and mean square about it under each weighting, and their signs.

    A difference within `rounding` of the larger value is none. Each row is gone through while it is in the cache.
    """
    users = a.shape[1]
    d = np.empty(users)
    for m in range(a.shape[0]):
        won = lost = 0
        for u in range(users):
            x, y = a[m, u], b[m, u]
            gap = x - y
            gap = gap if abs(gap) > rounding * max(abs(x), abs(y)) else 0.0
            d[u] = gap
            won += gap > 0
            lost += gap < 0
        wins[m], losses[m] = won, lost
        for k in range(shares.shape[0]):
            total = 0.0
            for u in range(users):
                total += d[u] * shares[k, u]
            second = 0.0
            for u in range(users):
                apart = d[u] - total
                second += apart * apart * shares[k, u]
            mean[m, k], square[m, k] = total, second


@kernel
def mean_over_folds(
    rows: Reals, user: NDArray[np.int64], included: NDArray[np.bool_], weights: Reals, out: Reals, weight: Reals
) -> None:
    """out[m, u]: the weighted mean of rows[m] over the included cells of user u with a value; NaN where there is none.

    `weight` is room for one number per user.
    """
    for m in range(rows.shape[0]):
        for u in range(out.shape[1]):
            out[m, u] = 0.0
            weight[u] = 0.0
        for c in range(rows.shape[1]):
            value = rows[m, c]
            if included[c] and not np.isnan(value):
                out[m, user[c]] += value * weights[c]
                weight[user[c]] += weights[c]
        for u in range(out.shape[1]):
            out[m, u] = out[m, u] / weight[u] if weight[u] > 0 else np.nan
