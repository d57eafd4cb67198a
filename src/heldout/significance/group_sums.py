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

from heldout.significance.differences import differences
from heldout.significance.significance_test import Test
from heldout.tables.arrays import Bool, Float64, Int64
from heldout.tables.id_hash import GROUPS, groups_of, hash_ids


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupSums:
    """Of pairs of systems, pairs × groups: what users' differences add up to, and how many users there are."""

    sums: Float64
    counts: Float64

    @classmethod
    def empty(cls, pairs: int) -> GroupSums:
        """No user yet."""
        return cls(sums=np.zeros((pairs, GROUPS)), counts=np.zeros((pairs, GROUPS)))

    def add(
        self,
        rows: Float64,
        pairs: Int64,
        groups: Int64,
        weights: Float64 | None = None,
        *,
        places: Int64 | None = None,
    ) -> None:
        """Add the (weighted) differences of pairs of rows (systems × users); `places` are those of the pairs."""
        if not len(groups):
            return
        first, places = int(groups.min()), np.arange(len(pairs)) if places is None else places
        own, span = groups - first, slice(first, int(groups.max()) + 1)
        users = np.bincount(own)
        for part, d in differences(rows, pairs):
            for place, of_pair in zip(places[part].tolist(), d, strict=True):
                self.sums[place, span] += np.bincount(own, of_pair if weights is None else of_pair * weights)
                self.counts[place, span] += users

    def of_pairs(self, pairs: Int64) -> GroupSums:
        """The sums of some pairs."""
        return GroupSums(sums=self.sums[pairs], counts=self.counts[pairs])

    def p_values(self, test: Test, *, seed: int) -> Float64:
        """The p of every pair; those on the same users are tested together. NaN for a pair without users."""
        p, by_users = np.full(len(self.sums), np.nan), dict[bytes, list[int]]()
        for pair, counts in enumerate(self.counts):
            if counts.any():
                by_users.setdefault(counts.tobytes(), []).append(pair)
        for pairs in by_users.values():
            p[pairs] = test.p_of_groups(self.sums[pairs], self.counts[pairs[0]], seed=seed)
        return p


def groups_of_users(groups: Int64 | None, users: Bool) -> Int64:
    """The groups of some users; where nothing is known of them, by the hash of their places among all."""
    return groups_of(hash_ids(pl.Series(np.flatnonzero(users)))) if groups is None else groups[users]
