"""Resampling users: how often each was drawn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import kernel


@kernel
def count_draws(drawn: NDArray[np.int32], times: NDArray[np.float32]) -> None:
    """Add to `times` (samples × users) how often each user was drawn in each sample."""
    for r in range(drawn.shape[0]):
        row = times[r]
        for k in range(drawn.shape[1]):
            row[drawn[r, k]] += np.float32(1.0)


@kernel
def signed_rank_draws(
    weights: NDArray[np.float64],
    order: NDArray[np.int64],
    above: NDArray[np.int64],
    below: NDArray[np.int64],
    theta: NDArray[np.float64],
) -> None:
    """Of each draw of weights the shares of pairs (i, j) beyond a region on either side and within it: above, in, below.

    `order` sorts the differences; the partners of the i-th that lie above the region are those from above[i] on, the
    partners below it those before below[i].
    """
    n = weights.shape[1]
    running = np.empty(n + 1)
    for r in range(weights.shape[0]):
        running[0] = 0.0
        for i in range(n):
            running[i + 1] = running[i] + weights[r, order[i]]
        total = running[n]
        over, under = 0.0, 0.0
        for i in range(n):
            w = running[i + 1] - running[i]
            over += w * (total - running[above[i]])
            under += w * running[below[i]]
        square = total * total
        theta[r, 0], theta[r, 2] = over / square, under / square
        theta[r, 1] = (square - over - under) / square
