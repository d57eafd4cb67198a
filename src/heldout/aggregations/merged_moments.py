"""Moments that merge: of groups of users, along a fixed binary tree, so that pieces do not change a digit.

The leaves are the 65,536 groups by the first bits of a hash of the user's id; within a group users are added in the order of
their ids. A piece of users is a subtree: whoever works it out, and however many pieces there are, the same pairs of numbers
are added in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout.aggregations.moments import ONE_USER, Moments
from heldout.tables.arrays import Bool, Float64, Int64


@dataclass(frozen=True, eq=False, kw_only=True)
class MergedMoments:
    """Of each column: its users, their weights, mean and spread; all of them arrays of one shape."""

    users: Float64
    weight: Float64
    square: Float64
    """Sum of squared weights."""
    mean: Float64
    spread: Float64
    """Sum of weighted squared deviations from the mean."""

    def moments(self) -> Moments:
        """Mean, deviation and size of a single column, as `heldout.aggregations.moments.moments` has them."""
        weight, square = float(self.weight), float(self.square)
        mean = np.asarray(self.mean if weight > 0 else np.nan)
        size = weight * weight / square if square > 0 else 0.0
        if size <= ONE_USER:
            return Moments(mean, np.asarray(np.nan), min(size, 1.0))
        variance = float(self.spread) / weight
        return Moments(mean, np.asarray(np.sqrt(variance * (size / (size - 1.0)))), size)

    def column(self, place: int) -> MergedMoments:
        """One of the columns."""
        users, weight, square, mean, spread = self.stacked()[:, place]
        return MergedMoments(users=users, weight=weight, square=square, mean=mean, spread=spread)

    def stacked(self) -> Float64:
        """5 × shape."""
        return np.stack([self.users, self.weight, self.square, self.mean, self.spread])


def merge_tree(leaves: Float64) -> MergedMoments:
    """Merge 5 × columns × leaves, a power of two, pair by pair of neighbours."""
    while leaves.shape[-1] > 1:
        leaves = _merged(leaves[..., 0::2], leaves[..., 1::2])
    users, weight, square, mean, spread = leaves[..., 0]
    return MergedMoments(users=users, weight=weight, square=square, mean=mean, spread=spread)


def _merged(a: Float64, b: Float64) -> Float64:
    """Chan, Golub and LeVeque's rule, weighted."""
    weight = a[1] + b[1]
    share = np.divide(b[1], weight, out=np.zeros_like(weight), where=weight > 0)
    apart = b[3] - a[3]
    mean = np.where(a[1] > 0, a[3] + apart * share, b[3])
    spread = a[4] + b[4] + np.where((a[1] > 0) & (b[1] > 0), apart * apart * a[1] * share, 0.0)
    return np.stack([a[0] + b[0], weight, a[2] + b[2], mean, spread])


def group_leaves(
    values: Float64 | None, kept: Bool, weights: Float64 | None, order: Int64, starts: Int64
) -> tuple[Float64, Float64]:
    """5 × groups of one column, group g being users order[starts[g]:starts[g + 1]], and the weighted sums of groups.

    Without values and weights, every kept user is a 0, and only their number matters.
    """
    from heldout.kernels.grouped_moments import count_by_group, moments_by_group

    out, sums = np.zeros((5, len(starts) - 1)), np.zeros(len(starts) - 1)
    kept = np.ascontiguousarray(kept)
    if values is None and weights is None:
        count_by_group(kept, order, starts, out[0])
        out[1:3] = out[0]
        return out, sums
    each = np.empty(0) if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
    values = np.zeros(len(kept)) if values is None else np.ascontiguousarray(values, dtype=np.float64)
    moments_by_group(values, kept, each, order, starts, out, sums)
    return out, sums
