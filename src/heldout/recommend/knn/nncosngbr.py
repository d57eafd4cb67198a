"""What the two NNCosNgbr recommenders share: a baseline estimate plus a sum over neighbours that is not normalised."""

from __future__ import annotations

import numpy as np

from heldout.recommend.knn.baseline_estimates import Baseline
from heldout.recommend.knn.neighbourhood import WeightedSum
from heldout.recommend.recommender import Model
from heldout.tables.arrays import Float32, Ints


class AboveBaseline(Model):
    """b(u, i) plus what neighbours add; without any neighbour, b(u, i) alone."""

    def __init__(self, baseline: Baseline, sums: WeightedSum) -> None:
        self._baseline, self._sums = baseline, sums

    def score(self, users: Ints) -> Float32:
        """NaN for users and items without ratings, which have no baseline estimate."""
        found = self._sums.score(users).astype(np.float64)
        found[np.isnan(found)] = 0
        found += self._baseline.overall + self._baseline.item
        found += self._baseline.user[users][:, None]
        out: Float32 = found.astype(np.float32)
        return out
