"""How large a difference is: mean and its interval, Cohen's d, wins and losses, probability of superiority."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout.aggregations.moments import moments
from heldout.significance.differences import differences
from heldout.tables.arrays import Float64, Int64


@dataclass(frozen=True, eq=False)
class Effects:
    """One entry per pair (a, b); differences are a − b on the scale the values came in."""

    difference: Float64
    """Mean of the users' differences."""
    low: Float64
    """Lower end of its t interval; NaN for fewer than two users."""
    high: Float64
    cohen_d: Float64
    """Mean difference ÷ standard deviation of the differences; 0 when all are 0, NaN when all are one other number."""
    greater: Int64
    """Users for whom a's value is greater."""
    equal: Int64
    less: Int64
    superiority: Float64
    """Common-language effect size: P(a > b) + P(a = b) / 2 over users (McGraw & Wong 1992, for pairs)."""


def effects(rows: Float64, pairs: Int64, *, weights: Float64 | None = None, level: float = 0.95) -> Effects:
    """The size of the difference of each pair of rows (columns × users, without NaN).

    Example: differences 1, 2, 3 and 0: mean 1.5, deviation 1.291, d = 1.162, 3 greater, 1 equal, superiority 3.5/4.
    """
    n, users = len(pairs), rows.shape[1]
    mean, low, high, d = (np.full(n, np.nan) for _ in range(4))
    greater, less = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for part, found in differences(rows, pairs):
        of_part = moments(found, weights)
        mean[part] = of_part.mean
        low[part], high[part] = of_part.interval(level)
        # A spread within the rounding of the mean is none.
        spread = of_part.deviation > 1e-14 * np.abs(of_part.mean)
        d[part] = np.divide(of_part.mean, of_part.deviation, out=np.full(len(found), np.nan), where=spread)
        d[part][~found.any(axis=1)] = 0.0
        greater[part], less[part] = (found > 0).sum(axis=1), (found < 0).sum(axis=1)
    equal = users - greater - less
    share = (greater + equal / 2) / users if users else np.full(n, np.nan)
    return Effects(mean, low, high, d, greater, equal, less, share)
