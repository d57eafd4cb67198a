"""Item-based nearest neighbours."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import param
from heldout.recommenders.knn.neighbourhood import WeightedSum, nearest
from heldout.recommenders.matrix import Rows, by_item, by_user, transposed
from heldout.recommenders.ranges import among, between
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions


class ItemKNN(Recommender):
    """The user's own ratings of the most similar items, weighted by their similarity.

    Assumes: J_i holds the k items most similar to i, of positive similarity and never i itself, the lower code first
    among equals; k may exceed their number, and `k=none` takes all. Cosine is taken over whole rating vectors (unrated
    counts 0), binary cosine and Jaccard over the sets of users, Pearson and adjusted cosine over the shared users alone,
    the latter after each user's mean is subtracted (undefined, hence no neighbour, without any spread). An item none of
    whose neighbours the user rated cannot be scored. `normalise` divides by Σ sim^q and puts scores on the rating scale.

    Example: item a was rated 3 by v, item b 4 by v and 3 by u. cos(a, b) = 3·4/(3·5) = 0.8, so a scores 0.8 · 3 = 2.4
    for u, and 3 normalised.
    """

    key = "ItemKNN"
    formula = "s(u, i) = Σ_{j ∈ J_i ∩ I_u} sim(i, j)^q r(u, j) [/ Σ_{j ∈ J_i ∩ I_u} sim(i, j)^q]"
    references = ("sarwar2001", "desrosiers2011")
    weighs_by_value = True
    ranges = {
        "k": among(10, 20, 50, 100, 200, 400, None),
        "similarity": among("cosine", "binary_cosine", "jaccard"),
        "q": between(0.5, 4.0, log=True),
    }

    k: int | None = param(100, "how many neighbours; none: no limit", least=1)
    similarity: Literal["cosine", "binary_cosine", "jaccard", "pearson", "adjusted_cosine"] = param(
        "cosine", "how alike two items are"
    )
    normalise: bool = param(False, "divide by the sum of weights")
    min_overlap: int = param(0, "users that two items must share to be neighbours", least=0)
    min_neighbours: int = param(1, "rated neighbours that an estimate rests on, at least; with fewer there is none", least=1)
    q: float = param(1.0, "exponent of the similarity as a weight", least=0)
    shrinkage: float = param(0.0, "λ: a similarity over n shared ratings is multiplied by n/(n + λ)", least=0)

    @property
    def predicts_ratings(self) -> bool:
        """A weighted mean of ratings is a rating."""
        return self.normalise

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Find the neighbours of all items; there is nothing random."""
        ratings = by_user(train)
        rows, columns = by_item(train), ratings
        if self.similarity == "adjusted_cosine":
            rows, columns = _centred(rows, columns)
        neighbours = nearest(
            rows,
            columns,
            k=train.n_items if self.k is None else self.k,
            similarity=self.similarity,
            min_overlap=self.min_overlap,
            shrinkage=self.shrinkage,
        )
        weights = transposed(neighbours.with_values(neighbours.values**self.q), train.n_items)
        return WeightedSum(
            ratings, weights, train.n_items, divide_by="right" if self.normalise else "none", least=self.min_neighbours
        )


def _centred(rows: Rows, columns: Rows) -> tuple[Rows, Rows]:
    """Ratings minus their user's mean, users being the columns."""
    means = columns.sums(columns.values) / np.maximum(columns.counts, 1)
    return (
        rows.with_values(rows.values - means[rows.indices]),
        columns.with_values(columns.values - np.repeat(means, columns.counts)),
    )
