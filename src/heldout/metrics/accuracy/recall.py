"""Recall."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import Coerced, cutoff, param
from heldout.metrics.expected import chance_within, expected_hits
from heldout.metrics.inverse_propensity import WeighedMetric, total_weight
from heldout.metrics.metric import Propensity
from heldout.metrics.sums_over_hits import HitSum
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class Recall(WeighedMetric):
    """Recall: the share of the user's relevant test items that the top n holds.

    Assumes: the denominator is R, all relevant test items of the user, also those that are no targets or that the
    system cannot score; a user with more than n relevant items cannot reach 1. `snips` weighs each relevant item by one
    over its propensity, above and below the line, so that a constant factor cancels.

    Example: R = 4, relevant items at ranks 1 and 3: Recall@5 = 2/4; with propensities 1, 0.5 for these and 1, 1 for the
    others, Recall(snips)@5 = (1 + 2) / (1 + 2 + 1 + 1) = 0.6.
    """

    key = "Recall"
    capped = "RecallCapped"
    formula = "Recall@n = |relevant in the top n| / R;  snips: Σ_hits 1/p ÷ Σ_rel 1/p"
    references = ("treceval", "gunawardana2009", "yang2018")
    undefined = "the user has no relevant test item (R = 0)"
    claims = ("moving a relevant item up never lowers", "bounded", "ideal is 1 without a cut-off")
    tasks = ("all_good_items",)
    libraries = {
        "LensKit": "divides by min(n, R): RecallCapped",
        "RecTools": "the same",
        "ranx": "the same",
        "RecPack": "the same (RecallK); CalibratedRecallK divides by min(n, R): RecallCapped",
        "RecBole": "the same",
        "Microsoft Recommenders": "the same",
        "trec_eval": "the same (recall); relative_P is RecallCapped",
    }
    pooling = "sum"
    additive = True
    self_normalised = True

    estimate: Literal["plain", "snips"] = param("plain", "whether items are weighed by how likely they were to be rated")
    propensity: Coerced[Propensity | None, str] = param(None, "for snips: popularity or column; none: popularity")
    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        if self.estimate == "plain":
            return divide(judged.hits(self.rel).count(self.n), judged.total_relevant(self.rel))
        weight = self.row_weights(judged)
        got = judged.sum(np.where(judged.relevant(self.rel), weight[judged.row], 0.0), self.n)
        return divide(got, self.denominator(judged))

    def expected(self, judged: Judged) -> Float64:
        """Over all orders of tied items."""
        if self.estimate == "plain":
            return divide(expected_hits(judged, self.rel, self.n), judged.total_relevant(self.rel))
        weight = self.row_weights(judged)
        each = np.where(judged.relevant(self.rel), weight[judged.row], 0.0)
        return divide(judged.sum(each * chance_within(judged, self.n)), self.denominator(judged))

    def as_sum(self) -> HitSum | None:
        """Hits over R, unless they are weighed."""
        return HitSum(term="RECALL", rel=self.rel) if self.estimate == "plain" else None

    def denominator(self, judged: Judged) -> Float64:
        """R, or the inverse propensities of all relevant items."""
        if self.estimate == "plain":
            return judged.total_relevant(self.rel)
        return total_weight(judged, self.row_weights(judged), self.rel)
