"""EASE: the linear item-item model with a closed form."""

from __future__ import annotations

import os
from typing import Literal

import numpy as np

from heldout import threads
from heldout.catalogue import param
from heldout.errors import NotApplicableError
from heldout.recommend.matrix import Rows, by_item, by_user, rows
from heldout.recommend.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float32, Int64, Ints, frozen

_BLOCK = 64


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

    l2: float = param(500.0, "weight of the squared norm of B", above=0, also=("λ", "lambda"))
    values: Literal["binary", "rating"] = param("binary", "what X holds for a rated item")

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Invert once; there is nothing random."""
        items = np.flatnonzero(train.item_counts > 0)
        self._refuse_huge(len(items))
        place = np.cumsum(train.item_counts > 0, dtype=np.int32) - np.int32(1)
        users = by_user(train, self.values)
        users = rows(users.indptr, place[users.indices], users.values)
        columns = by_item(train, self.values)
        columns = rows(np.append(columns.indptr[items], columns.indptr[-1]), columns.indices, columns.values)
        return _Linear(users, self._weights(users, columns), items, train.n_items)

    def _weights(self, users: Rows, columns: Rows) -> Float32:
        from scipy.linalg import lapack

        from heldout.kernels.products import gram_upper, scaled_columns

        n = len(columns.indptr) - 1
        gram = np.zeros((n, n))
        if n == 0:
            return gram.astype(np.float32)

        def work(start: int) -> None:
            gram_upper(start, min(start + _BLOCK, n), *users, *columns, gram)

        for _ in threads.run_all(work, range(0, n, _BLOCK)):
            pass
        gram[np.diag_indices(n)] += self.l2
        with threads.single_blas():
            # The upper half by rows is the lower half by columns, which is how LAPACK reads: nothing is copied.
            lower, failed = lapack.dpotrf(gram.T, lower=1, clean=0, overwrite_a=1)
            if not failed:
                lower, failed = lapack.dpotri(lower, lower=1, overwrite_c=1)
        if failed or not np.isfinite(lower).all():
            raise NotApplicableError(
                "the matrix of item co-ratings could not be inverted in double precision",
                where=str(self),
                hint="use a larger l2, or values=binary",
            )
        out: Float32 = scaled_columns(lower.T, np.ascontiguousarray(lower.diagonal()))
        return out

    def _refuse_huge(self, n: int) -> None:
        """Say so before the machine runs out of memory; 12 bytes for each pair of items are held at the peak."""
        needed = 12 * n * n
        try:
            present = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        except (AttributeError, OSError, ValueError):
            return
        if needed > present:
            raise NotApplicableError(
                f"{n:,} rated items need {needed / 2**30:.0f} GiB of memory, this machine has {present / 2**30:.0f}",
                where=str(self),
                hint="keep fewer items with a filter such as core(k)",
            )


class _Linear(Model):
    def __init__(self, users: Rows, weights: Float32, items: Int64, n_items: int) -> None:
        self._users, self._weights, self._items, self._n = users, weights, items, n_items

    def score(self, users: Ints) -> Float32:
        from heldout.kernels.products import sparse_times_dense

        known: Float32 = sparse_times_dense(frozen(users, np.int64), *self._users, self._weights)
        if len(self._items) == self._n:
            return known
        out = np.full((len(users), self._n), np.nan, np.float32)
        out[:, self._items] = known
        return out
