"""Predictions from the nearest of those who rated an item, or of the items that a user rated."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import entries_of, kernel

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]


@kernel(steps=lambda *, code, ptr, total, **_: len(total) // 20 + len(code) + entries_of(ptr, code))
def nearest_raters(
    code: Int32,
    similarity: Float32,
    ptr: Int64,
    idx: Int32,
    val: Float64,
    k: int,
    total: Float64,
    weight: Float64,
    met: Int32,
) -> None:
    """Add sim · value and sim of the first k rows, in the order given, that have each column, and count them."""
    total[:] = 0
    weight[:] = 0
    met[:] = 0
    for p in range(len(code)):
        alike = similarity[p]
        for s in range(ptr[code[p]], ptr[code[p] + 1]):
            i = idx[s]
            if met[i] < k:
                met[i] += 1
                total[i] += alike * val[s]
                weight[i] += alike


@kernel(steps=lambda *, users, near_ptr, near_idx, **_: len(users) * (len(near_ptr) + len(near_idx)))
def nearest_rated(
    users: Int64,
    ptr: Int64,
    idx: Int32,
    val: Float64,
    near_ptr: Int64,
    near_idx: Int32,
    near_val: Float64,
    k: int,
    least: int,
) -> Float64:
    """Σ sim(i, j) value(u, j) over the k of each user's columns j that are nearest to i, for all i.

    `near` are the neighbours of every column, nearest first, and symmetric. NaN where there are fewer than `least`.
    """
    n = len(near_ptr) - 1
    out = np.zeros((len(users), n))
    met, rated, value = np.empty(n, np.int32), np.zeros(n, np.bool_), np.zeros(n)
    for t in range(len(users)):
        low, high = ptr[users[t]], ptr[users[t] + 1]
        met[:] = 0
        if high - low <= k:  # all of them are among the k nearest
            for p in range(low, high):
                own = val[p]
                for s in range(near_ptr[idx[p]], near_ptr[idx[p] + 1]):
                    out[t, near_idx[s]] += near_val[s] * own
                    met[near_idx[s]] += 1
        else:
            for p in range(low, high):
                rated[idx[p]], value[idx[p]] = True, val[p]
            for i in range(n):
                for s in range(near_ptr[i], near_ptr[i + 1]):
                    if rated[near_idx[s]]:
                        out[t, i] += near_val[s] * value[near_idx[s]]
                        met[i] += 1
                        if met[i] == k:
                            break
            for p in range(low, high):
                rated[idx[p]] = False
        for i in range(n):
            if met[i] < least:
                out[t, i] = np.nan
    return out
