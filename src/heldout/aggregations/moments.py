"""Mean, spread and t interval of users' values, plain or weighted: records of blocks of users, which merge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heldout.tables.arrays import Float64, Int64

ONE_USER = 1.0 + 1e-9
"""An effective size up to which all stands on one user, whatever the rounding: no spread can be told from it."""

_NO_WEIGHTS = np.empty(0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Moments:
    """Mean and spread of each row of values, and the weight they stand on: one number, or one for each row."""

    mean: Float64
    variance: Float64
    """The (weighted) mean of squared deviations from the mean."""
    weight: Float64
    """The sum of weights; the number of users if all count alike."""
    square: Float64
    """The sum of squared weights."""

    @property
    def size(self) -> Float64:
        """The number of users; weighted, the effective number (Σw)² / Σw² (Kish 1965), equal to it when all weigh alike."""
        size = np.divide(self.weight**2, self.square, out=np.zeros(np.shape(self.weight)), where=np.asarray(self.square) > 0)
        return np.where(size <= ONE_USER, np.minimum(size, 1.0), size)

    @property
    def degrees(self) -> Float64:
        """Degrees of freedom."""
        return self.size - 1.0

    @property
    def deviation(self) -> Float64:
        """The standard deviation, n − 1 below; NaN when it stands on fewer than two users."""
        size = self.size
        correction = np.divide(size, size - 1.0, out=np.full(np.shape(size), np.nan), where=size > 1.0)
        deviation: Float64 = np.sqrt(self.variance * correction)
        return deviation

    @property
    def error(self) -> Float64:
        """The standard error of the mean."""
        of_mean: Float64 = self.deviation / np.sqrt(np.maximum(self.size, 1.0))
        return of_mean

    def interval(self, level: float) -> tuple[Float64, Float64]:
        """The t interval of the mean; NaN when it stands on fewer than two users."""
        degrees, place = np.unique(self.degrees, return_inverse=True)
        quantiles = np.array([t_quantile(0.5 + level / 2, n) if n > 0 else np.nan for n in degrees.tolist()])
        half = quantiles[place.reshape(np.shape(self.degrees))] * self.error
        return self.mean - half, self.mean + half

    def of_rows(self, rows: slice | Int64) -> Moments:
        """The moments of some rows."""
        weight, square = (np.broadcast_to(sums, np.shape(self.mean))[rows] for sums in (self.weight, self.square))
        return Moments(mean=self.mean[rows], variance=self.variance[rows], weight=weight, square=square)

    def times(self, factor: Float64) -> Moments:
        """The moments of the values multiplied by a factor."""
        return Moments(mean=self.mean * factor, variance=self.variance * factor**2, weight=self.weight, square=self.square)


def t_quantile(share: float, degrees: float) -> float:
    """Quantile of Student's t distribution: t_quantile(0.975, 2) = 4.302652729749464.

    scipy's value is refined by one Newton step, because scipy before 1.17 is wrong from the eleventh digit on.
    """
    from scipy.special import gammaln, stdtr, stdtrit

    value = float(stdtrit(degrees, share))
    scale = gammaln((degrees + 1) / 2) - gammaln(degrees / 2) - math.log(degrees * math.pi) / 2
    density = math.exp(scale - (degrees + 1) / 2 * math.log1p(value * value / degrees))
    return value - (float(stdtr(degrees, value)) - share) / density


def merge(blocks: Sequence[Moments]) -> Moments:
    """The moments of all users from those of blocks, merged in pairs of neighbours until one is left.

    Example: blocks of 2 users with mean 1 and of 6 with mean 3 and no spread: mean 2.5, variance 2² · (2/8) · (6/8) = 0.75.
    """
    while len(blocks) > 1:
        pairs = [_merged(a, b) for a, b in zip(blocks[::2], blocks[1::2], strict=False)]
        blocks = pairs + list(blocks[len(pairs) * 2 :])
    return blocks[0]


def _merged(a: Moments, b: Moments) -> Moments:
    """Chan, Golub and LeVeque's rule, weighted."""
    weight = np.asarray(a.weight + b.weight)
    share = np.divide(b.weight, weight, out=np.zeros(weight.shape), where=weight > 0)
    apart = b.mean - a.mean
    mean = a.mean + apart * share
    variance = a.variance + (b.variance - a.variance) * share + apart * apart * share * (1.0 - share)
    # A block without weight has neither mean nor spread.
    mean, variance = (
        np.where(np.asarray(b.weight) == 0, own, np.where(np.asarray(a.weight) == 0, other, both))
        for own, other, both in ((a.mean, b.mean, mean), (a.variance, b.variance, variance))
    )
    return Moments(mean=mean, variance=variance, weight=weight, square=np.asarray(a.square + b.square))


def stacked(rows: Sequence[Moments]) -> Moments:
    """Moments of single rows as one record."""
    mean, variance, weight, square = (
        np.array([getattr(row, name) for row in rows], dtype=np.float64).reshape(len(rows))
        for name in ("mean", "variance", "weight", "square")
    )
    return Moments(mean=mean, variance=variance, weight=weight, square=square)


def join(parts: Sequence[Moments]) -> Moments:
    """Moments of several lists of rows as one record."""
    mean, variance, weight, square = (
        np.concatenate([np.broadcast_to(getattr(part, name), np.shape(part.mean)) for part in parts])
        for name in ("mean", "variance", "weight", "square")
    )
    return Moments(mean=mean, variance=variance, weight=weight, square=square)


def weight_sums(users: int, weights: Float64 | None) -> tuple[Float64, Float64]:
    """The sum of weights and of their squares; both are the number of users if these have none."""
    if weights is None:
        return np.asarray(float(users)), np.asarray(float(users))
    return np.asarray(weights.sum()), np.asarray(np.square(weights).sum())


def effective_size(weights: Float64) -> float:
    """How many users of equal weight would tell as much: (Σw)² / Σw², 0 when nobody has weight."""
    weight, square = weight_sums(len(weights), weights)
    return float(weight**2 / square) if square > 0 else 0.0


def row_means(rows: Float64, weights: Float64 | None = None) -> Float64:
    """The (weighted) mean of each row (rows × users, without NaN); NaN where nobody has weight or there is no user."""
    from heldout.kernels.paired import row_means as fill_means

    means = np.full(len(rows), np.nan)
    if rows.shape[1] and (weights is None or weights.sum() > 0):
        fill_means(np.ascontiguousarray(rows), _NO_WEIGHTS if weights is None else np.ascontiguousarray(weights), means)
    return means


def moments(rows: Float64, weights: Float64 | None = None) -> Moments:
    """The moments of each row of one block (users along the last axis, without NaN)."""
    from heldout.kernels.paired import row_squares

    flat = np.ascontiguousarray(np.atleast_2d(rows))
    means, squares = row_means(flat, weights), np.full(len(flat), np.nan)
    weight, square = weight_sums(rows.shape[-1], weights)
    if weight > 0:
        row_squares(flat, _NO_WEIGHTS if weights is None else np.ascontiguousarray(weights), means, squares)
    shape = rows.shape[:-1]
    return Moments(mean=means.reshape(shape), variance=squares.reshape(shape), weight=weight, square=square)
