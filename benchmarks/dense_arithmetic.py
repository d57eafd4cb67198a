"""Dense arithmetic beside BLAS, on one thread: WRMF's least squares, EASE's inverse, scores of factor models.

Each is done beside a product of BLAS that takes as many multiplications and additions, in the same precision: 1 would be as
fast as BLAS is where nothing else is to be done. OPENBLAS_CORETYPE may hold OpenBLAS to the kernels of an older processor.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import threadpoolctl

from benchmarks.harness import Found, Ratio, Work, interleaved
from heldout import threads
from heldout.kernels.least_squares import gram, solve_rows
from heldout.kernels.products import filled_rows, panels, rows_times_panels
from heldout.recommenders.linear.inverse import invert_lower

FACTORS, ENTRIES, USERS, ITEMS = 50, 160, 2_000, 17_770
SIDE = 4_100


def run(repeats: int = 5) -> Found:
    """Times of each and of a product of BLAS with as many operations."""
    draw = np.random.default_rng(1)
    work: dict[str, Work] = {}
    ratios, notes, operations = [], [], {}
    for name, piece, flops, dtype in (_least_squares(draw), _inverse(draw), _scores(draw)):
        peer = f"BLAS, as many operations as {name}"
        work[name], work[peer] = piece, _product(flops, dtype, draw)
        ratios.append(Ratio(name, peer))
        operations[name] = operations[peer] = flops
    with threads.using(1), threads.single_blas():
        times = interleaved(work, repeats=repeats)
        kernels = {info.get("architecture", "?") for info in threadpoolctl.threadpool_info() if info["user_api"] == "blas"}
    for name, seconds in times.items():
        notes.append(f"{name}: {operations[name] / np.median(seconds) / 1e9:.0f} billion operations a second")
    notes.append(f"kernels of BLAS: {', '.join(sorted(kernels))}")
    return Found(times, ratios=ratios, notes=notes)


Piece = tuple[str, Work, float, Any]


def _least_squares(draw: np.random.Generator) -> Piece:
    """USERS rows of ENTRIES entries each: half of the products of every entry's factors, and a Cholesky solution a row."""
    other = draw.standard_normal((ITEMS, FACTORS))
    ptr = np.arange(USERS + 1, dtype=np.int64) * ENTRIES
    idx = draw.integers(0, ITEMS, USERS * ENTRIES).astype(np.int32)
    root, pull = draw.random(len(idx)), draw.random(len(idx))
    everyone, out = gram(other, 1.0), np.empty((USERS, FACTORS))
    flops = USERS * (ENTRIES * FACTORS * (FACTORS + 1) + FACTORS**3 / 3 + 2 * FACTORS**2)
    return (
        "WRMF's least squares",
        lambda: solve_rows(0, USERS, ptr, idx, root, pull, other, everyone, out),
        flops,
        np.float64,
    )


def _inverse(draw: np.random.Generator) -> Piece:
    """A symmetric positive definite matrix of SIDE rows: factorised, the factor inverted and multiplied with itself."""
    factors = draw.standard_normal((SIDE, FACTORS))
    matrix = np.tril(factors @ factors.T + 500 * np.eye(SIDE))
    return "EASE's inverse", lambda: invert_lower(np.asfortranarray(matrix)), float(SIDE) ** 3, np.float64


def _scores(draw: np.random.Generator) -> Piece:
    """Scores of all items for USERS users, in tiles of 64."""
    rows = filled_rows(draw.standard_normal((USERS, FACTORS)))
    items = panels(draw.standard_normal((FACTORS, ITEMS)).astype(np.float32))

    def work() -> None:
        for first in range(0, USERS, 64):
            rows_times_panels(np.arange(first, min(first + 64, USERS)), rows, items, ITEMS)

    return "scores of factors", work, 2.0 * USERS * FACTORS * ITEMS, np.float32


def _product(flops: float, dtype: Any, draw: np.random.Generator) -> Work:
    """A product of two square matrices of about as many multiplications and additions, all of them counted."""
    side = round((flops / 2) ** (1 / 3))
    left, right = (draw.random((side, side)).astype(dtype) for _ in range(2))
    return lambda: left @ right
