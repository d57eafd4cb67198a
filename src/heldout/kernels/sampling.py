"""Sampling items without replacement, keyed by user, so that every system meets the same sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import kernel


@kernel
def _mixed(state: Any) -> Any:
    """The finaliser of splitmix64."""
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


@kernel
def _below(state: Any, n: int) -> Any:
    """A number in 0…n−1 from 64 random bits (multiply and shift)."""
    return np.int64(((state >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@kernel
def sample_unrated(
    key: Any,
    users: Any,
    pool: Any,
    n_items: int,
    train_indptr: Any,
    train_item: Any,
    row_indptr: Any,
    row_item: Any,
    sample: Any,
    sampled: Any,
) -> None:
    """For each user of a tile, items of `pool` that the user rated nowhere, drawn without replacement.

    Writes `sample` (users × N) and `sampled`: N, or the number of such items where they are fewer.
    """
    wanted = sample.shape[1]
    taken = np.zeros(n_items, np.int32)
    left = np.empty(pool.shape[0], np.int32)
    golden = np.uint64(0x9E3779B97F4A7C15)
    for k in range(users.shape[0]):
        user = users[k]
        mark = np.int32(k + 1)
        for t in range(train_indptr[user], train_indptr[user + 1]):
            taken[train_item[t]] = mark
        for e in range(row_indptr[k], row_indptr[k + 1]):
            taken[row_item[e]] = mark
        state = _mixed(np.uint64(key) + np.uint64(user + 1) * golden)
        n = 0
        for item in pool:
            if taken[item] != mark:
                left[n] = item
                n += 1
        sampled[k] = min(wanted, n)
        for c in range(sampled[k]):
            state += golden
            other = c + _below(_mixed(state), n - c)
            left[c], left[other] = left[other], left[c]
            sample[k, c] = left[c]
