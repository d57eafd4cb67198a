"""LM-WSR-UB: a weighted sum over the users most likely under a language model."""

from __future__ import annotations

from heldout.catalogue import param
from heldout.recommenders.guards import refuse_negative
from heldout.recommenders.knn.lm_wsr import RANGES, Weight, weighted_neighbours
from heldout.recommenders.knn.neighbourhood import WeightedSum
from heldout.recommenders.matrix import by_item, by_user
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions


class LMWSRUB(Recommender):
    """What the users rated whose language models most likely generate the user's ratings.

    Assumes: a rating r is an item drawn r times; user v is a Dirichlet-smoothed language model over items. V_u holds the
    k users of highest likelihood who share an item with u, the lower code first among equals. The published text does not
    say how a log-likelihood becomes a weight: `weight=per_rating` takes the likelihood of one drawn item (the geometric
    mean), `likelihood` that of all, which leaves one neighbour with nearly all weight, `log_likelihood` ℓ itself (where
    it is positive: others are no neighbours), `none` counts all alike; q is its exponent. An item
    that no neighbour rated cannot be scored. Ratings must not be negative.

    Published: nDCG@100 of 0.4306 on the split of Valcarce et al. (2018). On a fifth of the training ratings
    `LM-WSR-UB(mu=2500, q=4)` was best: 0.4220; the defaults give 0.4184.

    Example: u rated a with 1; v rated a with 1 and b with 2. p(a|C) = 2/4; with µ = 2, ℓ = log(1 + 1/(2 · ½)) +
    log(2/(3 + 2)) = log(4/5). The only neighbour has the weight 1, so b scores 2.
    """

    key = "LM-WSR-UB"
    formula = (
        "s(u, i) = Σ_{v ∈ V_u} w(u, v) r(v, i), w = exp((ℓ(u, v) − max_v ℓ(u, v))/|u|), "
        "ℓ(u, v) = Σ_{j ∈ I_u} r(u, j) log(1 + r(v, j)/(µ p(j|C))) + |u| log(µ/(|v| + µ)), |u| = Σ_j r(u, j)"
    )
    references = ("valcarce2016lm", "valcarce2018")
    weighs_by_value = True
    ranges = RANGES

    k: int = param(100, "how many neighbours", least=1)
    mu: float = param(2000.0, "how strongly language models are smoothed", least=1e-9, most=1e12, also=("µ", "μ"))
    weight: Weight = param("per_rating", "how a neighbour's likelihood becomes its weight")
    q: float = param(1.0, "exponent of the weight", least=0)

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Find the most likely users of all users; there is nothing random."""
        refuse_negative(train, self, "language models need")
        ratings = by_user(train)
        weights = weighted_neighbours(ratings, by_item(train), k=self.k, mu=self.mu, weight=self.weight, q=self.q)
        return WeightedSum(weights, ratings, train.n_items)
