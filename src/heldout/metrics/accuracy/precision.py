"""Precision."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import Coerced, cutoff, param
from heldout.metrics.expected import chance_within, expected_hits
from heldout.metrics.inverse_propensity import WeighedMetric
from heldout.metrics.metric import Propensity
from heldout.metrics.sums_over_hits import HitSum
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class P(WeighedMetric):
    """Precision: the share of the top n that is relevant.

    Assumes: the denominator is n even where the list is shorter. Unrated items count as not relevant, unless `ips`
    estimates how many of them are: each hit then counts one over its absolute propensity, and values can exceed 1.

    Example: relevant items at ranks 1 and 3 of a list: P@5 = 2/5; with propensities 1 and 0.5, P(ips)@5 = (1 + 2)/5.
    """

    key = "P"
    other_range = "0 to ∞ with ips"
    aliases = ("Precision", "Prec")
    formula = "P@n = |relevant in the top n| / n;  ips: (1/n) Σ_hits 1/p"
    references = ("treceval", "gunawardana2009", "schnabel2016")
    short_lists = "divided by n all the same"
    claims = ("moving a relevant item up never lowers", "bounded")
    tasks = ("some_good_items", "fixed_list")
    libraries = {
        "RecTools": "the same",
        "ranx": "the same",
        "Microsoft Recommenders": "the same",
        "RecBole": "the same",
        "implicit": "sum of hits over sum of min(n, R): RecallCapped, aggregate=pooled",
        "trec_eval": "the same (P); set_P divides by the list's length: PReturned",
        "LensKit": "divides by the list's length where that is below n: PReturned",
    }
    pooling = "sum"
    interval_ok = True
    additive = True

    estimate: Literal["plain", "ips"] = param("plain", "whether hits are weighed by how likely they were to be rated")
    propensity: Coerced[Propensity | None, str] = param(None, "for ips: absolute propensities, such as column")
    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int = cutoff()

    @property
    def limits(self) -> tuple[float, float]:
        """Without an upper end for ips."""
        return self.range if self.estimate == "plain" else (0.0, np.inf)

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        if self.estimate == "plain":
            return judged.hits(self.rel).count(self.n) / self.n
        weight = self.row_weights(judged)
        return judged.sum(np.where(judged.relevant(self.rel), weight[judged.row], 0.0), self.n) / self.n

    def expected(self, judged: Judged) -> Float64:
        """Over all orders of tied items."""
        if self.estimate == "plain":
            return expected_hits(judged, self.rel, self.n) / self.n
        weight = self.row_weights(judged)
        each = np.where(judged.relevant(self.rel), weight[judged.row], 0.0)
        return judged.sum(each * chance_within(judged, self.n)) / self.n

    def as_sum(self) -> HitSum | None:
        """Hits over n, unless they are weighed."""
        return HitSum(term="P", rel=self.rel, divisor=self.n, needs_relevant=False) if self.estimate == "plain" else None

    def denominator(self, judged: Judged) -> Float64:
        """n."""
        return np.full(len(judged), float(self.n))
