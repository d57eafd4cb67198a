"""The paired permutation test: the difference in means under random sign flips."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from heldout import rng, threads
from heldout.catalogue import param
from heldout.significance.differences import checked_rows, difference_sums, differences
from heldout.significance.significance_test import Test
from heldout.tables.arrays import Float32, Float64, Int64

_LARGEST = 16  # positions of a Walsh group are at most 2^16: beyond, users share positions and memory stays bounded
_FLIPS_AT_ONCE = 1 << 13
_SIGNS_AT_ONCE = 1 << 22
_SAFE = 0.2
"""Σ|d| ÷ (√n · (‖a‖ + ‖b‖)) from which sums of a and b may be in single precision."""


class Permutation(Test):
    """Fisher's randomisation test of the difference in means, two-sided: how often do random sign flips do as much?

    Formula: T(s) = |Σ_u s_u d_u| over flips s ∈ {−1, 1}^n. Where all 2^n flips number at most `samples` they are all
    taken, and p = #{T ≥ T_obs} / 2^n. Else `hadamard` takes k+1 blocks of 2^m flips, s_j times every row of a Hadamard
    matrix with s_0 = 1 and the other s_j random, the fewest blocks that hold `samples` flips, and
    p = #{T ≥ T_obs} / ((k+1)·2^m), the observed flip among them; `plain` draws independent flips and
    p = (1 + #{T ≥ T_obs}) / (1 + samples). Never 0.

    Assumes: under the null each user's difference is as likely to have either sign, independently of others. `hadamard`
    is exact then: rows of a Hadamard matrix are a group, so the observed statistic is a uniform member of its own
    block, and the blocks are exchangeable. A tie with the observed sum counts, within 1e-6·Σ|d|. Equal columns give p = 1.
    All pairs share the flips. Weighted, T sums w·d. Of more than 2^16 users, those whose ids have the same first 16 bits
    of a hash flip together: the sum over such a group is as symmetric under the null as a user's difference.

    Example: differences 1, 2 and 3: of the 8 flips only +++ and −−− reach 6, so p = 2/8 = 0.25.
    """

    key = "permutation"
    formula = "p = #{s : |Σ s_u d_u| ≥ |Σ d_u|} / #{s}"
    references = ("smucker2007", "hemerik2018", "phipson2010", "valcarce2018")
    compares = "means"
    by_groups = True
    weighable = True
    samples: int = param(100_000, "flips at least taken", least=1, most=10_000_000)
    method: Literal["hadamard", "plain"] = param("hadamard", "how flips are drawn where there are too many to take all")

    def p_values(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Float64:
        """Two-sided p of each pair, from flips that all pairs share; the same on any number of threads."""
        rows = checked_rows(columns, pairs, weights)
        used, place = np.unique(pairs, return_inverse=True)
        if len(used) < len(rows):
            rows, pairs = rows[used], place.reshape(pairs.shape).astype(np.int64)
        if weights is not None:
            rows = rows * (weights * (len(weights) / weights.sum()))
        return self._p_of_rows(rows, np.ascontiguousarray(pairs, dtype=np.int64), seed)

    def p_of_groups(self, sums: Float64, counts: Float64, *, seed: int) -> Float64:
        """Signs flip by group."""
        nothing = np.zeros((1, sums.shape[1]))
        pairs = np.stack([np.arange(len(sums)), np.full(len(sums), len(sums))], axis=1)
        return self._p_of_rows(np.concatenate([sums, nothing]), pairs, seed)

    def _p_of_rows(self, rows: Float64, pairs: Int64, seed: int) -> Float64:
        """From rows of what has one sign each: users, or groups."""
        thresholds = _thresholds(rows, pairs)
        users = rows.shape[1]
        m = min((users - 1).bit_length(), _LARGEST)
        if users < self.samples.bit_length():
            counts, of = _all_counts(rows, pairs, thresholds), 2**users
        elif self.method == "plain":
            # The data themselves are one more flip, always as extreme as observed.
            counts, of = 1 + _plain_counts(rows, pairs, thresholds, self.samples, seed), 1 + self.samples
        else:
            blocks = -(-self.samples // 2**m)
            counts, of = _hadamard_counts(rows, pairs, thresholds, m, blocks, seed), blocks * 2**m
        p: Float64 = counts / of
        return p

    def phrase(self) -> str:
        return f"the paired randomisation test with {self.samples:,} random sign flips"


def _thresholds(rows: Float64, pairs: Int64) -> Float64:
    """|Σd| less the tolerance for ties: 1e-6·Σ|d|, and the rounding of sums of a and b that nearly cancel."""
    total, spread = difference_sums(rows, pairs)
    size = np.abs(rows).sum(axis=1)
    lowered: Float64 = np.abs(total) - 1e-6 * spread - 1e-14 * (size[pairs[:, 0]] + size[pairs[:, 1]])
    return lowered


def _all_counts(rows: Float64, pairs: Int64, thresholds: Float64) -> Int64:
    """Of all 2^n flips, those at least as extreme as observed.

    Position 2^u makes the Walsh signs of user u the u-th bit of the flip's number; users beyond the largest group stay at
    position 0, where Walsh signs are 1, and take theirs from the bits of the block's number.
    """
    users = rows.shape[1]
    m = min(users, _LARGEST)
    positions = np.where(np.arange(users) < m, 1 << np.minimum(np.arange(users), m), 0).astype(np.int64)

    def signs(part: range) -> NDArray[np.int8]:
        beyond = np.arange(part.start, part.stop)[:, None] >> np.maximum(np.arange(users) - m, 0)
        return np.where((np.arange(users) >= m) & (beyond & 1 == 1), -1, 1).astype(np.int8)

    return _block_counts(rows, pairs, thresholds, positions, signs, m, 2 ** (users - m))


def _hadamard_counts(rows: Float64, pairs: Int64, thresholds: Float64, m: int, blocks: int, seed: int) -> Int64:
    """Flips at least as extreme as observed, over `blocks` blocks of 2^m flips, the first of which holds the data."""
    users = rows.shape[1]
    single, pairs = single_precision(rows, pairs)
    # Any placing of users gives a group; a random one spreads whatever order the users came in. Beyond 2^m users some
    # share a position, and so their Walsh signs, but not those of the block.
    drawn = rng.stream(seed, "permutation test: positions").permutation(max(users, 2**m))[:users]

    def signs(part: range) -> NDArray[np.int8]:
        bits = rng.stream(seed, "permutation test: blocks", part.start).integers(0, 2, (len(part), users), np.int8)
        bits = 2 * bits - 1
        if part.start == 0:
            bits[0] = 1
        return bits

    positions = (drawn % 2**m).astype(np.int64)
    return _block_counts(single, pairs, thresholds.astype(np.float32), positions, signs, m, blocks)


def _block_counts(
    rows: Float64 | Float32,
    pairs: Int64,
    thresholds: Float64 | Float32,
    positions: Int64,
    signs: Callable[[range], NDArray[np.int8]],
    m: int,
    blocks: int,
) -> Int64:
    """Flips at least as extreme as observed among the signs of each block times every member of the Walsh group."""
    from heldout.kernels.flips import count_flips

    def count(part: range) -> Int64:
        counts, sums = np.zeros(len(pairs), dtype=np.int64), np.empty((len(rows), 2**m), rows.dtype)
        count_flips(rows, signs(part), positions, pairs, thresholds, sums, counts)
        return counts

    step = max(1, _FLIPS_AT_ONCE >> m)
    pieces = [range(start, min(start + step, blocks)) for start in range(0, blocks, step)]
    total: Int64 = np.sum(list(threads.run_all(count, pieces)), axis=0, dtype=np.int64)
    return total


def _plain_counts(rows: Float64, pairs: Int64, thresholds: Float64, samples: int, seed: int) -> Int64:
    """Independent flips at least as extreme as observed: products of random signs with all rows, in blocks."""
    from heldout.kernels.flips import count_extreme, expand_signs

    single, pairs = single_precision(rows, pairs)
    lowered = thresholds.astype(np.float32)
    users = rows.shape[1]

    def count(part: range) -> Int64:
        drawn = rng.stream(seed, "permutation test: flips", part.start)
        words = drawn.integers(0, 2**64, (len(part), -(-users // 64)), np.uint64)
        signs = np.empty((len(part), users), np.float32)
        expand_signs(words, signs.view(np.uint32))
        counts = np.zeros(len(pairs), dtype=np.int64)
        count_extreme(single @ signs.T, pairs, lowered, counts)
        return counts

    step = min(1024, max(16, _SIGNS_AT_ONCE // users))
    pieces = [range(start, min(start + step, samples)) for start in range(0, samples, step)]
    total: Int64 = np.sum(list(threads.run_all(count, pieces)), axis=0, dtype=np.int64)
    return total


def _connected(n: int, pairs: Int64) -> Int64:
    """For each of n rows, the first of the rows that pairs connect it with, itself among them.

    Importing scipy.sparse for this would take longer than the whole test of a few systems.
    """
    first = np.arange(n)
    while True:
        least = np.minimum(first[pairs[:, 0]], first[pairs[:, 1]])
        lower = first.copy()
        for side in (0, 1):
            np.minimum.at(lower, pairs[:, side], least)
        lower = lower[lower]
        if np.array_equal(lower, first):
            return first
        first = lower


def single_precision(rows: Float64, pairs: Int64) -> tuple[Float32, Int64]:
    """Rows in single precision, and pairs of them, such that rounding stays far within the tolerance for ties.

    What a user gives to all rows that are compared with one another cancels in their differences, so its mean is taken off
    first. A sum of n terms then errs by about 6e-8·√n·‖x‖; where that is not small beside 1e-6·Σ|d|, the pair gets a row
    of its own differences, whose sum errs by about 6e-8·Σ|d|.
    """
    n, group = len(rows), _connected(len(rows), pairs)
    centred = rows.copy()
    for label in np.unique(group):
        centred[group == label] -= rows[group == label].mean(axis=0)
    norm = np.sqrt(np.square(centred).sum(axis=1))
    _, size = difference_sums(rows, pairs)
    poor = np.flatnonzero(size < _SAFE * np.sqrt(rows.shape[1]) * (norm[pairs[:, 0]] + norm[pairs[:, 1]]))
    if len(poor) == 0:
        return centred.astype(np.float32), pairs
    own = [d.astype(np.float32) for _, d in differences(rows, pairs[poor])]
    nothing = np.zeros((1, rows.shape[1]), np.float32)
    turned = pairs.copy()
    turned[poor, 0] = n + np.arange(len(poor))
    turned[poor, 1] = n + len(poor)
    return np.concatenate([centred.astype(np.float32), *own, nothing]), turned
