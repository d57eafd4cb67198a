"""A discount written out."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import REQUIRED, Coerced, param
from heldout.errors import SpecError
from heldout.metrics.metric import Discount
from heldout.tables.arrays import Float64


class DiscountTable(Discount):
    """What is left at each rank is written out, such as known viewing probabilities; beyond the table nothing is.

    Assumes: weights are at least 0, and do not grow with the rank.

    Example: discount=table([1, 0.5]): rank 1 keeps all, rank 2 half, rank 3 nothing.
    """

    key = "table"
    formula = "D(k) = the k-th weight, 0 beyond the last"
    references = ("gunawardana2009",)

    weights_of_ranks: Coerced[tuple[float, ...], list[float]] = param(
        REQUIRED, "weights of ranks 1, 2, …", also=("weights",)
    )

    def check(self) -> None:
        weights = np.array(self.weights_of_ranks)
        if not len(weights) or (weights < 0).any() or not weights.any():
            raise SpecError(
                where="discount table", found=self.weights_of_ranks, expected="weights of at least 0, one of them above 0"
            )
        if (np.diff(weights) > 0).any():
            raise SpecError(
                where="discount table", found=self.weights_of_ranks, expected="weights that do not grow with the rank"
            )

    def weight(self, rank: Float64) -> Float64:
        padded = np.append(self.weights_of_ranks, 0.0)
        return np.asarray(padded[np.minimum(rank.astype(np.int64), len(padded)) - 1])
