"""NNCosNgbr-UB: a baseline estimate plus what similar users gave to the item above theirs."""

from __future__ import annotations

from heldout.recommenders.knn.nearest_rated import NearestRaters
from heldout.recommenders.knn.neighbourhood import WeightedSum
from heldout.recommenders.knn.nncosngbr import ESTIMATE, AboveBaseline, NNCosNgbr
from heldout.recommenders.matrix import by_item, by_user
from heldout.recommenders.recommender import Model
from heldout.tables import Interactions


class NNCosNgbrUB(NNCosNgbr):
    """Non-normalised cosine neighbourhood of users: the baseline estimate plus the neighbours' deviations from theirs.

    Assumes: d(u, v) is the cosine over whole rating vectors times n/(n + λ) for n shared items. V_u(i) holds the k users
    of highest d among those who rated i; with `among=all`, the k of highest d among all users, of whom some rated i. The
    sum is not divided by its weights, so scores are no ratings: more neighbours who rated the item move them more. An item
    that no neighbour rated keeps its baseline estimate; users and items without ratings cannot be scored.

    Published: nDCG@100 of 0.1014 on the split of Valcarce et al. (2018), where baseline and k are not told. Nearest comes
    `NNCosNgbr-UB(k=8, damping_items=0, damping_users=0)` with 0.1007: undamped, items of a single high rating lead. The
    defaults give 0.2346.

    Example: b(u, i) = 3; two neighbours of u, d = ½ and ¼, gave i 1 point more and 2 less than b: 3 + ½ − ½ = 3.
    """

    key = "NNCosNgbr-UB"
    formula = "s(u, i) = b(u, i) + Σ_{v ∈ V_u(i)} d(u, v) (r(v, i) − b(v, i)), d = cos(u, v) n_uv/(n_uv + λ), " + ESTIMATE

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Find the neighbours of all users; there is nothing random."""
        ratings, estimate = by_user(train), self.estimate(train)
        near, above = self.neighbourhood(ratings, by_item(train)), estimate.residuals(ratings)
        least = self.min_neighbours
        if self.among == "rated":
            sums = NearestRaters(near, above, train.n_items, k=self.k, divide=False, least=least)
            return AboveBaseline(estimate, sums)
        return AboveBaseline(estimate, WeightedSum(near.nearest(self.k), above, train.n_items, least=least))
