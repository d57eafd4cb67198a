"""Co-counts of items, and scores gathered over a user's items from an items × items matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import entries_of, kernel, work_of_rows

Float32 = NDArray[np.float32]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]


@kernel(steps=lambda *, start, stop, row_ptr, col_ptr, col_idx, **_: work_of_rows(start, stop, col_ptr, col_idx, row_ptr))
def co_counts(start: int, stop: int, row_ptr: Int64, row_idx: Int32, col_ptr: Int64, col_idx: Int32, out: Float32) -> None:
    """Rows start…stop−1 of the matrix of how many users rated both of two items; the diagonal holds the raters."""
    for i in range(start, stop):
        target = out[i]
        target[:] = 0
        for p in range(col_ptr[i], col_ptr[i + 1]):
            u = col_idx[p]
            for s in range(row_ptr[u], row_ptr[u + 1]):
                target[row_idx[s]] += 1


@kernel(steps=lambda *, users, ptr, pairs, **_: pairs.shape[1] * (len(users) + entries_of(ptr, users)))
def gathered(users: Int64, ptr: Int64, idx: Int32, pairs: Float32, largest: bool) -> Float32:
    """Over a user's items j the largest, or the sum, of pairs[j, i]; NaN where all are 0."""
    n = pairs.shape[1]
    out = np.full((len(users), n), np.nan, np.float32)
    total = np.empty(n, np.float32)
    for t in range(len(users)):
        total[:] = 0
        for p in range(ptr[users[t]], ptr[users[t] + 1]):
            row = pairs[idx[p]]
            if largest:
                for i in range(n):
                    total[i] = max(total[i], row[i])
            else:
                for i in range(n):
                    total[i] += row[i]
        for i in range(n):
            if total[i] > 0:
                out[t, i] = total[i]
    return out
