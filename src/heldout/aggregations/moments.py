"""Mean, spread and t interval of users' values, plain or weighted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout.tables.arrays import Float64

ONE_USER = 1.0 + 1e-9
"""An effective size up to which all stands on one user, whatever the rounding: no spread can be told from it."""

_NO_WEIGHTS = np.empty(0)


@dataclass(frozen=True, eq=False)
class Moments:
    """Mean and spread of each row of values, and how many users they stand on."""

    mean: Float64
    deviation: Float64
    """The standard deviation, n − 1 below."""
    size: float
    """The number of users; weighted, the effective number (Σw)² / Σw² (Kish 1965), equal to it when all weigh alike."""

    @property
    def error(self) -> Float64:
        """The standard error of the mean."""
        of_mean: Float64 = self.deviation / np.sqrt(self.size)
        return of_mean

    @property
    def degrees(self) -> float:
        """Degrees of freedom."""
        return self.size - 1.0

    def interval(self, level: float) -> tuple[Float64, Float64]:
        """The t interval of the mean; NaN when it stands on fewer than two users."""
        from scipy.special import stdtrit

        half = stdtrit(self.degrees, 0.5 + level / 2) * self.error if self.degrees > 0 else np.nan * self.mean
        return self.mean - half, self.mean + half


def effective_size(weights: Float64) -> float:
    """How many users of equal weight would tell as much: (Σw)² / Σw², 0 when nobody has weight."""
    squares = float(np.square(weights).sum())
    return float(weights.sum()) ** 2 / squares if squares > 0 else 0.0


def row_means(rows: Float64, weights: Float64 | None = None) -> Float64:
    """The (weighted) mean of each row (rows × users, without NaN); NaN where nobody has weight or there is no user."""
    from heldout.kernels.paired import row_means as fill_means

    means = np.full(len(rows), np.nan)
    if rows.shape[1] and (weights is None or weights.sum() > 0):
        fill_means(np.ascontiguousarray(rows), _NO_WEIGHTS if weights is None else np.ascontiguousarray(weights), means)
    return means


def moments(rows: Float64, weights: Float64 | None = None) -> Moments:
    """The moments of each row (users along the last axis, without NaN)."""
    from heldout.kernels.paired import row_squares

    flat = np.ascontiguousarray(np.atleast_2d(rows))
    means = row_means(flat, weights)
    mean = means.reshape(rows.shape[:-1])
    size = float(rows.shape[-1]) if weights is None else effective_size(weights)
    if size <= ONE_USER:
        return Moments(mean, np.full(mean.shape, np.nan), min(size, 1.0))
    squares = np.empty(len(flat))
    row_squares(flat, _NO_WEIGHTS if weights is None else np.ascontiguousarray(weights), means, squares)
    return Moments(mean, np.sqrt(squares.reshape(mean.shape) * (size / (size - 1.0))), size)
