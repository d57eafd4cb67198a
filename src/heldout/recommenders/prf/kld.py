"""KLD: an item's part in the divergence of the neighbourhood from the collection."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.recommenders.prf.feedback import FeedbackRecommender, background
from heldout.recommenders.ranges import among, between
from heldout.recommenders.recommender import Model
from heldout.tables import Interactions
from heldout.tables.arrays import Float64


class KLD(FeedbackRecommender):
    """An item's share in the neighbourhood times the log of how much it exceeds that in the collection.

    Assumes: V_u as for RocchioWeights. A share below the collection's gives a negative score. Rare items
    have tiny shares in the collection, and without smoothing (γ = 0) the score favours them; γ adds as many rating
    points to each item. `length_norm` lets every neighbour count alike, however much they rated. An item that no
    neighbour rated cannot be scored. Ratings must not be negative.

    Published: nDCG@100 of 0.4139 on the split of Valcarce et al. (2018). On a fifth of the training ratings the defaults
    were the best of a coarse grid: 0.4241. γ is in rating points, so what is best depends on how many an item has.

    Example: an item has 8 of the neighbours' 40 points and a tenth of all points: 0.2 ln(0.2/0.1) = 0.1386.
    """

    key = "KLD"
    formula = (
        "s(u, i) = p(i|V_u) log(p(i|V_u)/p(i|C)), p(i|C) = (Σ_v r(v, i) + γ)/Σ_j (Σ_v r(v, j) + γ), "
        "p(i|V_u) as in RSV, or (1/|V_u|) Σ_{v ∈ V_u} r(v, i)/Σ_j r(v, j)"
    )
    references = ("valcarce2016prf", "carpineto2001", "valcarce2018")
    ranges = {"k": between(10, 400, log=True), "gamma": between(100.0, 3e4, log=True), "length_norm": among(True, False)}

    gamma: float = param(3000.0, "rating points added to each item of the collection", least=0, also=("γ",))
    length_norm: bool = param(True, "average the neighbours' own shares instead of sharing their sum")

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Find the neighbours of all users; there is nothing random."""
        common = background(train, self.gamma)

        def formula(mean: Float64, share: Float64) -> Float64:
            ratio = np.where(share > 0, share / common, np.where(np.isnan(share), np.nan, 1.0))  # 0 log 0 = 0
            return np.asarray(share * np.log(ratio))

        return self.feedback(train, formula, length_norm=self.length_norm)
