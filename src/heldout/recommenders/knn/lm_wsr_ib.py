"""LM-WSR-IB: a weighted sum over the items most likely under a language model."""

from __future__ import annotations

from heldout.catalogue import param
from heldout.recommenders.guards import refuse_negative
from heldout.recommenders.knn.lm_wsr import RANGES, Weight, weighted_neighbours
from heldout.recommenders.knn.neighbourhood import WeightedSum
from heldout.recommenders.matrix import by_item, by_user, transposed
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions


class LMWSRIB(Recommender):
    """The user's own ratings of the items whose language models most likely generate the item's ratings.

    Assumes: a rating r is a user drawn r times; item j is a Dirichlet-smoothed language model over users. J_i holds the
    k items of highest likelihood that share a user with i, the lower code first among equals, and weighs them by the root of
    ℓ; see LM-WSR-UB for other weights. An item of ℓ ≤ 0 is no neighbour. An item none of whose neighbours the user rated
    cannot be scored. Ratings must not be negative.

    Published: nDCG@100 of 0.4191 on the split of Valcarce et al. (2018). Weights relative to the most likely neighbour stay
    below at every µ tried (0.3281 with µ = 100,000) and rank less popular items first; ℓ grows with the item's ratings.
    Of the powers of ℓ tried on a fifth of the training ratings its root was best: the defaults, 0.4200.

    Example: v rated a and b with 1, u rated b with 2, and w rated c with 4, so that p(v|C) = 2/8. With µ = 2, ℓ(a, b) =
    log(1 + 1/(2 · ¼)) + log(2/(3 + 2)) = log 1.2, so a scores 2 √(log 1.2) = 0.854 for u.
    """

    key = "LM-WSR-IB"
    formula = (
        "s(u, i) = Σ_{j ∈ J_i ∩ I_u} w(i, j) r(u, j), w = max(ℓ(i, j), 0)^q, "
        "ℓ(i, j) = Σ_{v ∈ U_i} r(v, i) log(1 + r(v, j)/(µ p(v|C))) + |i| log(µ/(|j| + µ)), |i| = Σ_v r(v, i)"
    )
    references = ("valcarce2016lm", "valcarce2018")
    weighs_by_value = True
    ranges = RANGES

    k: int = param(300, "how many neighbours", least=1)
    mu: float = param(150_000.0, "how strongly language models are smoothed", least=1e-9, most=1e12, also=("µ", "μ"))
    weight: Weight = param("log_likelihood", "how a neighbour's likelihood becomes its weight")
    q: float = param(0.5, "exponent of the weight", least=0)

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Find the most likely items of all items; there is nothing random."""
        refuse_negative(train, self, "language models need")
        ratings = by_user(train)
        neighbours = weighted_neighbours(by_item(train), ratings, k=self.k, mu=self.mu, weight=self.weight, q=self.q)
        return WeightedSum(ratings, transposed(neighbours, train.n_items), train.n_items)
