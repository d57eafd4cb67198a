"""Novelty of what is relevant."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import Coerced, cutoff, param
from heldout.metrics.metric import Discount, Gain, Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class EPC(Metric):
    """Expected popularity complement: relevant items of the top n count by the share of users who do not know them.

    Assumes: an item is known to the share of users who rated it in training; the chance of relevance is the gain;
    ranks are divided by those of a full list of n.

    Example: n = 1, a relevant item that 1 of 4 users rated: 1 · (1 − 1/4) = 0.75.
    """

    key = "EPC"
    by_relevance = "binary"
    formula = "C Σ_{k ≤ n} D(k) g_k (1 − n_i/|U|),  C = 1/Σ_{k ≤ n} D(k)"
    references = ("vargas2011",)
    divides = "the discounts of n ranks"
    claims = ("bounded",)
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
        background = judged.relevance.require_background(self)
        unknown = 1 - background.popularity(self) / max(background.raters, 1)
        return relevance_aware(judged, unknown, self.gain, self.discount, self.n)


def relevance_aware(judged: Judged, of_item: Float64, gain: Gain, discount: Discount, n: int) -> Float64:
    """The discounted mean over n ranks of what items are worth, times their gain."""
    worth = gain.rows(judged.relevance, None)[judged.row] * of_item[judged.item]
    return np.asarray(judged.sum(worth * discount.of_entries(judged), n) / discount.weights(n).sum())
