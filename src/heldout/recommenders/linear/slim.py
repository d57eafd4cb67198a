"""SLIM: sparse linear models of items."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from heldout import threads
from heldout.catalogue import param
from heldout.errors import NotApplicableError
from heldout.recommenders.guards import refuse_huge
from heldout.recommenders.knn.neighbourhood import WeightedSum
from heldout.recommenders.linear.gram import among_rated, rated_items, upper_gram
from heldout.recommenders.matrix import Rows, by_user, rows, transposed
from heldout.recommenders.ranges import among, between
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float64, Int64

_BLOCK = 16
_PAIR = 8
"""Bytes held for each pair of items."""
TOLERANCE = 9e-5
"""By how much a derivative may miss its optimality condition."""


class SLIM(Recommender):
    """Items predicted from the user's other items by weights that are sparse and never negative.

    Assumes: A holds 1 for a rating of any value, or the rating itself (`values=rating`); unrated counts 0. Each item's
    weights solve their own elastic net by coordinate descent until every optimality condition holds to 1e-4 (of the
    derivative, for `values=binary` in co-ratings). An item that none of the user's items has a weight for cannot be
    scored, nor can anything for a user without training ratings. Memory grows with the square of the number of rated
    items. On the MovieLens 1M split of Valcarce et al., tuned on validation ratings, it has an nDCG@100 of .460 (theirs:
    .461).

    Example: two items, each rated by the same 2 users, l1 = ½ and l2 = 1: w = (2 − ½)/(2 + 1) = ½ for both, so a user
    of one item scores ½ for the other.
    """

    key = "SLIM"
    formula = "min_W ½‖A − AW‖² + l2/2 ‖W‖² + l1 ‖W‖₁, W ≥ 0, diag W = 0; s(u, i) = Σ_{j ∈ I_u} A_uj W_ji"
    references = ("ning2011", "valcarce2018")
    ranges = {
        "l1": between(0.1, 50.0, log=True),
        "l2": between(10.0, 2000.0, log=True),
        "values": among("binary", "rating"),
    }

    l1: float = param(5.0, "weight of the sum of weights", least=0, also=("λ", "lambda"))
    l2: float = param(200.0, "weight of the squared norm", above=0, also=("β", "beta"))
    values: Literal["binary", "rating"] = param("binary", "what A holds for a rated item")

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Solve for every item; there is nothing random."""
        ratings = by_user(train, self.values)
        return WeightedSum(ratings, self.weights(train), train.n_items, divide_by="none")

    def weights(self, train: Interactions) -> Rows:
        """W by rows: what each item adds to which others."""
        from heldout.kernels.elastic_net import fit_columns, mirror

        items = rated_items(train)
        n = len(items)
        refuse_huge(_PAIR * n**2, self, f"{n:,} rated items")
        gram = upper_gram(*among_rated(train, self.values))
        mirror(gram)
        if not np.isfinite(gram).all():
            raise NotApplicableError(
                "the products of items' ratings overflow", where=str(self), hint="use values=binary, or a smaller scale"
            )

        def work(first: int) -> tuple[Int64, Any, Float64]:
            last = min(first + _BLOCK, n)
            pointers = np.zeros(last - first + 1, np.int64)
            room = 64 * (last - first)
            while True:
                index, value = np.empty(room, np.int32), np.empty(room)
                total = fit_columns(first, last, gram, self.l1, self.l2, TOLERANCE, pointers, index, value)
                if total >= 0:
                    return np.diff(pointers), items[index[:total]], value[:total]
                room *= 4

        counts = np.zeros(train.n_items, np.int64)
        index, value = [np.zeros(0, np.int32)], [np.zeros(0)]
        first = 0
        for count, code, weight in threads.run_all(work, range(0, n, _BLOCK)):
            counts[items[first : first + len(count)]] = count
            first += len(count)
            index.append(code)
            value.append(weight)
        columns = rows(np.concatenate([[0], np.cumsum(counts)]), np.concatenate(index), np.concatenate(value))
        return transposed(columns, train.n_items)
