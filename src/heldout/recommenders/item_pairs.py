"""The co-count machinery: how many users rated both of two items, and scores gathered from such pairs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from heldout import threads
from heldout.recommenders.guards import refuse_huge
from heldout.recommenders.linear.gram import among_rated, rated_items
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float32, Float64, Int64, Ints, frozen

_BLOCK = 64


class ItemPairs:
    """A value of every pair of rated items, `values[j, i]`, with the items that each user rated.

    Items are renumbered so that those without ratings take no room; `items` are their codes.
    """

    def __init__(self, train: Interactions, recommender: Recommender) -> None:
        self.items = rated_items(train)
        self.n_items = train.n_items
        self.counts: Float64 = train.item_counts[self.items].astype(np.float64)
        n = len(self.items)
        refuse_huge(4 * n * n, recommender, f"the pairs of {n:,} rated items")
        self.users, self._raters = among_rated(train, "binary")
        self.values: Float32 = np.empty((n, n), np.float32)

    def fill(self, of_row: Callable[[Float64, Int64], Float64]) -> ItemPairs:
        """Set the values of rows j from their co-counts: `of_row` takes rows of co-counts and which rows they are."""
        from heldout.kernels.item_pairs import co_counts

        graph = (self.users.indptr, self.users.indices, self._raters.indptr, self._raters.indices)

        def work(start: int) -> None:
            stop = min(start + _BLOCK, len(self.items))
            co_counts(start, stop, *graph, self.values)
            self.values[start:stop] = of_row(self.values[start:stop].astype(np.float64), np.arange(start, stop))

        for _ in threads.run_all(work, range(0, len(self.items), _BLOCK)):
            pass
        self.values.flags.writeable = False
        return self

    def spread(self, of_rated: Float32) -> Float32:
        """Scores of the rated items as scores of all items, NaN for the others."""
        if len(self.items) == self.n_items:
            return of_rated
        out = np.full((len(of_rated), self.n_items), np.nan, np.float32)
        out[:, self.items] = of_rated
        return out


class Gathered(Model):
    """The largest or the sum of the values of pairs (j, i) over a user's items j; NaN where all are 0."""

    def __init__(self, pairs: ItemPairs, *, largest: bool) -> None:
        self._pairs, self._largest = pairs, largest

    def score(self, users: Ints) -> Float32:
        """Over the items of these users."""
        from heldout.kernels.item_pairs import gathered

        pairs = self._pairs
        of_rated = gathered(frozen(users, np.int64), pairs.users.indptr, pairs.users.indices, pairs.values, self._largest)
        return pairs.spread(of_rated)
