"""PureSVD: the truncated singular value decomposition of the zero-filled matrix."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from heldout import rng, threads
from heldout.catalogue import param
from heldout.errors import NotApplicableError
from heldout.recommenders.factors.latent import InnerProducts
from heldout.recommenders.ranges import among, between
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float64


class PureSVD(Recommender):
    """Ratings, unrated ones being 0, projected on the directions in which they vary most.

    Assumes: R holds the rating, or 1 for a rating of any value (`values=binary`), and 0 for an unrated item; scores are
    no predictions of ratings. Fewer factors than rated items and than users with ratings, since as many give back R itself,
    which says nothing of unrated items. Users and items without training ratings cannot be scored. On the MovieLens 1M
    split of Valcarce et al., tuned on validation ratings, it has an nDCG@100 of .423 (theirs: .428).

    Example: R = [[1, 1], [1, 1], [1, 0]] with one factor: RᵀR = [[3, 2], [2, 2]] has the first eigenvector (0.788, 0.615),
    so the third user scores 0.788 · 0.615 = 0.485 for the unrated item.
    """

    key = "PureSVD"
    formula = "R ≈ U Σ Qᵀ, truncated to f; s(u, i) = Σ_j r(u, j) (Q Qᵀ)_ji"
    references = ("cremonesi2010", "valcarce2018")
    ranges = {"factors": between(10, 200, log=True), "values": among("rating", "binary")}

    factors: int = param(30, "number of singular vectors", least=1, also=("f",))
    values: Literal["rating", "binary"] = param("rating", "what R holds for a rated item")

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Decompose; the seed gives the vector from which Lanczos starts, and does not show in the result."""
        known_users, known_items = train.user_counts > 0, train.item_counts > 0
        ratings = train.to_csr(self.values)
        items = np.zeros((train.n_items, 1))
        if len(train):
            self._refuse_full(int(known_users.sum()), int(known_items.sum()))
            items = self._directions(ratings, rng.key(seed, "recommend PureSVD"))
        return InnerProducts(ratings @ items, items, known_users=known_users, known_items=known_items)

    def _directions(self, ratings: Any, key: int) -> Float64:
        from scipy.sparse.linalg import ArpackError, svds

        first = 0.5 + rng.uniform(key, np.arange(min(ratings.shape)))
        with threads.single_blas():
            try:
                _, _, directions = svds(ratings, k=self.factors, v0=first, return_singular_vectors="vh")
            except (ArpackError, np.linalg.LinAlgError, ValueError) as error:
                raise NotApplicableError(
                    f"the decomposition did not converge ({error})",
                    where=str(self),
                    hint="use fewer factors, or ratings on a smaller scale",
                ) from error
        singular: Float64 = np.ascontiguousarray(directions[::-1].T)
        return singular

    def _refuse_full(self, users: int, items: int) -> None:
        if self.factors >= min(users, items):
            raise NotApplicableError(
                "so many factors reproduce the ratings and predict nothing else",
                where=str(self),
                found=self.factors,
                expected=f"fewer than {min(users, items):,} factors for {users:,} users × {items:,} rated items",
                hint="" if min(users, items) > 1 else "give more ratings",
            )
