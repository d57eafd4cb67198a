"""What the two NNCosNgbr recommenders share: a baseline estimate plus a sum over neighbours that is not normalised."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import param
from heldout.recommenders.knn.baseline_estimates import Baseline, baseline
from heldout.recommenders.knn.neighbourhood import Neighbourhood
from heldout.recommenders.matrix import Rows
from heldout.recommenders.ranges import between
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float32, Ints

ESTIMATE = "b(u, i) = µ + b_i + b_u, b_i = Σ_v (r(v, i) − µ)/(λ_i + n_i), b_u = Σ_j (r(u, j) − µ − b_j)/(λ_u + n_u)"
"""The part of the formula that both have."""


class NNCosNgbr(Recommender):
    """A recommender that adds to a baseline estimate what neighbours deviate from theirs."""

    references = ("cremonesi2010", "valcarce2018")
    weighs_by_value = True
    ranges = {"k": between(10, 400, log=True), "shrinkage": between(10.0, 500.0, log=True)}

    k: int = param(200, "how many neighbours", least=1)
    among: Literal["rated", "all"] = param("rated", "whose nearest are taken: those that have the rating, or all")
    min_neighbours: int = param(1, "neighbours with a rating, at least; with fewer, the baseline estimate is left", least=1)
    shrinkage: float = param(100.0, "λ of the similarity", least=0, also=("λ", "lambda"))
    damping_items: float = param(25.0, "λ_i, imaginary ratings of the mean added to each item", least=0)
    damping_users: float = param(10.0, "λ_u, imaginary ratings of the mean added to each user", least=0)

    def estimate(self, train: Interactions) -> Baseline:
        """b(u, i) of all users and items."""
        return baseline(train, damping_items=self.damping_items, damping_users=self.damping_users)

    def neighbourhood(self, rows: Rows, columns: Rows) -> Neighbourhood:
        """d of all pairs of rows."""
        return Neighbourhood(rows, columns, "cosine", shrinkage=self.shrinkage)


class AboveBaseline(Model):
    """b(u, i) plus what neighbours add; without any neighbour, b(u, i) alone."""

    def __init__(self, baseline: Baseline, sums: Model) -> None:
        self._baseline, self._sums = baseline, sums

    def score(self, users: Ints) -> Float32:
        """NaN for users and items without ratings, which have no baseline estimate."""
        scores = self._sums.score(users).astype(np.float64)
        scores[np.isnan(scores)] = 0
        scores += self._baseline.overall + self._baseline.item
        scores += self._baseline.user[users][:, None]
        out: Float32 = scores.astype(np.float32)
        return out
