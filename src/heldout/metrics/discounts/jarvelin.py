"""The discount of the first definition of DCG."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.metrics.metric import Discount
from heldout.tables.arrays import Float64


class Jarvelin(Discount):
    """An item at rank k keeps one over the logarithm of k, and all of its worth at ranks up to the base.

    Assumes: the first ranks are equally good. It is the definition of Järvelin and Kekäläinen, and LensKit's; trec_eval and
    most others have `log2`.

    Example: with base 2, ranks 1, 2, 3 and 4 keep 1, 1, 1/log2(3) = 0.6309 and 1/2.
    """

    key = "jarvelin"
    formula = "D(k) = 1 / max(1, log_b k)"
    references = ("jarvelin2002",)

    base: float = param(2.0, "b, the base of the logarithm: up to this rank nothing is lost", above=1)

    def weight(self, rank: Float64) -> Float64:
        logarithm = np.log2(rank) if self.base == 2 else np.log(rank) / np.log(self.base)
        return np.asarray(1 / np.maximum(1.0, logarithm))
