"""User-based nearest neighbours."""

from __future__ import annotations

from heldout.catalogue import param
from heldout.recommenders.knn.neighbourhood import MIN_NEIGHBOURS, Similarity, WeightedSum, nearest
from heldout.recommenders.matrix import by_item, by_user
from heldout.recommenders.ranges import among, between
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions


class UserKNN(Recommender):
    """What the most similar users rated, weighted by their similarity.

    Assumes: V_u holds the k users most similar to u, of positive similarity and never u itself, the lower code
    first among equals; k may exceed their number. Cosine is taken over whole rating vectors (unrated counts 0), binary
    cosine and Jaccard over the sets of rated items, Pearson over the shared items alone (undefined, hence no
    neighbour, when either has no spread there). An item that no neighbour rated cannot be scored, nor can anything for a
    user without training ratings. Sums are not normalised by default, which favours items that many neighbours rated;
    `normalise` divides by Σ sim^q and puts scores on the rating scale.

    Example: u rated only a, with 3; v rated a with 4 and b with 3. cos(u, v) = 3·4/(3·5) = 0.8, so b scores
    0.8 · 3 = 2.4 for u, and 3 normalised.
    """

    key = "UserKNN"
    formula = "s(u, i) = Σ_{v ∈ V_u, v rated i} sim(u, v)^q r(v, i) [/ Σ_{v ∈ V_u, v rated i} sim(u, v)^q]"
    references = ("canamares2020", "desrosiers2011")
    weighs_by_value = True
    ranges = {
        "k": between(10, 400, log=True),
        "similarity": among("cosine", "binary_cosine", "jaccard"),
        "q": between(0.5, 4.0, log=True),
    }

    k: int = param(100, "how many neighbours", least=1)
    similarity: Similarity = param("cosine", "how alike two users are")
    normalise: bool = param(False, "divide by the sum of weights")
    min_overlap: int = param(0, "items that two users must share to be neighbours", least=0)
    min_neighbours: int = param(1, MIN_NEIGHBOURS, least=1)
    q: float = param(1.0, "exponent of the similarity as a weight", least=0)
    shrinkage: float = param(0.0, "λ: a similarity over n shared ratings is multiplied by n/(n + λ)", least=0)

    @property
    def predicts_ratings(self) -> bool:
        """A weighted mean of ratings is a rating."""
        return self.normalise

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Find the neighbours of all users; there is nothing random."""
        ratings = by_user(train)
        neighbours = nearest(
            ratings,
            by_item(train),
            k=self.k,
            similarity=self.similarity,
            min_overlap=self.min_overlap,
            shrinkage=self.shrinkage,
        )
        weights = neighbours.with_values(neighbours.values**self.q)
        return WeightedSum(
            weights, ratings, train.n_items, divide_by="left" if self.normalise else "none", least=self.min_neighbours
        )
