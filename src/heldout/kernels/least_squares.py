"""Regularised least squares, one small system for each row of a sparse matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import reordering_kernel

Float64 = NDArray[np.float64]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

_CHUNK = 512


@reordering_kernel
def _solve_upper(a: Float64, b: Float64) -> bool:
    """Solve a x = b in place of b; only the upper half of a is read, and it is overwritten. False if not positive."""
    f = len(b)
    # Cholesky, four pivots at a time: the rest of the matrix is read and written a quarter as often.
    for k in range(0, f, 4):
        end = min(k + 4, f)
        for j in range(k, end):
            if not a[j, j] > 0:
                return False
            inverse = 1 / np.sqrt(a[j, j])
            for c in range(j, f):
                a[j, c] *= inverse
            for r in range(j + 1, end):
                factor = a[j, r]
                for c in range(r, f):
                    a[r, c] -= factor * a[j, c]
        if end < f:
            p0, p1, p2, p3 = a[k], a[k + 1], a[k + 2], a[k + 3]
            for r in range(end, f):
                row, w0, w1, w2, w3 = a[r], p0[r], p1[r], p2[r], p3[r]
                for c in range(r, f):
                    row[c] -= w0 * p0[c] + w1 * p1[c] + w2 * p2[c] + w3 * p3[c]
    for k in range(f):
        b[k] /= a[k, k]
        for c in range(k + 1, f):
            b[c] -= b[k] * a[k, c]
    for k in range(f - 1, -1, -1):
        total = b[k]
        for c in range(k + 1, f):
            total -= a[k, c] * b[c]
        b[k] = total / a[k, k]
    return True


@reordering_kernel
def solve_rows(
    start: int, stop: int, ptr: Int64, idx: Int32, root: Float64, pull: Float64, other: Float64, gram: Float64, out: Float64
) -> int:
    """For rows start…stop−1 solve (gram + Σ root² y yᵀ) x = Σ pull y, y the row of `other` of each entry, into `out`.

    Rows without entries become 0. Returns the first row that has no solution, or −1.
    """
    f = other.shape[1]
    a, b, added, scaled = np.empty((f, f)), np.empty(f), np.empty((f, f)), np.empty((_CHUNK, f))
    for u in range(start, stop):
        out[u] = 0
        if ptr[u] == ptr[u + 1]:
            continue
        a[:] = gram
        b[:] = 0
        for first in range(ptr[u], ptr[u + 1], _CHUNK):
            last = min(first + _CHUNK, ptr[u + 1])
            for p in range(first, last):
                y, row = other[idx[p]], scaled[p - first]
                for c in range(f):
                    row[c] = root[p] * y[c]
                    b[c] += pull[p] * y[c]
            met = scaled[: last - first]
            np.dot(met.T, met, added)
            a += added
        if not _solve_upper(a, b):
            return u
        out[u] = b
    return -1
