"""Rows of users' values: their means, the spread of differences between two rows, means over folds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import kernel, reordering_kernel

Reals = NDArray[np.float64]


@reordering_kernel
def row_means(rows: Reals, weights: Reals, out: Reals) -> None:
    """out[m] = Σ_u rows[m, u] weights[u] / Σ_u weights[u]; without weights every user counts alike."""
    users = rows.shape[1]
    weight = 0.0
    for u in range(len(weights)):
        weight += weights[u]
    for m in range(rows.shape[0]):
        total = 0.0
        if len(weights):
            for u in range(users):
                total += rows[m, u] * weights[u]
        else:
            for u in range(users):
                total += rows[m, u]
        out[m] = total / (weight if len(weights) else users)


@reordering_kernel
def row_squares(rows: Reals, weights: Reals, means: Reals, out: Reals) -> None:
    """out[m] = Σ_u (rows[m, u] − means[m])² weights[u] / Σ_u weights[u]; without weights every user counts alike."""
    users = rows.shape[1]
    weight = 0.0
    for u in range(len(weights)):
        weight += weights[u]
    for m in range(rows.shape[0]):
        total, centre = 0.0, means[m]
        if len(weights):
            for u in range(users):
                apart = rows[m, u] - centre
                total += apart * apart * weights[u]
        else:
            for u in range(users):
                apart = rows[m, u] - centre
                total += apart * apart
        out[m] = total / (weight if len(weights) else users)


@reordering_kernel
def spread_of_pairs(
    rows: Reals,
    pairs: NDArray[np.int64],
    weights: Reals,
    rounding: float,
    mean: Reals,
    square: Reals,
    greater: NDArray[np.int64],
    less: NDArray[np.int64],
) -> None:
    """Of the differences rows[a] − rows[b] of each pair: mean, mean square about it, and how many are above and below 0.

    A difference within `rounding` of the larger value is none. Without weights every user counts alike.
    """
    users = rows.shape[1]
    d = np.empty(users)
    weight = 0.0
    for u in range(len(weights)):
        weight += weights[u]
    for p in range(pairs.shape[0]):
        a, b = rows[pairs[p, 0]], rows[pairs[p, 1]]
        above = below = 0
        total = 0.0
        for u in range(users):
            x, y = a[u], b[u]
            gap = x - y
            gap = gap if abs(gap) > rounding * max(abs(x), abs(y)) else 0.0
            d[u] = gap
            above += gap > 0
            below += gap < 0
        second = 0.0
        if len(weights):
            for u in range(users):
                total += d[u] * weights[u]
            centre = total / weight
            for u in range(users):
                apart = d[u] - centre
                second += apart * apart * weights[u]
            mean[p], square[p] = centre, second / weight
        else:
            for u in range(users):
                total += d[u]
            centre = total / users
            for u in range(users):
                apart = d[u] - centre
                second += apart * apart
            mean[p], square[p] = centre, second / users
        greater[p], less[p] = above, below


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
