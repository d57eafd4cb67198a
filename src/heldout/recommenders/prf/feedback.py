"""The feedback set of a user: the nearest users, and scores as a formula of what they rated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from heldout.catalogue import param
from heldout.recommenders.guards import refuse_negative
from heldout.recommenders.knn.neighbourhood import Similarity, WeightedSum, nearest, per_row
from heldout.recommenders.matrix import Rows, by_item, by_user
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float32, Float64, Ints

Formula = Callable[[Float64, Float64], Float64]


class FeedbackRecommender(Recommender):
    """A recommender whose query is the user and whose feedback documents are the k nearest users."""

    weighs_by_value = True

    k: int = param(100, "how many neighbours", least=1)
    similarity: Similarity = param("cosine", "how alike two users are")

    def feedback(self, train: Interactions, formula: Formula, *, length_norm: bool = False) -> Model:
        """Find V_u of all users; `formula` takes Σ_{v ∈ V_u} r(v, i)/|V_u| and p(i|V_u), arrays of users × items."""
        refuse_negative(train, self, "probabilities need")
        ratings = by_user(train)
        nearest_users = nearest(ratings, by_item(train), k=self.k, similarity=self.similarity)
        return _Feedback(
            nearest_users.with_values(np.ones(len(nearest_users.values))), ratings, train.n_items, formula, length_norm
        )


class _Feedback(Model):
    def __init__(self, neighbours: Rows, ratings: Rows, n_items: int, formula: Formula, length_norm: bool) -> None:
        lengths = ratings.sums(ratings.values)
        if length_norm:
            ratings, lengths = _shares(ratings, lengths), (lengths > 0).astype(np.float64)
        self._sums = WeightedSum(neighbours, ratings, n_items)
        self._sizes = np.maximum(neighbours.counts, 1).astype(np.float64)
        self._mass = neighbours.sums(lengths[neighbours.indices])
        self._formula = formula

    def score(self, users: Ints) -> Float32:
        """NaN for items that no neighbour rated; ratings of 0 alone make a distribution of nothing, hence NaN as well."""
        sums = self._sums.score(users).astype(np.float64)
        mass = np.where(self._mass > 0, self._mass, np.nan)[users]
        out: Float32 = self._formula(sums / self._sizes[users][:, None], sums / mass[:, None]).astype(np.float32)
        return out


def _shares(ratings: Rows, lengths: Float64) -> Rows:
    """Every rating over the sum of its row; 0 in a row of zeros."""
    totals = per_row(ratings, lengths)
    part = np.zeros(len(totals))
    np.divide(ratings.values, totals, out=part, where=totals > 0)
    return ratings.with_values(part)


def background(train: Interactions, gamma: float) -> Float64:
    """p(i|C), with γ imaginary rating points for each item; NaN where it is 0."""
    totals = np.bincount(train.item, train.value, train.n_items) + gamma
    out = np.full(train.n_items, np.nan)
    np.divide(totals, totals.sum(), out=out, where=totals > 0)
    return out
