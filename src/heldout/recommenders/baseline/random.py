"""Random scores: the floor that any recommender should pass."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout import rng
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float32, Ints


@dataclass(frozen=True)
class _RandomModel(Model):
    key: int
    n_items: int

    def score(self, users: Ints) -> Float32:
        return rng.uniform(self.key, users[:, None], np.arange(self.n_items)[None, :]).astype(np.float32)


class Random(Recommender):
    """A number drawn for each user and item.

    Assumes: nothing of the ratings; every item can be scored, also for users without training ratings. Each score
    is a function of the seed, the user and the item alone, so it is the same whatever else is scored.

    Example: over 4 targets of which 1 is relevant, the expected P@1 is 1/4.
    """

    key = "Random"
    impersonal = True
    formula = "s(u, i) ~ U[0, 1)"

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Draw the key of all scores."""
        return _RandomModel(rng.key(seed, "recommend Random"), train.n_items)
