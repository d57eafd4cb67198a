"""UIR-Item: the user-item relevance model, item-based."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.recommenders.item_pairs import ItemPairs
from heldout.recommenders.ranges import among
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float32, Float64, Ints, frozen


class UIRItem(Recommender):
    """How much more likely the user's items become once the item is known to be liked, and how popular it is.

    Assumes: every rating counts alike, p(i) = count(i)/all ratings and p(j|i) = co-count(i, j)/count(i). λ mixes
    p(j|i) with p(j): 1 leaves popularity alone. Items without ratings cannot be scored, nor can anything for a user
    without ratings.

    Published: nDCG@100 of 0.2270 on the split of Valcarce et al. (2018), that of Popularity being 0.2269; λ is not told.
    λ = 0.5 gives 0.0163 and 0.99 gives 0.0119, with rarely rated items first; 1 − 10⁻⁷ comes nearest, 0.2271.

    Example: of 8 ratings 2 are of i and 4 of j, and 1 user rated both: p(j|i) = ½, p(j) = ½, p(i) = ¼. With λ = ½ a
    user of j alone has log(1 + 1) + log ¼ = −0.693.
    """

    key = "UIR-Item"
    aliases = ("UIR",)
    formula = "s(u, i) = Σ_{j ∈ I_u} log(1 + (1 − λ) p(j|i)/(λ p(j))) + log p(i)"
    references = ("wang2006", "valcarce2018")
    ranges = {"smoothing": among(0.99, 0.999, 0.9999, 0.99999, 0.999999, 1.0)}

    smoothing: float = param(0.999999, "λ, the weight of p(j) in the mixture", above=0, most=1, also=("λ", "lambda"))

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Count pairs of items; there is nothing random."""
        pairs = ItemPairs(train, self)
        common = pairs.counts / max(pairs.counts.sum(), 1.0)
        factor = (1 - self.smoothing) / self.smoothing
        pairs.fill(lambda shared, rows: np.log1p(factor * shared / pairs.counts / common[rows][:, None]))
        return _Sums(pairs, np.log(common))


class _Sums(Model):
    def __init__(self, pairs: ItemPairs, prior: Float64) -> None:
        self._pairs, self._prior = pairs, prior.astype(np.float32)

    def score(self, users: Ints) -> Float32:
        from heldout.kernels.products import sparse_times_dense

        of_rated: Float32 = sparse_times_dense(frozen(users, np.int64), *self._pairs.users, self._pairs.values)
        return self._pairs.spread(of_rated + self._prior)
