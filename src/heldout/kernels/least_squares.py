"""Regularised least squares, one small system for each row of a sparse matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import reordering_kernel, reordering_part

Float64 = NDArray[np.float64]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

_CHUNK = 256
_SIDE = 4
"""Products are made in squares of this many rows and columns, whose sums stay in registers."""


@reordering_part
def _add_square(a: Float64, r: int, c: int, left: Float64, i: int, right: Float64, j: int, n: int, sign: float) -> None:
    """Add sign · Σ_{k < n} left[i + s, k] right[j + t, k] to a[r + s, c + t], for s and t from 0 to 3."""
    x0, x1, x2, x3 = left[i], left[i + 1], left[i + 2], left[i + 3]
    y0, y1, y2, y3 = right[j], right[j + 1], right[j + 2], right[j + 3]
    a00, a01, a02, a03 = 0.0, 0.0, 0.0, 0.0
    a10, a11, a12, a13 = 0.0, 0.0, 0.0, 0.0
    a20, a21, a22, a23 = 0.0, 0.0, 0.0, 0.0
    a30, a31, a32, a33 = 0.0, 0.0, 0.0, 0.0
    for k in range(n):
        p0, p1, p2, p3 = x0[k], x1[k], x2[k], x3[k]
        q0, q1, q2, q3 = y0[k], y1[k], y2[k], y3[k]
        a00 += p0 * q0
        a01 += p0 * q1
        a02 += p0 * q2
        a03 += p0 * q3
        a10 += p1 * q0
        a11 += p1 * q1
        a12 += p1 * q2
        a13 += p1 * q3
        a20 += p2 * q0
        a21 += p2 * q1
        a22 += p2 * q2
        a23 += p2 * q3
        a30 += p3 * q0
        a31 += p3 * q1
        a32 += p3 * q2
        a33 += p3 * q3
    sums = ((a00, a01, a02, a03), (a10, a11, a12, a13), (a20, a21, a22, a23), (a30, a31, a32, a33))
    for s in range(4):
        for t in range(4):
            a[r + s, c + t] += sign * sums[s][t]


@reordering_part
def _solve_lower(a: Float64, b: Float64) -> bool:
    """Solve a x = b in place of b; only the lower half of a is read, and it is overwritten. False if not positive.

    The sides are multiples of _SIDE. The diagonal of the Cholesky factor is kept as its inverse.
    """
    f = len(b)
    for c in range(0, f, _SIDE):
        for r in range(c, f, _SIDE):
            _add_square(a, r, c, a, r, a, c, c, -1.0)
        for j in range(c, c + _SIDE):
            own = a[j]
            for k in range(c, j):
                total = own[k]
                for m in range(c, k):
                    total -= own[m] * a[k, m]
                own[k] = total * a[k, k]
            pivot = own[j]
            for m in range(c, j):
                pivot -= own[m] * own[m]
            if not pivot > 0:
                return False
            own[j] = 1 / np.sqrt(pivot)
        i0, i1, i2, i3 = a[c, c], a[c + 1, c + 1], a[c + 2, c + 2], a[c + 3, c + 3]
        l10, l20, l21 = a[c + 1, c], a[c + 2, c], a[c + 2, c + 1]
        l30, l31, l32 = a[c + 3, c], a[c + 3, c + 1], a[c + 3, c + 2]
        for r in range(c + _SIDE, f):
            row = a[r]
            t0 = row[c] * i0
            t1 = (row[c + 1] - t0 * l10) * i1
            t2 = (row[c + 2] - t0 * l20 - t1 * l21) * i2
            row[c], row[c + 1], row[c + 2] = t0, t1, t2
            row[c + 3] = (row[c + 3] - t0 * l30 - t1 * l31 - t2 * l32) * i3
    for k in range(f):
        row, total = a[k], b[k]
        for c in range(k):
            total -= row[c] * b[c]
        b[k] = total * row[k]
    for k in range(f - 1, -1, -1):
        row = a[k]
        solved = b[k] * row[k]
        b[k] = solved
        for c in range(k):
            b[c] -= solved * row[c]
    return True


@reordering_part
def _gather(
    first: int, last: int, idx: Int32, root: Float64, pull: Float64, other: Float64, met: Float64, b: Float64
) -> int:
    """Columns root · y of `met` for entries first…last−1, filled with zeros to a multiple of 8, and b + Σ pull y.

    Returns the number of columns. Eight entries at a time: they fill a line of the cache in each row of `met`.
    """
    f, n = other.shape[1], last - first
    whole = n - n % 8
    for k in range(0, whole, 8):
        p = first + k
        y0, y1, y2, y3 = other[idx[p]], other[idx[p + 1]], other[idx[p + 2]], other[idx[p + 3]]
        y4, y5, y6, y7 = other[idx[p + 4]], other[idx[p + 5]], other[idx[p + 6]], other[idx[p + 7]]
        r0, r1, r2, r3 = root[p], root[p + 1], root[p + 2], root[p + 3]
        r4, r5, r6, r7 = root[p + 4], root[p + 5], root[p + 6], root[p + 7]
        w0, w1, w2, w3 = pull[p], pull[p + 1], pull[p + 2], pull[p + 3]
        w4, w5, w6, w7 = pull[p + 4], pull[p + 5], pull[p + 6], pull[p + 7]
        for c in range(f):
            v0, v1, v2, v3 = y0[c], y1[c], y2[c], y3[c]
            v4, v5, v6, v7 = y4[c], y5[c], y6[c], y7[c]
            row = met[c]
            row[k], row[k + 1], row[k + 2], row[k + 3] = r0 * v0, r1 * v1, r2 * v2, r3 * v3
            row[k + 4], row[k + 5], row[k + 6], row[k + 7] = r4 * v4, r5 * v5, r6 * v6, r7 * v7
            b[c] += w0 * v0 + w1 * v1 + w2 * v2 + w3 * v3 + w4 * v4 + w5 * v5 + w6 * v6 + w7 * v7
    for k in range(whole, n):
        y = other[idx[first + k]]
        for c in range(f):
            met[c, k] = root[first + k] * y[c]
            b[c] += pull[first + k] * y[c]
    full = (n + 7) // 8 * 8
    for c in range(f):
        for k in range(n, full):
            met[c, k] = 0
    return full


@reordering_kernel
def gram(rows: Float64, plus: float) -> Float64:
    """rowsᵀ rows with `plus` added to its diagonal."""
    n, f = rows.shape
    side = (f + _SIDE - 1) // _SIDE * _SIDE
    a, met, out = np.zeros((side, side)), np.zeros((side, _CHUNK + 8)), np.empty((f, f))
    for first in range(0, n, _CHUNK):
        last = min(first + _CHUNK, n)
        for k in range(first, last):
            for c in range(f):
                met[c, k - first] = rows[k, c]
        for r in range(0, side, _SIDE):
            for c in range(0, r + _SIDE, _SIDE):
                _add_square(a, r, c, met, r, met, c, last - first, 1.0)
    for r in range(f):
        for c in range(r):
            out[r, c] = a[r, c]
            out[c, r] = a[r, c]
        out[r, r] = a[r, r] + plus
    return out


@reordering_kernel
def solve_rows(
    start: int, stop: int, ptr: Int64, idx: Int32, root: Float64, pull: Float64, other: Float64, gram: Float64, out: Float64
) -> int:
    """For rows start…stop−1 solve (gram + Σ root² y yᵀ) x = Σ pull y, y the row of `other` of each entry, into `out`.

    Rows without entries become 0. Returns the first row that has no solution, or −1.
    """
    f = other.shape[1]
    side = (f + _SIDE - 1) // _SIDE * _SIDE
    begin, a, b = np.eye(side), np.empty((side, side)), np.zeros(side)
    begin[:f, :f] = gram
    met = np.zeros((side, _CHUNK + 8))  # rows that do not lie a power of 2 apart share the cache better
    for u in range(start, stop):
        out[u] = 0
        if ptr[u] == ptr[u + 1]:
            continue
        a[:] = begin
        b[:] = 0
        for first in range(ptr[u], ptr[u + 1], _CHUNK):
            n = _gather(first, min(first + _CHUNK, ptr[u + 1]), idx, root, pull, other, met, b)
            for r in range(0, side, _SIDE):
                for c in range(0, r + _SIDE, _SIDE):
                    _add_square(a, r, c, met, r, met, c, n, 1.0)
        if not _solve_lower(a, b):
            return u
        out[u] = b[:f]
    return -1
