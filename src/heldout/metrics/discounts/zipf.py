"""The hyperbolic discount."""

from __future__ import annotations

from heldout.metrics.metric import Discount
from heldout.tables.arrays import Float64


class Zipf(Discount):
    """An item at rank k keeps one k-th.

    Assumes: attention fades as words' frequencies do in Zipf's law.

    Example: ranks 1, 2 and 4 keep 1, 1/2 and 1/4.
    """

    key = "zipf"
    formula = "D(k) = 1 / k"
    references = ("kanoulas2009",)

    def weight(self, rank: Float64) -> Float64:
        return 1 / rank
