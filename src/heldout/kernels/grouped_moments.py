"""Moments of users' values within groups: what is added up over pieces of users."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import kernel

Reals = NDArray[np.float64]


@kernel
def moments_by_group(
    values: Reals,
    kept: NDArray[np.bool_],
    weights: Reals,
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
    out: Reals,
    sums: Reals,
) -> None:
    """Of each group (users order[starts[g]:starts[g + 1]]) the kept users: n, Σw, Σw², the weighted mean, Σw (x − mean)².

    `out` is 5 × groups, `sums` gets Σ w x. Without weights every user counts 1. Users are added in their order.
    """
    for g in range(starts.shape[0] - 1):
        n = weight = square = total = 0.0
        for at in range(starts[g], starts[g + 1]):
            u = order[at]
            if kept[u]:
                w = weights[u] if len(weights) else 1.0
                n += 1.0
                weight += w
                square += w * w
                total += w * values[u]
        mean = total / weight if weight > 0 else 0.0
        spread = 0.0
        for at in range(starts[g], starts[g + 1]):
            u = order[at]
            if kept[u]:
                apart = values[u] - mean
                spread += (weights[u] if len(weights) else 1.0) * apart * apart
        out[0, g], out[1, g], out[2, g], out[3, g], out[4, g] = n, weight, square, mean, spread
        sums[g] = total


@kernel
def count_by_group(
    kept: NDArray[np.bool_], order: NDArray[np.int64], starts: NDArray[np.int64], out: NDArray[np.float64]
) -> None:
    """Of each group how many users are kept."""
    for g in range(starts.shape[0] - 1):
        n = 0
        for at in range(starts[g], starts[g + 1]):
            n += kept[order[at]]
        out[g] = n
