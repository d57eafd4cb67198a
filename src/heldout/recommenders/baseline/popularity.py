"""Popularity: how often an item was rated."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.recommenders.baseline.constant import SameForAll
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float64


def popularity(train: Interactions, *, positive: float | None = None) -> Float64:
    """The number of training ratings of each item, or of those from `positive` on."""
    if positive is None:
        return train.item_counts.astype(np.float64)
    return np.bincount(train.item[train.value >= positive], minlength=train.n_items).astype(np.float64)


class Popularity(Recommender):
    """The number of training ratings of an item, the same for all users.

    Assumes: an item without training ratings has the popularity 0, which is a score and not a missing one, so every
    item can be scored. With `positive`, ratings below it are not counted.

    Example: ratings 5, 4, 1 of an item give 3, and 2 with `positive=4`.
    """

    key = "Popularity"
    impersonal = True
    aliases = ("TopPop",)
    formula = "s(u, i) = |{v : v rated i}|"
    references = ("cremonesi2010",)
    comparable_scores = True

    positive: float | None = param(None, "count only ratings of at least this value")

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Count; there is nothing random."""
        return SameForAll(popularity(train, positive=self.positive))
