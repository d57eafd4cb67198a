"""A model whose scores are the same for all users."""

from __future__ import annotations

import numpy as np

from heldout.recommenders.guards import refuse_beyond
from heldout.recommenders.recommender import Model
from heldout.tables.arrays import Float32, Float64, Ints


class SameForAll(Model):
    """One score for each item, whoever asks."""

    def __init__(self, scores: Float64) -> None:
        refuse_beyond(float(np.fmax.reduce(np.abs(scores), initial=0)), "scores")
        self._scores = scores.astype(np.float32)

    def score(self, users: Ints) -> Float32:
        """The items' scores, once for every user."""
        return np.tile(self._scores, (len(users), 1))
