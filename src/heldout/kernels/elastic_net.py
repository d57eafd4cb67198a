"""Non-negative elastic net of each column of a matrix on the others, by coordinate descent on the Gram matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import kernel, part, reordering_part

Float64 = NDArray[np.float64]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]


@kernel
def mirror(gram: Float64) -> None:
    """Copy the upper half to the lower, in squares that fit the cache."""
    n, side = len(gram), 64
    for r0 in range(0, n, side):
        for c0 in range(r0, n, side):
            for r in range(r0, min(r0 + side, n)):
                for c in range(max(c0, r + 1), min(c0 + side, n)):
                    gram[c, r] = gram[r, c]


@reordering_part
def _subtract_rows(gram: Float64, rows: Int32, weights: Float64, n: int, out: Float64) -> None:
    """out −= Σ weights · rows of the Gram matrix, four rows at a time."""
    p = 0
    while p + 4 <= n:
        r0, r1, r2, r3 = gram[rows[p]], gram[rows[p + 1]], gram[rows[p + 2]], gram[rows[p + 3]]
        w0, w1, w2, w3 = weights[p], weights[p + 1], weights[p + 2], weights[p + 3]
        for c in range(len(out)):
            out[c] -= w0 * r0[c] + w1 * r1[c] + w2 * r2[c] + w3 * r3[c]
        p += 4
    while p < n:
        row, w0 = gram[rows[p]], weights[p]
        for c in range(len(out)):
            out[c] -= w0 * row[c]
        p += 1


@reordering_part
def _sweep(small: Float64, size: int, slope: Float64, weight: Float64, l1: float, l2: float, positive_only: bool) -> None:
    """One round of coordinate descent over the active columns, or over those of positive weight."""
    for a in range(size):
        if positive_only and weight[a] == 0.0:
            continue
        row = small[a]
        moved = max(0.0, (slope[a] + row[a] * weight[a] - l1) / (row[a] + l2))
        change = moved - weight[a]
        if change != 0.0:
            weight[a] = moved
            for b in range(size):
                slope[b] -= change * row[b]


@kernel
def _missed(size: int, slope: Float64, weight: Float64, l1: float, l2: float, positive_only: bool) -> float:
    """By how much the worst optimality condition is missed."""
    worst = 0.0
    for a in range(size):
        if weight[a] > 0.0:
            worst = max(worst, abs(slope[a] - l2 * weight[a] - l1))
        elif not positive_only:
            worst = max(worst, slope[a] - l1)
    return worst


@part
def _descend(small: Float64, size: int, slope: Float64, weight: Float64, l1: float, l2: float, tolerance: float) -> None:
    """Coordinate descent on the active columns until no condition is missed by more than the tolerance.

    `small` is their Gram matrix, `slope` the derivative of the squares alone, kept up to date. Most weights stay 0: between
    two rounds over all, rounds over the positive ones go on until those are right among themselves.
    """
    for _ in range(10000):
        _sweep(small, size, slope, weight, l1, l2, False)
        if _missed(size, slope, weight, l1, l2, False) <= tolerance:
            return
        for _ in range(1000):
            if _missed(size, slope, weight, l1, l2, True) <= tolerance:
                break
            _sweep(small, size, slope, weight, l1, l2, True)


@kernel
def _worst_missed(slope: Float64, active: NDArray[np.bool_], limit: float, wanted: int, worst: Int32, by: Float64) -> int:
    """The idle columns whose slope exceeds the limit most, at most `wanted` of them (a heap); their number."""
    size = 0
    for i in range(len(slope)):
        if active[i] or slope[i] <= limit:
            continue
        if size < wanted:
            at = size
            worst[at], by[at] = i, slope[i]
            while at > 0 and by[(at - 1) // 2] > by[at]:
                up = (at - 1) // 2
                worst[at], worst[up] = worst[up], worst[at]
                by[at], by[up] = by[up], by[at]
                at = up
            size += 1
        elif slope[i] > by[0]:
            worst[0], by[0] = i, slope[i]
            at = 0
            while True:
                child = 2 * at + 1
                if child >= size:
                    break
                if child + 1 < size and by[child + 1] < by[child]:
                    child += 1
                if by[at] <= by[child]:
                    break
                worst[at], worst[child] = worst[child], worst[at]
                by[at], by[child] = by[child], by[at]
                at = child
    return size


@kernel(interpreted=False)
def fit_columns(
    start: int, stop: int, gram: Float64, l1: float, l2: float, tolerance: float, ptr: Int64, idx: Int32, val: Float64
) -> int:
    """Weights of columns start…stop−1: min ½ w'Gw − g'w + l1 Σw + l2/2 Σw², w ≥ 0, w_jj = 0, into CSR of those columns.

    Solves on a growing set of columns, then looks at all others and takes in those that miss their condition most.
    Returns the number of entries, or −1 − needed when `idx` is too short.
    """
    n = len(gram)
    slope, active = np.empty(n), np.zeros(n, np.bool_)
    rows, weight = np.empty(n, np.int32), np.empty(n)
    worst, by = np.empty(n, np.int32), np.empty(n)
    small, local, before = np.empty((256, 256)), np.empty(n), np.empty(n)
    total = 0
    ptr[0] = 0
    for j in range(start, stop):
        slope[:] = gram[j]
        active[:] = False
        active[j] = True
        size, batch = 0, 32
        while True:
            new = _worst_missed(slope, active, l1 + tolerance, batch, worst, by)
            if new == 0:
                break
            if size + new > len(small):
                larger = np.empty((2 * (size + new), 2 * (size + new)))
                larger[:size, :size] = small[:size, :size]
                small = larger
            for a in range(size, size + new):
                i = worst[a - size]
                active[i] = True
                rows[a], weight[a] = i, 0.0
                for b in range(a + 1):
                    small[a, b] = gram[i, rows[b]]
                    small[b, a] = small[a, b]
            size += new
            for a in range(size):
                local[a] = slope[rows[a]]
                before[a] = weight[a]
            _descend(small, size, local, weight, l1, l2, tolerance)
            # The slopes of all columns follow the change of the active weights.
            for a in range(size):
                before[a] = weight[a] - before[a]
            _subtract_rows(gram, rows, before, size, slope)
            batch = max(32, size)
        for a in range(size):
            if weight[a] > 0:
                if total == len(idx):
                    return -1 - j
                idx[total], val[total] = rows[a], weight[a]
                total += 1
        ptr[j - start + 1] = total
    return total
