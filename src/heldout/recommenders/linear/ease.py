"""EASE: the linear item-item model with a closed form."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import param
from heldout.errors import NotApplicableError
from heldout.recommenders.guards import refuse_huge
from heldout.recommenders.linear.gram import among_rated, rated_items, upper_gram
from heldout.recommenders.linear.inverse import invert_lower
from heldout.recommenders.matrix import Rows
from heldout.recommenders.ranges import among, between
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float32, Int32, Ints, frozen

_PAIR = 12
"""Bytes held for each pair of items at the peak."""


class EASE(Recommender):
    """Items predicted from the user's other items by ridge regression without self-weights.

    Assumes: X holds 1 for a rating of any value, or the rating itself (`values=rating`); unrated counts 0. Users and
    items without training ratings cannot be scored. Memory grows with the square of the number of rated items.

    Example: two items, each rated by the same 2 users, and λ = 2: XᵀX + λI = [[4, 2], [2, 4]], whose inverse P is
    [[4, −2], [−2, 4]]/12, so B = [[0, ½], [½, 0]] and a user of one item scores ½ for the other.
    """

    key = "EASE"
    formula = "min_B ‖X − XB‖² + λ‖B‖², diag B = 0: P = (XᵀX + λI)⁻¹, B_ij = −P_ij / P_jj; s(u, i) = Σ_j X_uj B_ji"
    references = ("steck2019",)
    ranges = {"l2": between(10.0, 5000.0, log=True), "values": among("binary", "rating")}

    l2: float = param(500.0, "weight of the squared norm of B", above=0, also=("λ", "lambda"))
    values: Literal["binary", "rating"] = param("binary", "what X holds for a rated item")

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Invert once; there is nothing random."""
        items = rated_items(train)
        refuse_huge(_PAIR * len(items) ** 2, self, f"{len(items):,} rated items")
        users, columns = among_rated(train, self.values)
        return _Linear(users, self._weights(users, columns), items, train.n_items)

    def _weights(self, users: Rows, columns: Rows) -> Float32:
        from heldout.kernels.products import scaled_columns

        gram = upper_gram(users, columns)
        n = len(gram)
        if n == 0:
            return gram.astype(np.float32)
        gram[np.diag_indices(n)] += self.l2
        lower = gram.T  # the upper half by rows is the lower half by columns: nothing is copied
        if not invert_lower(lower):
            raise NotApplicableError(
                "the matrix of item co-ratings could not be inverted in double precision",
                where=str(self),
                hint="use a larger l2, or values=binary",
            )
        out: Float32 = scaled_columns(lower.T, np.ascontiguousarray(lower.diagonal()))
        return out


class _Linear(Model):
    def __init__(self, users: Rows, weights: Float32, items: Int32, n_items: int) -> None:
        self._users, self._weights, self._items, self._n = users, weights, items, n_items

    def score(self, users: Ints) -> Float32:
        from heldout.kernels.products import sparse_times_dense

        of_rated: Float32 = sparse_times_dense(frozen(users, np.int64), *self._users, self._weights)
        if len(self._items) == self._n:
            return of_rated
        out = np.full((len(users), self._n), np.nan, np.float32)
        out[:, self._items] = of_rated
        return out
