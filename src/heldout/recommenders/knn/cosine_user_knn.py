"""CosineUserKNN: what the nearest users liked, for recommendation."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.recommenders.knn.neighbourhood import (
    MIN_NEIGHBOURS,
    UNRATED,
    Unrated,
    WeightedSum,
    ZeroFilled,
    nearest,
    per_row,
    refuse_unrated,
)
from heldout.recommenders.matrix import by_item, by_user
from heldout.recommenders.ranges import between
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions


class CosineUserKNN(Recommender):
    """The mean of what the most similar users gave to the item, by their similarity; only positive ratings play a role.

    Assumes: ratings below `positive` are discarded (none: those of 0 and below), for neighbours as for sums. κ makes the
    weights of the k neighbours sum to 1; who did not rate the item counts 0, so scores are no ratings. An item that no
    neighbour rated cannot be scored. With `unrated=zero` it scores 0, as the paper's equation stands: then every item has a
    score, and scores are taken for ratings, so that they have an RMSE.

    Example: u rated a with 3; v rated a with 4 and b with 3, w rated a with 3 and c with 4. The cosines 0.8 and 0.6
    become weights of 4/7 and 3/7, so b scores 12/7 and c as well.
    """

    key = "CosineUserKNN"
    formula = "s(u, i) = κ Σ_{v ∈ V_u} cos(u, v) r(v, i), κ = 1/Σ_{v ∈ V_u} cos(u, v)"
    references = ("gunawardana2009",)
    weighs_by_value = True
    ranges = {"k": between(10, 400, log=True)}

    k: int = param(25, "how many neighbours", least=1, also=("N",))
    min_neighbours: int = param(1, MIN_NEIGHBOURS, least=1)
    positive: float | None = param(None, "count only ratings of at least this value")
    unrated: Unrated = param("skip", UNRATED)

    @property
    def predicts_ratings(self) -> bool:
        """Only with `unrated=zero` are scores of all items compared with ratings."""
        return self.unrated == "zero"

    def check(self) -> None:
        """Where every item has a score, none rests on a number of neighbours."""
        refuse_unrated(self)

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Find the neighbours of all users; there is nothing random."""
        liked = train.select(train.value > 0 if self.positive is None else train.value >= self.positive)
        ratings = by_user(liked)
        neighbours = nearest(ratings, by_item(liked), k=self.k, similarity="cosine")
        total = np.maximum(neighbours.sums(neighbours.values), np.finfo(np.float64).tiny)
        weights = neighbours.with_values(neighbours.values / per_row(neighbours, total))
        sums = WeightedSum(weights, ratings, train.n_items, least=self.min_neighbours)
        return ZeroFilled(sums, train.user_counts > 0) if self.unrated == "zero" else sums
