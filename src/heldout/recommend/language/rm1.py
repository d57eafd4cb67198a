"""RM1: relevance models, the first estimate."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.catalogue import param
from heldout.recommend.guards import refuse_negative
from heldout.recommend.knn.neighbourhood import Similarity, nearest
from heldout.recommend.language.smoothing import LanguageModels, Smoothing, check_amount, language_models
from heldout.recommend.matrix import Rows, by_item, by_user
from heldout.recommend.ranges import among, between
from heldout.recommend.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float32, Ints, frozen


class RM1(Recommender):
    """The mixture of the neighbours' language models, each weighted by how likely it generates the user's items.

    Assumes: V_u holds the k most similar users, p(v) = 1/|V_u|, and p(·|v) is smoothed. The product over all of the
    user's items leaves nearly all weight with one neighbour. Items without ratings cannot be scored, nor can anything for
    a user without neighbours. Scores are probabilities: they sum to 1. Ratings must not be negative.

    Published: 0.2160 in nDCG@100 on the split of Valcarce et al. (2018), who do not say how p(i|v) is smoothed; the
    defaults give 0.2198.

    Example: u rated a; the neighbours have p(a|v) = ½, p(b|v) = ½ and p(a|w) = ¼, p(b|w) = ¾. Their weights are
    ½ and ¼ over ¾, so b scores ⅔ · ½ + ⅓ · ¾ = 7/12.
    """

    key = "RM1"
    formula = "s(u, i) ∝ Σ_{v ∈ V_u} p(v) p(i|v) Π_{j ∈ I_u} p(j|v)"
    references = ("parapar2013", "lavrenko2001", "valcarce2018")
    ranges = {
        "k": between(10, 400, log=True),
        "similarity": among("cosine", "jaccard"),
        "amount": between(0.01, 0.9, log=True),
    }

    k: int = param(100, "how many neighbours", least=1)
    similarity: Similarity = param("cosine", "how alike two users are")
    smoothing: Smoothing = param("absolute", "how p(i|v) is mixed with p(i|C)")
    amount: float = param(0.1, "δ, λ or µ of the smoothing", least=1e-6, also=("δ", "λ", "µ", "μ", "delta", "lambda", "mu"))

    def check(self) -> None:
        """Each smoothing has its own range."""
        check_amount(self.key, self.smoothing, self.amount)

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Find the neighbours of all users; there is nothing random."""
        refuse_negative(train, self, "language models need")
        ratings = by_user(train)
        found = nearest(ratings, by_item(train), k=self.k, similarity=self.similarity)
        models = language_models(ratings, train.n_items, self.smoothing, self.amount)
        return _Mixture(ratings, found, models)


class _Mixture(Model):
    def __init__(self, ratings: Rows, neighbours: Rows, models: LanguageModels) -> None:
        self._ratings, self._neighbours, self._models = ratings, neighbours, models

    def score(self, users: Ints) -> Float32:
        from heldout.kernels.relevance_models import mixtures

        models = self._models
        near = (self._neighbours.indptr, self._neighbours.indices)
        own = (self._ratings.indptr, self._ratings.indices)
        known: tuple[Any, ...] = (*own, *near, *models.seen, models.rest, models.common)
        out: Float32 = mixtures(frozen(users, np.int64), *known)
        return out
