"""ItemItem: the chance of an item given another of the user's."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import param
from heldout.recommenders.item_pairs import Gathered, ItemPairs
from heldout.recommenders.ranges import among
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float64, Int64

_CERTAIN = 2.0**-24


class ItemItem(Recommender):
    """The conditional probability of the item given each of the user's items, of which the largest counts.

    Assumes: every rating is a use, whatever its value; p(i|j) = co-count(i, j)/count(j). An item says nothing of itself.
    `sum` adds the probabilities; `noisy_or` takes 1 − Π (1 − p), given as −Σ log(1 − p), which has the same order and does
    not round to 1 (a certain p counts as 1 − 2⁻²⁴). An item used with none of the user's items cannot be scored.

    Example: 4 users used a, 2 of them b as well; c has 1 user, who used b: p(b|a) = ½, p(b|c) = 1. A user of a and c
    has 1 for b, and 1.5 by `sum`.
    """

    key = "ItemItem"
    formula = "s(u, i) = max_{j ∈ I_u} p(i|j), p(i|j) = |U_i ∩ U_j|/|U_j|"
    references = ("gunawardana2009",)
    ranges = {"aggregate": among("max", "sum", "noisy_or")}

    aggregate: Literal["max", "sum", "noisy_or"] = param("max", "how the probabilities given each item become one score")

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Count pairs of items; there is nothing random."""
        pairs = ItemPairs(train, self)

        def chances(shared: Float64, rows: Int64) -> Float64:
            chance = shared / pairs.counts[rows][:, None]
            chance[np.arange(len(rows)), rows] = 0
            return -np.log(np.maximum(1 - chance, _CERTAIN)) if self.aggregate == "noisy_or" else chance

        return Gathered(pairs.fill(chances), largest=self.aggregate == "max")
