"""Users in 2¹⁶ groups by a hash of their ids: sums and counts that tests of many users are made on, and that merge.

Under the null of a permutation test each user's difference is as likely to have either sign, independently of others; so is
the sum of the differences of a group of users, since all its users may flip together. Flipping groups is therefore a
valid test; it takes its flips from 2^65,536 patterns instead of 2^n. For the bootstrap a group is a cluster of users whom
chance put together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from heldout.tables.arrays import Bool, Float64, Int64
from heldout.tables.id_hash import GROUPS, groups_of, hash_ids


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupSums:
    """Columns × groups, over users whom all of these columns have."""

    sums: Float64
    """Of each column, the sum of its (weighted) values over the users of each group."""
    counts: Float64
    """Users of each group."""


def groups_needed(users: int) -> bool:
    """Whether systems that were measured on so many users are tested by groups, however many of these are compared."""
    return users > GROUPS


def groups_of_users(groups: Int64 | None, users: Bool) -> Int64:
    """The groups of some users; where nothing is known of them, by the hash of their places among all."""
    return groups_of(hash_ids(pl.Series(np.flatnonzero(users)))) if groups is None else groups[users]


def sums_by_group(rows: Float64, groups: Int64, weights: Float64 | None = None) -> GroupSums:
    """The sums of rows (columns × users) by group; weights are brought to a mean of 1 first."""
    each = None if weights is None else weights * (len(weights) / weights.sum())
    sums = np.stack([np.bincount(groups, row if each is None else row * each, GROUPS) for row in rows])
    return GroupSums(sums=sums.astype(np.float64), counts=np.bincount(groups, minlength=GROUPS).astype(np.float64))
