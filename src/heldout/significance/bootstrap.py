"""The studentised bootstrap test of the difference in means."""

from __future__ import annotations

import numpy as np

from heldout import rng, threads
from heldout.catalogue import param
from heldout.significance.differences import checked_rows, differences
from heldout.significance.significance_test import Test
from heldout.tables.arrays import Float64, Int64

_STEP = 256
_PAIRS_AT_ONCE = 512
_ROUNDING = 1e-6
_NOTHING = 1e-12
"""A mean or centred value within this share of the row's largest difference is 0."""
_FEW = 64
"""Users up to which resamples are added in double precision."""


class Bootstrap(Test):
    """The paired bootstrap test of the difference in means, studentised, two-sided (Sakai 2006).

    Formula: t = d̄ / (s / √n); the differences less their mean are drawn with replacement, n at a time, and
    p = (1 + #{|t*| ≥ |t|}) / (1 + samples).

    Assumes: users are a sample of those one speaks of, and enough of them (some 30) that resampling stands for sampling.
    All pairs share the resamples. A resample without spread is as extreme as can be where its mean is not 0. Equal columns
    give p = 1, and a difference that is the same for all users the least p there is. Of more than 2^16 users, groups are
    drawn instead, a group being those whose ids have the same first 16 bits of a hash: d̄ = Σ S_g / Σ n_g, and its squared
    error is Σ (S_g − d̄ n_g)² / (Σ n_g)².

    Example: differences 1 and 3 have mean 2, s = 1.414, t = 2. Less the mean they are −1 and 1; of the four equally likely
    resamples two have no spread and count (|t*| = ∞), two have mean 0 and do not: p is about 0.5.
    """

    key = "bootstrap"
    formula = "p = (1 + #{|t*| ≥ |t|}) / (1 + B)"
    references = ("sakai2006",)
    compares = "means"
    by_groups = True
    samples: int = param(10_000, "resamples", least=1, most=1_000_000)

    def p_values(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Float64:
        """Two-sided p of each pair, from resamples that all pairs share; the same on any number of threads."""
        self.refuse_weights(weights)
        rows = checked_rows(columns, pairs)
        counts = np.zeros(len(pairs), dtype=np.int64)
        for start in range(0, len(pairs), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            d = np.concatenate([of_part for _, of_part in differences(rows, pairs[part])])
            counts[part] = _counts(d, self.samples, seed)
        p: Float64 = (1 + counts) / (1 + self.samples)
        return p

    def p_of_groups(self, sums: Float64, counts: Float64, *, seed: int) -> Float64:
        """Groups are drawn, with all their users."""
        some = counts > 0
        d, size = np.ascontiguousarray(sums[:, some]), counts[some]
        reached = np.zeros(len(sums), dtype=np.int64)
        for start in range(0, len(sums), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            reached[part] = _group_counts(d[part], size, self.samples, seed)
        p: Float64 = (1 + reached) / (1 + self.samples)
        return p

    def phrase(self) -> str:
        return f"the studentised paired bootstrap test with {self.samples:,} resamples"


def _counts(d: Float64, samples: int, seed: int) -> Int64:
    """Resamples of each row of differences whose |t*| is at least |t|."""
    from heldout.kernels.resampling import count_draws

    n = d.shape[1]
    nothing = _NOTHING * np.abs(d).max(axis=1, keepdims=True)
    mean = _without_rounding(d.mean(axis=1, keepdims=True), nothing)
    centred = _without_rounding(d - mean, nothing)
    observed = _squared_t(mean[:, 0], np.square(centred).mean(axis=1))
    equal = ~d.any(axis=1)
    # In units of the row's own spread single precision is enough: t* errs by about 1e-6 of itself. Of a few users,
    # resamples of nearly equal values are frequent, and single precision would take their small spread for none.
    precision, least_spread = (np.float64, 1e-12) if n <= _FEW else (np.float32, 1e-5)
    unit = np.sqrt(np.square(centred).mean(axis=1, keepdims=True))
    scaled = np.divide(centred, unit, out=np.zeros_like(centred), where=unit > 0).T
    first_of, second_of = scaled.astype(precision), np.square(scaled).astype(precision)

    def count(part: range) -> Int64:
        drawn = rng.stream(seed, "bootstrap test", part.start).integers(0, n, (len(part), n), np.int32)
        times = np.zeros((len(part), n), np.float32)
        count_draws(drawn, times)
        first = (times @ first_of).astype(np.float64) / n
        second = (times @ second_of).astype(np.float64) / n
        spread = second - np.square(first)
        spread[spread <= least_spread * second] = 0.0  # only rounding
        reached: Int64 = (_squared_t(first, spread) >= observed * (1 - _ROUNDING)).sum(axis=0)
        return reached

    pieces = [range(start, min(start + _STEP, samples)) for start in range(0, samples, _STEP)]
    total: Int64 = np.sum(list(threads.run_all(count, pieces)), axis=0, dtype=np.int64)
    total[equal] = samples
    return total


def _group_counts(sums: Float64, size: Float64, samples: int, seed: int) -> Int64:
    """Resamples of groups whose |t*| is at least |t|; `sums` are pairs × groups of differences, `size` users of groups.

    The mean of a resample is Σ S_g / Σ n_g over the groups drawn, of sums that were centred: S_g − d̄ n_g. Its residuals are
    S_g − mean* · n_g, so t*² = (Σ S_g)² / Σ (S_g − mean* · n_g)², as d̄² is to its squared error.
    """
    from heldout.kernels.resampling import count_draws

    n = len(size)
    nothing = _NOTHING * np.abs(sums).max(axis=1, keepdims=True)
    total_sum = _without_rounding(sums.sum(axis=1, keepdims=True), nothing)
    centred = _without_rounding(sums - total_sum / size.sum() * size, nothing)
    square = np.square(centred).sum(axis=1)
    observed = _squared_t(total_sum[:, 0], square)
    unit = np.sqrt(square / n)[:, None]
    scaled = np.divide(centred, unit, out=np.zeros_like(centred), where=unit > 0).T
    terms = [part.astype(np.float32) for part in (scaled, np.square(scaled), scaled * size[:, None])]
    sizes = np.stack([size, np.square(size)], axis=1).astype(np.float32)

    def count(part: range) -> Int64:
        drawn = rng.stream(seed, "bootstrap test: groups", part.start).integers(0, n, (len(part), n), np.int32)
        times = np.zeros((len(part), n), np.float32)
        count_draws(drawn, times)
        first, second, mixed = ((times @ term).astype(np.float64) for term in terms)
        users, squares = (times @ sizes).astype(np.float64).T[:, :, None]
        mean = first / users
        spread = second - 2 * mean * mixed + np.square(mean) * squares
        spread[spread <= 1e-5 * second] = 0.0  # what rounding leaves of a spread is none
        reached: Int64 = (_squared_t(first, spread) >= observed * (1 - _ROUNDING)).sum(axis=0)
        return reached

    pieces = [range(start, min(start + _STEP, samples)) for start in range(0, samples, _STEP)]
    total: Int64 = np.sum(list(threads.run_all(count, pieces)), axis=0, dtype=np.int64)
    total[~sums.any(axis=1)] = samples
    return total


def _without_rounding(values: Float64, nothing: Float64) -> Float64:
    """The values with 0 for those that are only what rounding leaves: of .1, .2 and −.3 the mean is 0, not 1e-17."""
    return np.where(np.abs(values) <= nothing, 0.0, values)


def _squared_t(mean: Float64, spread: Float64) -> Float64:
    """t² but for a factor that all samples share; infinite where nothing spreads about a mean that is not 0."""
    square = np.square(mean)
    limit = np.where(square > 0, np.inf, 0.0)
    squared: Float64 = np.divide(square, spread, out=limit, where=spread > 0)
    return squared
