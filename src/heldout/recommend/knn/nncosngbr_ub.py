"""NNCosNgbr-UB: a baseline estimate plus what similar users gave to the item above theirs."""

from __future__ import annotations

from heldout.catalogue import param
from heldout.recommend.knn.baseline_estimates import baseline
from heldout.recommend.knn.neighbourhood import WeightedSum, nearest
from heldout.recommend.knn.nncosngbr import AboveBaseline
from heldout.recommend.matrix import by_item, by_user
from heldout.recommend.ranges import between
from heldout.recommend.recommender import Model, Recommender
from heldout.tables import Interactions


class NNCosNgbrUB(Recommender):
    """Non-normalised cosine neighbourhood of users: the baseline estimate plus the neighbours' deviations from theirs.

    Assumes: d(u, v) is the cosine over whole rating vectors times n/(n + λ) for n shared items. V_u holds the k users of
    highest d. The sum is not divided by its weights, so scores are no ratings: more neighbours who rated the item move
    them more. An item that no neighbour rated keeps its baseline estimate; users and items without ratings cannot be
    scored.

    Published: nDCG@100 of 0.1014 on the split of Valcarce et al. (2018), where baseline and k are not told. Nearest comes
    `NNCosNgbr-UB(k=7, damping_items=0, damping_users=0)` with 0.1006: undamped, items of a single high rating lead. The
    defaults give 0.2580.

    Example: b(u, i) = 3; two neighbours of u, d = ½ and ¼, gave i 1 point more and 2 less than b: 3 + ½ − ½ = 3.
    """

    key = "NNCosNgbr-UB"
    formula = (
        "s(u, i) = b(u, i) + Σ_{v ∈ V_u, v rated i} d(u, v) (r(v, i) − b(v, i)), d = cos(u, v) n_uv/(n_uv + λ), "
        "b(u, i) = µ + b_i + b_u, b_i = Σ_v (r(v, i) − µ)/(λ_i + n_i), b_u = Σ_j (r(u, j) − µ − b_j)/(λ_u + n_u)"
    )
    references = ("cremonesi2010", "valcarce2018")
    ranges = {"k": between(10, 400, log=True), "shrinkage": between(10.0, 500.0, log=True)}

    k: int = param(200, "how many neighbours", least=1)
    shrinkage: float = param(100.0, "λ of the similarity", least=0, also=("λ", "lambda"))
    damping_items: float = param(25.0, "λ_i, imaginary ratings of the mean added to each item", least=0)
    damping_users: float = param(10.0, "λ_u, imaginary ratings of the mean added to each user", least=0)

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Find the neighbours of all users; there is nothing random."""
        ratings = by_user(train)
        estimate = baseline(train, damping_items=self.damping_items, damping_users=self.damping_users)
        found = nearest(ratings, by_item(train), k=self.k, similarity="cosine", shrinkage=self.shrinkage)
        return AboveBaseline(estimate, WeightedSum(found, estimate.residuals(ratings), train.n_items))
