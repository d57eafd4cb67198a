"""The geometric discount of rank-biased precision."""

from __future__ import annotations

from heldout.catalogue import param
from heldout.metrics.metric import Discount
from heldout.tables.arrays import Float64


class Geometric(Discount):
    """A user goes on from each rank to the next with probability φ.

    Assumes: the probability is the same at every rank and whatever was seen there.

    Example: φ = 0.5: ranks 1, 2 and 3 keep 1, 1/2 and 1/4.
    """

    key = "rbp"
    aliases = ("geometric",)
    formula = "D(k) = φ^(k−1)"
    references = ("moffat2008",)

    phi: float = param(0.8, "probability of going on to the next rank", above=0, below=1, also=("φ", "p"))

    def weight(self, rank: Float64) -> Float64:
        return self.phi ** (rank - 1)
