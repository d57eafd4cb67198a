"""RSV: Robertson's selection value."""

from __future__ import annotations

from heldout.recommenders.prf.feedback import FeedbackRecommender
from heldout.recommenders.ranges import among, between
from heldout.recommenders.recommender import Model
from heldout.tables import Interactions


class RSV(FeedbackRecommender):
    """The mean rating of the neighbourhood times the share of its rating points that the item has.

    Assumes: V_u as for RocchioWeights, and p(i|V_u) the share of the item in all that the neighbours gave. For one user
    the score is proportional to the square of that of RocchioWeights, so both rank alike. An item that no neighbour
    rated cannot be scored. Ratings must not be negative.

    Published: nDCG@100 of 0.3920 on the split of Valcarce et al. (2018); as for RocchioWeights, k=75 gives 0.4091.

    Example: of 4 neighbours, who gave 40 points in all, two rated an item, with 5 and 3: (8/4) · (8/40) = 0.4.
    """

    key = "RSV"
    formula = "s(u, i) = Σ_{v ∈ V_u} (r(v, i)/|V_u|) p(i|V_u), p(i|V_u) = Σ_{v ∈ V_u} r(v, i)/Σ_{v ∈ V_u, j} r(v, j)"
    references = ("valcarce2016prf", "carpineto2001", "valcarce2018")
    ranges = {"k": between(10, 400, log=True), "similarity": among("cosine", "jaccard")}

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Find the neighbours of all users; there is nothing random."""
        return self.feedback(train, lambda mean, share: mean * share)
