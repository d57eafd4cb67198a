"""Points of users' own curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import kernel


@kernel
def best_from(indptr: Any, rank: Any, needed: Any, out: Any) -> None:
    """The highest precision of each list from its `needed`-th hit on, for every column of `needed`; 0 where it has fewer."""
    most = 0
    for k in range(indptr.shape[0] - 1):
        most = max(most, indptr[k + 1] - indptr[k])
    best = np.zeros(most + 1)
    for k in range(indptr.shape[0] - 1):
        low = indptr[k]
        hits = indptr[k + 1] - low
        running = 0.0
        for j in range(hits, 0, -1):
            running = max(running, j / rank[low + j - 1])
            best[j] = running
        for c in range(needed.shape[1]):
            out[k, c] = best[needed[k, c]] if needed[k, c] <= hits else 0.0
