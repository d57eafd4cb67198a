"""Average precision."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import Coerced, cutoff, param
from heldout.metrics.expected import expected_precision_sum
from heldout.metrics.inverse_propensity import WeighedMetric, total_weight
from heldout.metrics.metric import Propensity
from heldout.metrics.sums_over_hits import HitSum
from heldout.tables import Judged, Running, divide
from heldout.tables.arrays import Float64
from heldout.tables.memo import once


class AP(WeighedMetric):
    """Average precision: the precision at each relevant item's rank, averaged over all relevant test items.

    Assumes: the denominator is R also with a cut-off, as trec_eval's map_cut; relevant items beyond n or unranked add 0.
    With `ips`, a relevant item stands for 1/p relevant ones, both at its own rank and above others. The numerator is
    unbiased if items were rated independently of each other. The ratio is only consistent, and it can be above 1.
    Propensities must be absolute: multiplied by c, they change the numerator by a mixture of c⁻¹ and c⁻².

    Example: R = 3, relevant items at ranks 1 and 4: AP = (1/1 + 2/4) / 3 = 0.5. If the first has p = 1/2 and the others 1,
    AP(ips) = (2 · 1/1 + 1 · (1 + 2)/4) / (2 + 1 + 1) = 0.6875.
    """

    key = "AP"
    aliases = ("MAP",)
    formula = "AP@n = (1/R) Σ_{k ≤ n, rel_k} P@k;  ips: Σ_{k ≤ n, rel_k} (1/p_k) (1 + Σ_{j < k, rel_j} 1/p_j)/k ÷ Σ_rel 1/p"
    references = ("treceval", "valcarce2018", "yang2018")
    undefined = "the user has no relevant test item (R = 0)"
    claims = ("moving a relevant item up never lowers", "bounded", "ideal is 1 without a cut-off")
    tasks = ("some_good_items", "all_good_items")
    libraries = {
        "RecTools": "the same",
        "Microsoft Recommenders": "the same (map); map_at_k divides by min(n, R): APCapped",
        "RecBole": "divides by min(n, R): APCapped",
        "LensKit": "divides by R, or by the number of items listed down to n if that is smaller: APCapped for full lists",
        "ranx": "the same",
        "implicit": "divides by min(n, R): APCapped",
        "trec_eval": "the same (map, map_cut)",
    }
    pooling = "sum"
    additive = True
    other_range = "0 to ∞ with ips"

    estimate: Literal["plain", "ips"] = param(
        "plain",
        "whether items are weighed by how likely they were to be rated",
        instead={
            "snips": 'write AP(ips, propensity=column(p, "items.csv")): the estimate depends on the scale of propensities'
        },
    )
    propensity: Coerced[Propensity | None, str] = param(None, "for ips: absolute propensities, such as column")
    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    @property
    def limits(self) -> tuple[float, float]:
        """Without an upper end for ips."""
        return self.range if self.estimate == "plain" else (0.0, np.inf)

    @property
    def is_weighed_ratio(self) -> bool:
        """True for ips: the sum is divided by the weights of all relevant items."""
        return self.estimate == "ips"

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        if self.estimate == "plain":
            return divide(precision_at_hits(judged, self.rel).upto(self.n), judged.total_relevant(self.rel))
        weight = self.row_weights(judged)
        each = np.where(judged.relevant(self.rel), weight[judged.row], 0.0)
        above = np.concatenate([[0.0], np.cumsum(each)])  # of all entries before, those of earlier lists among them
        before = above[:-1] - above[judged.indptr[judged.list_of]]
        return divide(judged.sum(each * (1 + before) / judged.rank, self.n), self.denominator(judged))

    def expected(self, judged: Judged) -> Float64:
        """Over all orders of tied items; weighed by propensities there is no closed form."""
        if self.estimate != "plain":
            return super().expected(judged)
        return divide(expected_precision_sum(judged, self.rel, self.n), judged.total_relevant(self.rel))

    def as_sum(self) -> HitSum | None:
        """Precision at hits over R, unless they are weighed."""
        return HitSum(term="AP", rel=self.rel) if self.estimate == "plain" else None

    def denominator(self, judged: Judged) -> Float64:
        """R, or the sum of the weights of relevant items."""
        if self.estimate == "plain":
            return judged.total_relevant(self.rel)
        return total_weight(judged, self.row_weights(judged), self.rel)


def precision_at_hits(judged: Judged, rel: float | None) -> Running:
    """Sums of P@k at the ranks k of hits, worked out once for all depths."""

    def compute() -> Running:
        hits = judged.hits(rel)
        return hits.running(hits.met / hits.rank)

    return once(judged, ("precision at hits", rel), compute)
