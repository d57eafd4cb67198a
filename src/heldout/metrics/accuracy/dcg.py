"""Discounted cumulative gain."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import Coerced, cutoff, param
from heldout.metrics.expected import expected_gain
from heldout.metrics.ideal import discounted
from heldout.metrics.inverse_propensity import WeighedMetric, divide_by_weight
from heldout.metrics.metric import Discount, Gain, Propensity
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class DCG(WeighedMetric):
    """Discounted cumulative gain: gains discounted by rank and summed, not divided by the best possible.

    Assumes: unrated items gain 0; unless a gain is named it is linear, the rating itself. `ips` divides each gain by the
    item's propensity, which must be absolute; `snips` divides the sum by that of the inverse propensities of all relevant
    items, so that a constant factor cancels.

    Example: gain=binary, relevant items at ranks 1 and 3: 1/log2(2) + 1/log2(4) = 1.5; with propensities 1 and 0.5 the
    estimate by ips is 1 + 2 · 0.5 = 2, by snips 2 / (1 + 2) = 0.6667 if R = 2.
    """

    key = "DCG"
    by_relevance = "binary"
    formula = "DCG@n = Σ_{k ≤ n} g_k D(k);  ips: each term / p;  snips: Σ_{k ≤ n, rel} g_k D(k)/p ÷ Σ_rel 1/p"
    references = ("jarvelin2002", "schnabel2016", "yang2018")
    range = (0.0, np.inf)
    claims = ("moving a relevant item up never lowers",)
    undefined = "never, save that snips needs a relevant test item"
    tasks = ("some_good_items", "utility")
    interval_ok = True
    additive = True
    libraries = {"ranx": "the same (dcg); dcg_burges is gain 2^r − 1, unscaled", "scikit-learn": "the same, ties averaged"}

    estimate: Literal["plain", "ips", "snips"] = param("plain", "whether ratings are weighed by how likely they were")
    gain: Coerced[Gain, str] = param(
        "linear", "how a rating becomes gain: linear, binary, exp2, chapelle, chapelle_scaled, table([…])"
    )
    discount: Coerced[Discount, str] = param("log2", "what is left at a rank: log2, jarvelin, rbp, zipf, table([…])")
    propensity: Coerced[Propensity | None, str] = param(
        None, "for ips and snips: column or popularity; none: popularity, for snips"
    )
    rel: float | None = param(None, "a rating from which items are relevant, for gain=binary and for snips")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        if self.estimate == "plain":
            return discounted(judged, self.gain, self.rel, self.discount, self.n)
        gains = self._weighed(judged)
        return self._normalised(judged, judged.sum(gains[judged.row] * self.discount.of_entries(judged), self.n))

    def expected(self, judged: Judged) -> Float64:
        """Over all orders of tied items."""
        if self.estimate == "plain":
            return expected_gain(judged, self.gain.rows(judged.relevance, self.rel), self.discount.weight, self.n)
        return self._normalised(judged, expected_gain(judged, self._weighed(judged), self.discount.weight, self.n))

    def _weighed(self, judged: Judged) -> Float64:
        """The gain of every row over its propensity; for snips, of relevant rows alone."""
        weight = self.row_weights(judged)
        gains = self.gain.rows(judged.relevance, self.rel) * weight
        return gains if self.estimate == "ips" else np.where(judged.relevance.relevant_at(self.rel), gains, 0.0)

    def _normalised(self, judged: Judged, total: Float64) -> Float64:
        if self.estimate == "ips":
            return total
        weight = self.row_weights(judged)
        return divide_by_weight(judged, total, weight, self.rel)
