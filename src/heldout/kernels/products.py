"""Products of sparse with sparse and dense matrices."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import kernel, reordering_kernel, work_of_rows

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

PANEL = 128
"""Columns of a dense matrix that are multiplied together: with 50 rows they fit the first cache."""
_AT_ONCE = 4
"""Rows of a panel that are added in one pass over a row of sums."""


@kernel(steps=lambda *, start, stop, row_ptr, col_ptr, col_idx, **_: work_of_rows(start, stop, col_ptr, col_idx, row_ptr))
def gram_upper(
    start: int,
    stop: int,
    row_ptr: Int64,
    row_idx: Int32,
    row_val: Float64,
    col_ptr: Int64,
    col_idx: Int32,
    col_val: Float64,
    out: Float64,
) -> None:
    """Rows start…stop−1 of the upper half of XᵀX, added to `out`; X by rows and by columns, both in ascending order."""
    for i in range(start, stop):
        target = out[i]
        for p in range(col_ptr[i], col_ptr[i + 1]):
            own, u = col_val[p], col_idx[p]
            for s in range(row_ptr[u + 1] - 1, row_ptr[u] - 1, -1):
                if row_idx[s] < i:
                    break
                target[row_idx[s]] += own * row_val[s]


@kernel
def scaled_columns(upper: Float64, diagonal: Float64) -> Float32:
    """−P[r, c] / P[c, c] as float32 with a diagonal of 0, from the upper half of a symmetric P."""
    n, side = len(upper), 64
    out = np.empty((n, n), np.float32)
    # In squares that fit the cache: half of the reads run down columns.
    for r0 in range(0, n, side):
        for c0 in range(r0, n, side):
            for r in range(r0, min(r0 + side, n)):
                for c in range(max(c0, r), min(c0 + side, n)):
                    out[r, c] = -upper[r, c] / diagonal[c]
                    out[c, r] = -upper[r, c] / diagonal[r]
    for r in range(n):
        out[r, r] = 0
    return out


@reordering_kernel
def sparse_times_dense(rows: Int64, ptr: Int64, idx: Int32, val: Float64, dense: Float32) -> Float32:
    """Chosen rows of a sparse matrix times a dense float32 one; NaN for rows without entries."""
    n = dense.shape[1]
    out = np.full((len(rows), n), np.nan, np.float32)
    for t in range(len(rows)):
        p, end = ptr[rows[t]], ptr[rows[t] + 1]
        if p == end:
            continue
        total = out[t]
        total[:] = 0
        while p + 8 <= end:
            d0, d1, d2, d3 = dense[idx[p]], dense[idx[p + 1]], dense[idx[p + 2]], dense[idx[p + 3]]
            d4, d5, d6, d7 = dense[idx[p + 4]], dense[idx[p + 5]], dense[idx[p + 6]], dense[idx[p + 7]]
            v0, v1, v2, v3 = np.float32(val[p]), np.float32(val[p + 1]), np.float32(val[p + 2]), np.float32(val[p + 3])
            v4, v5, v6, v7 = np.float32(val[p + 4]), np.float32(val[p + 5]), np.float32(val[p + 6]), np.float32(val[p + 7])
            for c in range(n):
                few = v0 * d0[c] + v1 * d1[c] + v2 * d2[c] + v3 * d3[c]
                total[c] += few + v4 * d4[c] + v5 * d5[c] + v6 * d6[c] + v7 * d7[c]
            p += 8
        while p < end:
            d0, v0 = dense[idx[p]], np.float32(val[p])
            for c in range(n):
                total[c] += v0 * d0[c]
            p += 1
    return out


def panels(dense: Float32) -> Float32:
    """The columns of a dense matrix in panels of `PANEL`, one after the other, each by rows; filled up with zeros.

    The rows of what it is multiplied with are filled up to the same length: see `filled_rows`.
    """
    rows, columns = dense.shape
    out = np.zeros((-(-columns // PANEL) * PANEL, _filled(rows)), np.float32)
    out[:columns, :rows] = dense.T
    return np.ascontiguousarray(out.reshape(-1, PANEL, out.shape[1]).transpose(0, 2, 1)).reshape(-1)


def filled_rows(rows: Float32 | Float64) -> Float32:
    """The rows as float32, with zeros up to a length that the kernel of inner products takes."""
    out = np.zeros((len(rows), _filled(rows.shape[1])), np.float32)
    out[:, : rows.shape[1]] = rows
    return out


def _filled(length: int) -> int:
    return -(-length // _AT_ONCE) * _AT_ONCE


@reordering_kernel
def rows_times_panels(chosen: Int64, rows: Float32, panels: Float32, n: int) -> Float32:
    """Chosen rows, filled up, times a dense matrix of n columns in panels.

    Every row takes the same steps, whatever its place and whoever else is chosen. BLAS does not promise that: on processors
    with AVX2 its kernels take the rows of a matrix in groups that add in different orders.
    """
    f = rows.shape[1]
    out, total = np.empty((len(chosen), n), np.float32), np.empty(PANEL, np.float32)
    for first in range(0, n, PANEL):
        panel = panels[first * f : (first + PANEL) * f]
        for t in range(len(chosen)):
            x = rows[chosen[t]]
            total[:] = 0
            for k in range(0, f, _AT_ONCE):
                y = panel[k * PANEL : (k + _AT_ONCE) * PANEL]
                x0, x1, x2, x3 = x[k], x[k + 1], x[k + 2], x[k + 3]
                for c in range(PANEL):
                    total[c] += x0 * y[c] + x1 * y[c + PANEL] + x2 * y[c + 2 * PANEL] + x3 * y[c + 3 * PANEL]
            for c in range(min(PANEL, n - first)):
                out[t, first + c] = total[c]
    return out
