"""Random fallback: uncomputed items in an order drawn once for all users."""

from __future__ import annotations

import numpy as np

from heldout import rng
from heldout.recommenders.fallback import Fallback
from heldout.tables import Interactions
from heldout.tables.arrays import Float64


class RandomFallback(Fallback):
    """Appends the items that the recommender could not score in random order.

    Assumes: one order for all users, fixed by the seed.

    Example: of targets a, b, c with scores 0.5, NaN, NaN the list is a, b, c or a, c, b.
    """

    key = "random"
    references = ("canamares2020",)

    def order(self, train: Interactions, *, seed: int) -> Float64 | None:
        """A number drawn for each item."""
        return rng.uniform(rng.key(seed, "fallback random"), np.arange(train.n_items))

    def phrase(self) -> str:
        return "items that a system could not score followed the scored ones in random order"
