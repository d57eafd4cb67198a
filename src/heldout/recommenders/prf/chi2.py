"""CHI2: how far the neighbourhood's share of an item is from everyone's, squared."""

from __future__ import annotations

from heldout.catalogue import param
from heldout.recommenders.prf.feedback import FeedbackRecommender, background
from heldout.recommenders.ranges import among, between
from heldout.recommenders.recommender import Model
from heldout.tables import Interactions


class CHI2(FeedbackRecommender):
    """The squared difference between an item's share in the neighbourhood and in the collection, over the latter.

    Assumes: V_u as for RocchioWeights. A share below the collection's scores as high as one equally far above. Rare items
    have tiny shares in the collection, and without smoothing (γ = 0) the score is led by them; γ adds as many rating
    points to each item. `length_norm` lets every neighbour count alike, however much they rated. An item that no
    neighbour rated cannot be scored. Ratings must not be negative.

    Published: nDCG@100 of 0.3851 on the split of Valcarce et al. (2018). On a fifth of the training ratings the defaults
    were the best of a coarse grid: 0.4203. γ is in rating points, so what is best depends on how many an item has.

    Example: an item has 8 of the neighbours' 40 points and a tenth of all points: (0.2 − 0.1)²/0.1 = 0.1.
    """

    key = "CHI2"
    formula = (
        "s(u, i) = (p(i|V_u) − p(i|C))²/p(i|C), p(i|C) = (Σ_v r(v, i) + γ)/Σ_j (Σ_v r(v, j) + γ), "
        "p(i|V_u) as in RSV, or (1/|V_u|) Σ_{v ∈ V_u} r(v, i)/Σ_j r(v, j)"
    )
    references = ("valcarce2016prf", "carpineto2001", "valcarce2018")
    ranges = {"k": between(10, 400, log=True), "gamma": between(100.0, 3e4, log=True), "length_norm": among(True, False)}

    gamma: float = param(3000.0, "rating points added to each item of the collection", least=0, also=("γ",))
    length_norm: bool = param(True, "average the neighbours' own shares instead of sharing their sum")

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Find the neighbours of all users; there is nothing random."""
        common = background(train, self.gamma)
        return self.feedback(train, lambda mean, share: (share - common) ** 2 / common, length_norm=self.length_norm)
