"""Stochastic gradient descent on one cell of a grid of users × items; cells that share neither can run at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import kernel, reordering_kernel
from heldout.kernels.sampling import _below, mixed

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@kernel
def bucket(
    owner: Int32, item: Int32, block_of_user: Int32, block_of_item: Int32, parts: int, ptr: Int64, rows: Int32
) -> None:
    """Group ratings by cell: those of cell (p, q) are `rows[ptr[p · parts + q]:ptr[p · parts + q + 1]]`, in their order."""
    ptr[:] = 0
    for r in range(len(owner)):
        ptr[block_of_user[owner[r]] * parts + block_of_item[item[r]] + 1] += 1
    for c in range(parts * parts):
        ptr[c + 1] += ptr[c]
    at = ptr[:-1].copy()
    for r in range(len(owner)):
        c = block_of_user[owner[r]] * parts + block_of_item[item[r]]
        rows[at[c]] = r
        at[c] += 1


@kernel
def _rated(items: Int32, low: int, high: int, wanted: int) -> Any:
    """Whether an ascending, not empty range of items holds one; without branches, which could not be foretold."""
    n = high - low
    while n > 1:
        half = n >> 1
        low += half * (items[low + half] <= wanted)
        n -= half
    return items[low] == wanted


@kernel
def _draw_pairs(
    state: np.uint64, by_user: bool, first: Int64, who: Int32, segment: Int32, rated: Int32, pool: Int32, pairs: Int32
) -> Any:
    """Fill `pairs` with (user, rated item, unrated item of `pool`), −1 where none is met in a few draws; the next state.

    The cell's items `rated[first[k]:first[k + 1]]` are those of user `who[k]`; `segment` is the k of every rating.
    """
    for at in range(len(pairs)):
        state += _GOLDEN
        if by_user:
            k = _below(mixed(state), len(who))
            state += _GOLDEN
            i = rated[first[k] + _below(mixed(state), first[k + 1] - first[k])]
        else:
            r = _below(mixed(state), len(rated))
            k, i = segment[r], rated[r]
        j = -1
        for _ in range(16):
            state += _GOLDEN
            drawn = pool[_below(mixed(state), len(pool))]
            if not _rated(rated, first[k], first[k + 1], drawn):
                j = drawn
                break
        pairs[at, 0], pairs[at, 1], pairs[at, 2] = who[k], i, j
    return state


@reordering_kernel
def rank_pairs(
    key: np.uint64,
    rows: Int32,
    owner: Int32,
    item: Int32,
    pool: Int32,
    users: Float32,
    items: Float32,
    bias: Float32,
    rate: float,
    l2: float,
    by_user: bool,
) -> None:
    """Bayesian personalised ranking: as many steps as `rows` has ratings, each on one of them and an unrated item of `pool`.

    `rows` stand by user and item and hold all ratings of their users in `pool`. All ratings are drawn alike or, `by_user`,
    first a user of the cell and then one of the user's ratings. A step that meets no unrated item is left out.
    """
    f, left = users.shape[1], len(rows)
    one, step, shrink = np.float32(1), np.float32(rate), np.float32(l2)
    rated, segment = np.empty(left, np.int32), np.empty(left, np.int32)
    first, who, n = np.empty(left + 1, np.int64), np.empty(left, np.int32), 0
    for k in range(left):
        rated[k] = item[rows[k]]
        if n == 0 or owner[rows[k]] != who[n - 1]:
            first[n], who[n] = k, owner[rows[k]]
            n += 1
        segment[k] = n - 1
    first[n] = left
    # Drawn a few at a time, so that waiting for memory overlaps.
    drawn, state = np.empty((64, 3), np.int32), key
    while left > 0:
        pairs = drawn[: min(left, len(drawn))]
        left -= len(pairs)
        state = _draw_pairs(state, by_user, first, who[:n], segment, rated, pool, pairs)
        for k in range(len(pairs)):
            u, i, j = pairs[k, 0], pairs[k, 1], pairs[k, 2]
            if j < 0:
                continue
            x, y, z = users[u], items[i], items[j]
            margin = bias[i] - bias[j]
            for c in range(f):
                margin += x[c] * (y[c] - z[c])
            slope = one / (one + np.exp(margin))
            bias[i] += step * (slope - shrink * bias[i])
            bias[j] -= step * (slope + shrink * bias[j])
            for c in range(f):
                own, up, down = x[c], y[c], z[c]
                x[c] = own + step * (slope * (up - down) - shrink * own)
                y[c] = up + step * (slope * own - shrink * up)
                z[c] = down - step * (slope * own + shrink * down)


@reordering_kernel
def fit_ratings(
    key: np.uint64,
    rows: Int32,
    owner: Int32,
    item: Int32,
    value: Float64,
    mean: float,
    users: Float64,
    items: Float64,
    user_bias: Float64,
    item_bias: Float64,
    rate: float,
    l2: float,
    l2_bias: float,
) -> None:
    """One pass over the ratings of a cell in an order of its own: r ≈ mean + b_u + b_i + x_u·y_i."""
    f = users.shape[1]
    order = rows.copy()
    state = key
    for t in range(len(order) - 1, -1, -1):
        state += _GOLDEN
        other = _below(mixed(state), t + 1)
        order[t], order[other] = order[other], order[t]
    for r in order:
        u, i = owner[r], item[r]
        x, y = users[u], items[i]
        predicted = mean + user_bias[u] + item_bias[i]
        for c in range(f):
            predicted += x[c] * y[c]
        error = value[r] - predicted
        user_bias[u] += rate * (error - l2_bias * user_bias[u])
        item_bias[i] += rate * (error - l2_bias * item_bias[i])
        for c in range(f):
            own, up = x[c], y[c]
            x[c] = own + rate * (error * up - l2 * own)
            y[c] = up + rate * (error * own - l2 * up)
