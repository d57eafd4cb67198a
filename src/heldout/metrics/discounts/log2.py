"""The logarithmic discount."""

from __future__ import annotations

import numpy as np

from heldout.metrics.metric import Discount
from heldout.tables.arrays import Float64


class Log2(Discount):
    """An item at rank k keeps one over the binary logarithm of k + 1.

    Assumes: attention fades slowly; rank 1 keeps all, rank 3 half, rank 1,023 a tenth.

    Example: ranks 1, 2 and 3 keep 1, 1/log2(3) = 0.6309 and 1/2.
    """

    key = "log2"
    formula = "D(k) = 1 / log2(k + 1)"
    references = ("jarvelin2002", "treceval")

    def weight(self, rank: Float64) -> Float64:
        return np.asarray(1 / np.log2(rank + 1))
