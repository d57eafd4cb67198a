"""Permutation tests of 210 pairs of systems × 7 metrics over 6,040 users, 100,000 flips each.

All pairs and metrics share the flips. scipy's `permutation_test` and ranx's Fisher test work pair by pair: they are timed
on one pair with fewer flips and multiplied up.
"""

from __future__ import annotations

import time
from itertools import combinations

import numpy as np

from benchmarks.harness import Found, Limit, Ratio, Seconds, Work, interleaved
from heldout.significance.permutation import Permutation

SYSTEMS, METRICS, USERS, FLIPS = 21, 7, 6040, 100_000
FEW = 1000


def run() -> Found:
    draw = np.random.default_rng(4)
    columns = np.clip(draw.beta(1, 6, (USERS, 1)) + draw.normal(0, 0.1, (USERS, SYSTEMS * METRICS)), 0, 1)
    pairs = np.array(
        [(m * SYSTEMS + a, m * SYSTEMS + b) for m in range(METRICS) for a, b in combinations(range(SYSTEMS), 2)]
    )
    ours = {method: Permutation(samples=FLIPS, method=method) for method in ("hadamard", "plain")}
    quick = interleaved(
        {
            "heldout, hadamard": lambda: ours["hadamard"].p_values(columns, pairs, seed=1),
            "scipy, extrapolated": _scipy(columns, len(pairs)),
            "ranx, extrapolated": _ranx(columns, len(pairs)),
        },
        repeats=3,
    )
    slow = interleaved({"heldout, plain": lambda: ours["plain"].p_values(columns, pairs, seed=1)}, repeats=1, warm=0)
    names = ("heldout, plain", "scipy, extrapolated", "ranx, extrapolated")
    return Found(
        {"heldout, hadamard": quick["heldout, hadamard"], **slow, **quick},
        [Ratio("heldout, hadamard", peer) for peer in names],
        [Limit("the plain way", min(slow["heldout, plain"]), 3.0, "s")],
        notes=[
            f"{len(pairs):,} comparisons; heldout uses all cores",
            f"scipy and ranx: one pair with {FEW:,} flips × {len(pairs) * FLIPS // FEW:,}",
        ],
    )


def _scipy(columns: np.ndarray, n_pairs: int) -> Work:
    from scipy.stats import permutation_test

    def mean_difference(a: np.ndarray, b: np.ndarray, axis: int) -> np.ndarray:
        return np.mean(a, axis=axis) - np.mean(b, axis=axis)

    def work() -> Seconds:
        begin = time.perf_counter()
        permutation_test(
            (columns[:, 0], columns[:, 1]),
            mean_difference,
            permutation_type="samples",
            vectorized=True,
            n_resamples=FEW,
            batch=100,
            rng=np.random.default_rng(1),
        )
        return Seconds((time.perf_counter() - begin) * n_pairs * FLIPS / FEW)

    return work


def _ranx(columns: np.ndarray, n_pairs: int) -> Work:
    from ranx.statistical_tests.fisher_randomization_test import fisher_randomization_test

    a, b = np.ascontiguousarray(columns[:, 0]), np.ascontiguousarray(columns[:, 1])

    def work() -> Seconds:
        begin = time.perf_counter()
        fisher_randomization_test(a, b, n_permutations=FEW, max_p=0.05, random_seed=1)
        return Seconds((time.perf_counter() - begin) * n_pairs * FLIPS / FEW)

    return work
