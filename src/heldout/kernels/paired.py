"""Rows of users' values: their means, the spread of differences between two rows, means over folds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import kernel
from heldout.kernels.lanes import LANES, PRODUCTS, SQUARES, SUM, steps_of_totals, total, totals

Reals = NDArray[np.float64]


def _means(rows: Reals, weights: Reals, out: Reals) -> None:
    out[:] = totals(rows, weights) / totals(weights) if len(weights) else totals(rows) / rows.shape[1]


@kernel(small=_means, steps=lambda *, rows, **_: steps_of_totals(*rows.shape))
def row_means(rows: Reals, weights: Reals, out: Reals) -> None:
    """out[m] = Σ_u rows[m, u] weights[u] / Σ_u weights[u]; without weights every user counts alike."""
    lanes = np.empty(LANES)
    weight = total(SUM, weights, weights, 0.0, lanes)
    for m in range(rows.shape[0]):
        if len(weights):
            out[m] = total(PRODUCTS, rows[m], weights, 0.0, lanes) / weight
        else:
            out[m] = total(SUM, rows[m], rows[m], 0.0, lanes) / rows.shape[1]


def _squares(rows: Reals, weights: Reals, means: Reals, out: Reals) -> None:
    apart = rows - means[:, None]
    out[:] = totals(apart * apart, weights) / totals(weights) if len(weights) else totals(apart, apart) / rows.shape[1]


@kernel(small=_squares, steps=lambda *, rows, **_: steps_of_totals(*rows.shape))
def row_squares(rows: Reals, weights: Reals, means: Reals, out: Reals) -> None:
    """out[m] = Σ_u (rows[m, u] − means[m])² weights[u] / Σ_u weights[u]; without weights every user counts alike."""
    lanes, squares = np.empty(LANES), np.empty(len(weights))
    weight = total(SUM, weights, weights, 0.0, lanes)
    for m in range(rows.shape[0]):
        out[m] = _square(rows[m], weights, weight, means[m], squares, lanes)


@kernel(interpreted=False)
def _square(row: Any, weights: Any, weight: float, centre: float, squares: Any, lanes: Any) -> Any:
    """The mean square of a row about a centre; `squares` is room for as many numbers as there are weights."""
    if len(weights) == 0:
        return total(SQUARES, row, row, centre, lanes) / row.shape[0]
    for u in range(row.shape[0]):
        apart = row[u] - centre
        squares[u] = apart * apart
    return total(PRODUCTS, squares, weights, 0.0, lanes) / weight


def _spread(
    rows: Reals,
    pairs: NDArray[np.int64],
    weights: Reals,
    rounding: float,
    mean: Reals,
    square: Reals,
    greater: NDArray[np.int64],
    less: NDArray[np.int64],
) -> None:
    a, b = rows[pairs[:, 0]], rows[pairs[:, 1]]
    gaps = a - b
    gaps[~(np.abs(gaps) > rounding * np.maximum(np.abs(a), np.abs(b)))] = 0.0
    _means(gaps, weights, mean)
    _squares(gaps, weights, mean, square)
    greater[:], less[:] = np.count_nonzero(gaps > 0, axis=1), np.count_nonzero(gaps < 0, axis=1)


@kernel(small=_spread, steps=lambda *, rows, pairs, **_: 2 * steps_of_totals(len(pairs), rows.shape[1]))
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
    d, lanes, squares = np.empty(users), np.empty(LANES), np.empty(len(weights))
    weight = total(SUM, weights, weights, 0.0, lanes)
    for p in range(pairs.shape[0]):
        a, b = rows[pairs[p, 0]], rows[pairs[p, 1]]
        above = below = 0
        for u in range(users):
            x, y = a[u], b[u]
            gap = x - y
            gap = gap if abs(gap) > rounding * max(abs(x), abs(y)) else 0.0
            d[u] = gap
            above += gap > 0
            below += gap < 0
        if len(weights):
            mean[p] = total(PRODUCTS, d, weights, 0.0, lanes) / weight
        else:
            mean[p] = total(SUM, d, d, 0.0, lanes) / users
        square[p] = _square(d, weights, weight, mean[p], squares, lanes)
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
