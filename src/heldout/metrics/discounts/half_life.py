"""The discount of half-life utility."""

from __future__ import annotations

from heldout.catalogue import param
from heldout.metrics.metric import Discount
from heldout.tables.arrays import Float64


class HalfLife(Discount):
    """The chance that an item is looked at halves every α − 1 ranks.

    Assumes: the item at rank α is looked at with probability one half.

    Example: α = 5: ranks 1, 5 and 9 keep 1, 1/2 and 1/4.
    """

    key = "half_life"
    formula = "D(k) = 1 / 2^((k−1)/(α−1))"
    references = ("breese1998", "gunawardana2009")

    alpha: float = param(5.0, "the rank that is looked at with probability one half", above=1, also=("α",))

    def weight(self, rank: Float64) -> Float64:
        return 0.5 ** ((rank - 1) / (self.alpha - 1))
