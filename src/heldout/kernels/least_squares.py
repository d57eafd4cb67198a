"""Regularised least squares, one small system for each row of a sparse matrix."""

from __future__ import annotations

import numpy as np

from heldout.kernels.jit import reordering_kernel


@reordering_kernel
def _solve_upper(a, b):  # type: ignore[no-untyped-def]
    """Solve a x = b in place of b; only the upper half of a is read, and it is overwritten. False if not positive."""
    f = len(b)
    for k in range(f):
        if not a[k, k] > 0:
            return False
        inverse = 1 / np.sqrt(a[k, k])
        for c in range(k, f):
            a[k, c] *= inverse
        for r in range(k + 1, f):
            factor = a[k, r]
            for c in range(r, f):
                a[r, c] -= factor * a[k, c]
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
def solve_rows(start, stop, ptr, idx, extra, pull, other, gram, out):  # type: ignore[no-untyped-def]
    """For rows start…stop−1 solve (gram + Σ extra y yᵀ) x = Σ pull y, y the row of `other` of each entry, into `out`.

    Rows without entries become 0. Returns the first row that has no solution, or −1.
    """
    f = other.shape[1]
    a, b = np.empty((f, f)), np.empty(f)
    for u in range(start, stop):
        out[u] = 0
        if ptr[u] == ptr[u + 1]:
            continue
        a[:] = gram
        b[:] = 0
        p = ptr[u]
        # Four entries at a time: the matrix is read and written a quarter as often.
        while p + 4 <= ptr[u + 1]:
            y0, y1, y2, y3 = other[idx[p]], other[idx[p + 1]], other[idx[p + 2]], other[idx[p + 3]]
            for r in range(f):
                w0, w1, w2, w3 = extra[p] * y0[r], extra[p + 1] * y1[r], extra[p + 2] * y2[r], extra[p + 3] * y3[r]
                b[r] += pull[p] * y0[r] + pull[p + 1] * y1[r] + pull[p + 2] * y2[r] + pull[p + 3] * y3[r]
                for c in range(r, f):
                    a[r, c] += w0 * y0[c] + w1 * y1[c] + w2 * y2[c] + w3 * y3[c]
            p += 4
        while p < ptr[u + 1]:
            y0 = other[idx[p]]
            for r in range(f):
                w0 = extra[p] * y0[r]
                b[r] += pull[p] * y0[r]
                for c in range(r, f):
                    a[r, c] += w0 * y0[c]
            p += 1
        if not _solve_upper(a, b):
            return u
        out[u] = b
    return -1
