"""Sums over the nearest of those that count: of the users who rated the item, or of the items that the user rated."""

from __future__ import annotations

import numpy as np

from heldout.recommenders.guards import refuse_huge
from heldout.recommenders.knn.neighbourhood import Neighbourhood
from heldout.recommenders.matrix import Rows
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables.arrays import Float32, Float64, Ints, frozen


class NearestRaters(Model):
    """Σ sim(u, v) value(v, i) over the k users v nearest to u who rated i, divided by Σ sim(u, v) if asked for.

    All users in order of similarity are found anew for each user who is asked for: to keep them would take users² room.
    """

    def __init__(self, near: Neighbourhood, values: Rows, n_items: int, *, k: int, divide: bool, least: int) -> None:
        self._near, self._values, self._n = near, values, n_items
        self._k, self._divide, self._least = k, divide, least

    def score(self, users: Ints) -> Float32:
        """NaN where fewer than `least` neighbours rated the item."""
        from heldout.kernels.raters import nearest_raters

        out = np.full((len(users), self._n), np.nan, np.float32)
        total, weight, met = np.empty(self._n), np.empty(self._n), np.empty(self._n, np.int32)
        for t, u in enumerate(users):
            code, alike, kept = self._near.block(int(u), int(u) + 1, max(1, self._near.n - 1))
            nearest_raters(code[0, : kept[0]], alike[0, : kept[0]], *self._values, self._k, total, weight, met)
            enough = met >= self._least
            out[t, enough] = total[enough] / weight[enough] if self._divide else total[enough]
        return out


class NearestRated(Model):
    """Σ sim(i, j) value(u, j) over the k items j nearest to i that u rated; all neighbours of all items are kept."""

    def __init__(self, near: Neighbourhood, values: Rows, owner: Recommender, *, k: int, least: int) -> None:
        pairs = min(near.n**2, int(np.square(values.counts).sum()))
        refuse_huge(12 * pairs, owner, f"the similarities of {near.n:,} items")
        self._near, self._values, self._k, self._least = near.nearest(near.n), values, k, least

    def score(self, users: Ints) -> Float64:
        """NaN where the user rated fewer than `least` neighbours of the item."""
        from heldout.kernels.raters import nearest_rated

        sums: Float64 = nearest_rated(frozen(users, np.int64), *self._values, *self._near, self._k, self._least)
        return sums
