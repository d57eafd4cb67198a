"""Discounted cumulative gain divided by that of n hits."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import Coerced, cutoff, param
from heldout.metrics.expected import expected_gain
from heldout.metrics.metric import Discount, Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64
from heldout.tables.memo import once


class NDCGFixed(Metric):
    """nDCG divided by a fixed number: the gain of a list of n relevant items, whether or not the user has as many.

    Assumes: gains are binary. A user with fewer than n relevant items cannot reach 1.

    Example: R = 1, the relevant item at rank 1: nDCGFixed@2 = 1 / (1 + 1/log2(3)) = 0.6131, where nDCG@2 is 1.
    """

    key = "nDCGFixed"
    formula = "Σ_{k ≤ n, rel_k} D(k) / Σ_{k ≤ n} D(k)"
    references = ("jarvelin2002",)
    divides = "the discounts of n ranks"
    claims = ("moving a relevant item up never lowers", "bounded")
    tasks = ("some_good_items",)
    additive = True
    libraries = {"RecTools": "what it calls NDCG by default (divide_by_achievable=False)"}

    discount: Coerced[Discount, str] = param("log2", "what is left at a rank: log2, jarvelin, rbp, zipf, table([…])")
    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int = cutoff()

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        left = once(
            judged,
            ("discounted hits", self.discount, self.rel),
            lambda: judged.hits(self.rel).running(self.discount.weights(judged.deepest)[judged.hits(self.rel).rank]),
        )
        return np.asarray(left.upto(self.n) / self.discount.weights(self.n).sum())

    def expected(self, judged: Judged) -> Float64:
        """Over all orders of tied items."""
        hit = judged.relevance.relevant_at(self.rel).astype(np.float64)
        return np.asarray(expected_gain(judged, hit, self.discount.weight, self.n) / self.discount.weights(self.n).sum())
