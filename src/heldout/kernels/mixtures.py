"""The two passes of expectation–maximisation for mixtures of topics: over rows, then over columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import reordering_kernel

Float64 = NDArray[np.float64]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]


@reordering_kernel
def share_rows(
    start: int, stop: int, ptr: Int64, idx: Int32, val: Float64, mine: Float64, other: Float64, ratio: Float64, out: Float64
) -> float:
    """For rows start…stop−1: what each topic explains of the row's values, into `out`.

    An entry of value v is explained by topic z in the share mine·other / Σ mine·other; `ratio` keeps v / Σ mine·other for
    the pass over columns. Returns Σ v log Σ mine·other, −∞ where no topic explains an entry.
    """
    n = mine.shape[1]
    likelihood = 0.0
    for r in range(start, stop):
        own, total = mine[r], out[r]
        total[:] = 0
        for p in range(ptr[r], ptr[r + 1]):
            ratio[p] = 0.0
            if val[p] == 0.0:
                continue
            row = other[idx[p]]
            chance = 0.0
            for z in range(n):
                chance += own[z] * row[z]
            if chance == 0.0:
                return -np.inf
            weight = val[p] / chance
            likelihood += val[p] * np.log(chance)
            ratio[p] = weight
            for z in range(n):
                total[z] += weight * row[z]
        for z in range(n):
            total[z] *= own[z]
    return likelihood


@reordering_kernel
def share_columns(
    start: int, stop: int, ptr: Int64, idx: Int32, place: Int64, ratio: Float64, mine: Float64, other: Float64, out: Float64
) -> None:
    """The same sums for columns start…stop−1; entry p of a column is entry `place[p]` of the pass over rows."""
    n = mine.shape[1]
    for c in range(start, stop):
        own, total = mine[c], out[c]
        total[:] = 0
        for p in range(ptr[c], ptr[c + 1]):
            row, weight = other[idx[p]], ratio[place[p]]
            for z in range(n):
                total[z] += weight * row[z]
        for z in range(n):
            total[z] *= own[z]
