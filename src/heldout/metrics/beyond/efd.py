"""Information in what is relevant."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import Coerced, cutoff, param
from heldout.metrics.beyond.epc import relevance_aware
from heldout.metrics.beyond.novelty import surprise
from heldout.metrics.metric import Discount, Gain, Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class EFD(Metric):
    """Expected free discovery: relevant items of the top n count by the bits of surprise that they are.

    Assumes: an item's chance of being met is its share of training ratings; one without any counts as rated once.

    Example: n = 1, a relevant item with 1 of 8 training ratings: log2(8) = 3.
    """

    key = "EFD"
    by_relevance = "binary"
    formula = "C Σ_{k ≤ n} D(k) g_k (−log2(n_i / Σ_j n_j)),  C = 1/Σ_{k ≤ n} D(k)"
    references = ("vargas2011",)
    divides = "the discounts of n ranks"
    range = (0.0, np.inf)
    tasks = ("some_good_items",)

    gain: Coerced[Gain, str] = param(
        "binary", "the chance that a rating is relevant: binary, exp2, chapelle, chapelle_scaled, table([…])"
    )
    discount: Coerced[Discount, str] = param("log2", "what is left at a rank: log2, jarvelin, rbp, zipf, table([…])")
    n: int = cutoff()

    def check(self) -> None:
        from heldout.metrics.accuracy.rbp import refuse_large_gains

        refuse_large_gains(self.key, self.gain)

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        return relevance_aware(judged, surprise(judged, self, "ratings"), self.gain, self.discount, self.n)
