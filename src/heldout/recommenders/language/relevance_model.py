"""What the relevance models RM1 and RM2 share: neighbours, their smoothed language models, and how they score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from heldout.catalogue import param
from heldout.recommenders.guards import refuse_negative
from heldout.recommenders.knn.neighbourhood import Similarity, nearest
from heldout.recommenders.language.smoothing import Smoothing, check_amount, language_models
from heldout.recommenders.matrix import by_item, by_user
from heldout.recommenders.ranges import among, between
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float32, Ints, frozen


class RelevanceModelRecommender(Recommender):
    """A recommender whose query is the user and whose documents are the language models of the k nearest users."""

    references = ("parapar2013", "lavrenko2001", "valcarce2018")
    weighs_by_value = True
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

    def statistics(self, train: Interactions) -> tuple[Any, ...]:
        """Find V_u of all users: what the kernels take, up to p(i|C), which comes last."""
        refuse_negative(train, self, "language models need")
        ratings = by_user(train)
        near = nearest(ratings, by_item(train), k=self.k, similarity=self.similarity)
        models = language_models(ratings, train.n_items, self.smoothing, self.amount)
        return (
            ratings.indptr,
            ratings.indices,
            near.indptr,
            near.indices,
            *models.seen,
            models.rest,
            models.common,
        )


class Generated(Model):
    """Scores by a kernel from what is known of all users."""

    def __init__(self, kernel: Callable[..., Float32], statistics: tuple[Any, ...]) -> None:
        self._kernel, self._statistics = kernel, statistics

    def score(self, users: Ints) -> Float32:
        """Of these users."""
        return self._kernel(frozen(users, np.int64), *self._statistics)
