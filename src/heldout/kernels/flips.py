"""Sums under sign flips: the fast Walsh–Hadamard transform, and counting flips at least as extreme as observed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import kernel, reordering_kernel

_TILE = 1024
_ONE = np.uint32(0x3F800000)
"""The bits of 1.0 in single precision; its sign is bit 31."""

Reals = NDArray[np.float64] | NDArray[np.float32]


@kernel
def expand_signs(words: NDArray[np.uint64], signs: NDArray[np.uint32]) -> None:
    """Fill rows of `signs` with the bits of rows of `words`: 1.0 or −1.0 in single precision, as their bits."""
    users = signs.shape[1]
    for r in range(signs.shape[0]):
        out = signs[r]
        for w in range(words.shape[1]):
            start = 64 * w
            low, high = np.uint32(words[r, w] & np.uint64(0xFFFFFFFF)), np.uint32(words[r, w] >> np.uint64(32))
            if start + 64 <= users:
                for i in range(32):
                    out[start + i] = _ONE | ((low << np.uint32(31 - i)) & np.uint32(0x80000000))
                for i in range(32):
                    out[start + 32 + i] = _ONE | ((high << np.uint32(31 - i)) & np.uint32(0x80000000))
            else:
                for i in range(users - start):
                    half = low if i < 32 else high
                    out[start + i] = _ONE | ((half << np.uint32(31 - i % 32)) & np.uint32(0x80000000))


@kernel
def walsh_hadamard(row: Reals) -> None:
    """Transform a row of 2^m numbers in place: y[i] = Σ_p (−1)^popcount(i & p) x[p], by m·2^m additions."""
    n = row.shape[0]
    h = 1
    if n >= 4:
        # The first two stages at once, in registers: alone, their inner loops are too short to vectorise.
        for i in range(0, n, 4):
            a, b, c, d = row[i], row[i + 1], row[i + 2], row[i + 3]
            s, t, u, v = a + b, a - b, c + d, c - d
            row[i], row[i + 1], row[i + 2], row[i + 3] = s + u, t + v, s - u, t - v
        h = 4
    while 2 * h < n:
        # Two stages in one pass halve the traffic to memory.
        for start in range(0, n, 4 * h):
            for i in range(start, start + h):
                a, b, c, d = row[i], row[i + h], row[i + 2 * h], row[i + 3 * h]
                s, t, u, v = a + b, a - b, c + d, c - d
                row[i] = s + u
                row[i + h] = t + v
                row[i + 2 * h] = s - u
                row[i + 3 * h] = t - v
        h *= 4
    if h < n:
        for i in range(h):
            a, b = row[i], row[i + h]
            row[i] = a + b
            row[i + h] = a - b


@kernel
def flipped_sums(rows: Reals, signs: NDArray[np.int8], positions: NDArray[np.int64], sums: Reals) -> None:
    """Fill `sums` (rows × 2^m) with each row's sums under `signs` times every member of the Walsh group.

    `positions` places each user among the 2^m positions; users who share one share its sign.
    """
    for r in range(rows.shape[0]):
        out = sums[r]
        out[:] = 0.0
        for u in range(rows.shape[1]):
            out[positions[u]] += signs[u] * rows[r, u]
        walsh_hadamard(out)


@kernel
def count_extreme(sums: Reals, pairs: NDArray[np.int64], thresholds: Reals, counts: NDArray[np.int64]) -> None:
    """Add to `counts`, for each pair (a, b), the flips (columns of `sums`) with |sums[a] − sums[b]| ≥ threshold."""
    flips = sums.shape[1]
    # Tiles keep the piece of every row that the pairs read again and again within the cache.
    for start in range(0, flips, _TILE):
        stop = min(start + _TILE, flips)
        for p in range(pairs.shape[0]):
            a = sums[pairs[p, 0], start:stop]
            b = sums[pairs[p, 1], start:stop]
            threshold = thresholds[p]
            count = 0
            for i in range(stop - start):
                count += abs(a[i] - b[i]) >= threshold
            counts[p] += count


def _count_small(
    rows: Reals,
    signs: NDArray[np.int8],
    positions: NDArray[np.int64],
    pairs: NDArray[np.int64],
    thresholds: Reals,
    sums: Reals,
    counts: NDArray[np.int64],
) -> None:
    """As `count_flips`, of all blocks at once."""
    of_blocks = np.zeros((len(signs), *sums.shape), sums.dtype)
    for u, position in enumerate(positions):
        of_blocks[:, :, position] += signs[:, u, None] * rows[:, u]
    half = 1
    while half < sums.shape[1]:
        halves = of_blocks.reshape(-1, 2, half)
        first = halves[:, 0].copy()
        halves[:, 0] += halves[:, 1]
        np.subtract(first, halves[:, 1], out=halves[:, 1])
        half *= 2
    sums[:] = of_blocks[-1]
    for p, (a, b) in enumerate(pairs):
        counts[p] += np.count_nonzero(np.abs(of_blocks[:, a] - of_blocks[:, b]) >= thresholds[p])


def _steps_of_flips(*, rows: Reals, signs: NDArray[np.int8], pairs: NDArray[np.int64], sums: Reals, **_: object) -> Any:
    """Operations of numpy, of which about a hundred take as long as a step; and its calls for each user."""
    operations = len(signs) * (sums.size * sums.shape[1].bit_length() + len(pairs) * sums.shape[1])
    return operations // 100 + 3 * rows.shape[1]


@kernel(small=_count_small, steps=_steps_of_flips)
def count_flips(
    rows: Reals,
    signs: NDArray[np.int8],
    positions: NDArray[np.int64],
    pairs: NDArray[np.int64],
    thresholds: Reals,
    sums: Reals,
    counts: NDArray[np.int64],
) -> None:
    """Add to `counts`, for each pair of rows, the flips at least as extreme as its threshold among some blocks.

    A block is a row of `signs` times every member of the Walsh group; `sums` is room for the sums of one.
    """
    for block in range(signs.shape[0]):
        flipped_sums(rows, signs[block], positions, sums)
        count_extreme(sums, pairs, thresholds, counts)


@reordering_kernel
def pair_sums(
    rows: NDArray[np.float64],
    pairs: NDArray[np.int64],
    rounding: float,
    totals: NDArray[np.float64],
    sizes: NDArray[np.float64],
) -> None:
    """Of each pair (a, b) of rows, Σ(a − b) and Σ|a − b|; a difference within `rounding` of both values is 0."""
    for p in range(pairs.shape[0]):
        a, b = rows[pairs[p, 0]], rows[pairs[p, 1]]
        total, size = 0.0, 0.0
        for u in range(a.shape[0]):
            d = a[u] - b[u]
            d = 0.0 if abs(d) <= rounding * max(abs(a[u]), abs(b[u])) else d
            total += d
            size += abs(d)
        totals[p], sizes[p] = total, size
