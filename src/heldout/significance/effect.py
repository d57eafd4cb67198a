"""How large a difference is: mean and its interval, Cohen's d, wins and losses, probability of superiority."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heldout.aggregations.moments import Moments, join, merge, weight_sums
from heldout.significance.differences import ROUNDING
from heldout.tables.arrays import Bool, Float64, Int64

_NO_WEIGHTS = np.empty(0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Effects:
    """One entry per pair (a, b); differences are a − b on the scale the values came in."""

    moments: Moments
    """Mean and standard deviation of the users' differences, and how many users they stand on."""
    greater: Int64
    """Users for whom a's value is greater."""
    equal: Int64
    less: Int64

    @property
    def difference(self) -> Float64:
        """Mean of the users' differences."""
        return self.moments.mean

    @property
    def any_difference(self) -> Bool:
        """Whether the values of any user differ."""
        return np.asarray(self.greater + self.less > 0)

    @property
    def cohen_d(self) -> Float64:
        """Mean difference ÷ standard deviation of the differences; 0 when all are 0, NaN when all are one other number."""
        mean, deviation = self.moments.mean, self.moments.deviation
        # A spread within the rounding of the mean is none.
        spread = deviation > 1e-14 * np.abs(mean)
        d: Float64 = np.divide(mean, deviation, out=np.full(len(mean), np.nan), where=spread)
        return np.where(self.any_difference, d, 0.0)

    @property
    def superiority(self) -> Float64:
        """Share of users for whom a's value is greater, ties counted half."""
        users = self.greater + self.equal + self.less
        share: Float64 = np.divide(self.greater + self.equal / 2, users, out=np.full(len(users), np.nan), where=users > 0)
        return share

    def of_pairs(self, pairs: slice | Int64) -> Effects:
        """The effects of some pairs."""
        counts = {name: getattr(self, name)[pairs] for name in ("greater", "equal", "less")}
        return Effects(moments=self.moments.of_rows(pairs), **counts)

    def interval(self, level: float) -> tuple[Float64, Float64]:
        """The t interval of the mean difference; NaN for fewer than two users."""
        return self.moments.interval(level)


def effects(rows: Float64, pairs: Int64, *, weights: Float64 | None = None) -> Effects:
    """The size of the difference of each pair of rows (columns × users, without NaN).

    A difference that is nothing but rounding (both values nearly equal to 14 digits) is 0.

    Example: differences 1, 2, 3 and 0: mean 1.5, deviation 1.291, d = 1.162, 3 greater, 1 equal, superiority 3.5/4.
    """
    from heldout.kernels.paired import spread_of_pairs

    n, users = len(pairs), rows.shape[1]
    mean, variance = np.full(n, np.nan), np.full(n, np.nan)
    greater, less = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    weight, square = weight_sums(users, weights)
    if weight > 0:
        spread_of_pairs(
            np.ascontiguousarray(rows),
            np.ascontiguousarray(pairs, dtype=np.int64),
            _NO_WEIGHTS if weights is None else np.ascontiguousarray(weights),
            ROUNDING,
            mean,
            variance,
            greater,
            less,
        )
    of_differences = Moments(mean=mean, variance=variance, weight=weight, square=square)
    return Effects(moments=of_differences, greater=greater, equal=users - greater - less, less=less)


def merge_effects(blocks: Sequence[Effects]) -> Effects:
    """The effects over all users from those of blocks of users."""
    counts = {name: np.sum([getattr(block, name) for block in blocks], axis=0) for name in ("greater", "equal", "less")}
    return Effects(moments=merge([block.moments for block in blocks]), **counts)


def join_effects(parts: Sequence[Effects]) -> Effects:
    """The effects of several lists of pairs as one."""
    counts = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ("greater", "equal", "less")}
    return Effects(moments=join([part.moments for part in parts]), **counts)
