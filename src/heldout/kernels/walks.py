"""Truncated walks on the bipartite graph of users and items, for a tile of users side by side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import kernel

Float32 = NDArray[np.float32]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]


@kernel
def _step(ptr: Int64, idx: Int32, chance: Float32, before: Float32, after: Float32) -> None:
    """after = P before: every node's expectation over where it goes next, for all columns."""
    for x in range(len(ptr) - 1):
        row = after[x]
        row[:] = 0
        for p in range(ptr[x], ptr[x + 1]):
            weight, source = chance[p], before[idx[p]]
            for c in range(len(row)):
                row[c] += weight * source[c]


@kernel(steps=lambda *, users, user_idx, steps, **_: 2 * steps * len(users) * len(user_idx))
def steps_saved(
    users: Int64,
    user_ptr: Int64,
    user_idx: Int32,
    user_chance: Float32,
    item_ptr: Int64,
    item_idx: Int32,
    item_chance: Float32,
    steps: int,
) -> Float32:
    """steps − the expected time of a walk from each item to each of the users, cut after so many steps.

    G_0 = 0, G_t(x) = Σ_y p(x → y) G_{t−1}(y), and G_t = t at the user who is looked for: small numbers keep their
    digits, which steps − G would not.
    """
    at_users = np.zeros((len(user_ptr) - 1, len(users)), np.float32)
    at_items = np.zeros((len(item_ptr) - 1, len(users)), np.float32)
    t = (steps - 1) % 2
    for c in range(len(users)):
        at_users[users[c], c] = t
    while t < steps - 1:
        _step(item_ptr, item_idx, item_chance, at_users, at_items)
        _step(user_ptr, user_idx, user_chance, at_items, at_users)
        t += 2
        for c in range(len(users)):
            at_users[users[c], c] = t
    _step(item_ptr, item_idx, item_chance, at_users, at_items)
    return at_items
