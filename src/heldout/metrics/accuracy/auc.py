"""The area under a user's own ROC curve."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import Coerced, param
from heldout.metrics.inverse_propensity import WeighedMetric
from heldout.metrics.metric import IfUndefined, Propensity, check_ties_known
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class AUC(WeighedMetric):
    """AUC: how likely a relevant target of the user ranks above one that is not; equal scores count half.

    Assumes: all of the user's targets take part, unrated ones as not relevant; targets that the list lacks are tied at
    its end. `snips` weighs relevant items by one over their propensity and takes the share of all other targets below
    them, since which of these are relevant is not known: an estimate of how likely a relevant item beats any other.
    Users without a value are left out of averages, also under `undefined = zero`: as 0 they would put a random ranking below
    one half. `if_undefined=zero` counts them.

    Example: 5 targets, relevant ones at ranks 1 and 4: the first is above 3 of 3 others, the second above 1 of 3, so
    (3 + 1) / 6 = 0.6667.
    """

    key = "AUC"
    needs_whole_lists = True
    formula = (
        "AUC = Σ_rel (others below + ½ others tied) / (R · others);  "
        "snips: Σ_rel c/p ÷ Σ_rel 1/p, c = (other targets below + ½ tied) / (|T| − 1)"
    )
    references = ("hanley1982", "rendle2009", "yang2018")
    needs_ties = True
    divides = "pairs of a relevant target and another"
    short_lists = "targets that a list lacks are tied at its end"
    undefined = "the user's targets hold no relevant item, or nothing else"
    ties = "equal"
    claims = ("moving a relevant item up never lowers", "bounded")
    tasks = ("all_good_items",)
    libraries = {
        "scikit-learn": "the same (roc_auc_score) over the targets of one user",
        "RecBole": "GAUC is its mean weighted by R (mean(weight=relevant)); AUC is that of all pairs: GROC",
    }

    estimate: Literal["plain", "snips"] = param("plain", "whether items are weighed by how likely they were to be rated")
    propensity: Coerced[Propensity | None, str] = param(None, "for snips: popularity or column; none: popularity")
    if_undefined: IfUndefined = param("skip", "under undefined=zero, whether users without a value are left out or count 0")

    @property
    def skips_undefined(self) -> bool:
        return self.if_undefined == "skip"

    def measure(self, judged: Judged) -> Float64:
        check_ties_known(judged, self)
        good = judged.relevant_targets.astype(np.float64)
        others = judged.targets - good
        ranked = judged.hits().count()
        # Lists may hold rated items that are no targets of a run; there are never fewer relevant targets than were ranked.
        lacking = np.maximum(good - ranked, 0)
        unranked = np.maximum(judged.targets - judged.length - lacking, 0)
        at = judged.hit_entries()
        before = judged.above[at] + judged.tied[at] / 2
        if self.estimate == "plain":
            # Of two relevant items one is above the other or both are tied, so that they count 1 for each pair in all.
            lost = judged.hits().sum(before) - ranked * (ranked - 1) / 2
            return divide(ranked * others - lost + lacking * unranked / 2, good * others)
        weight = self.row_weights(judged)
        hits, own = judged.hits(), weight[judged.hit_rows()]
        rest = np.maximum(judged.targets - 1.0, 0)
        won = hits.sum(own * (1 - np.nan_to_num(divide(before, hits.spread(rest)))))
        tied_at_end = np.maximum(judged.targets - judged.length - 1.0, 0) / 2
        in_all = judged.total_targets(np.where(judged.relevance.relevant, weight, 0.0))
        lacked = np.maximum(in_all - hits.sum(own), 0)
        total = won + lacked * np.nan_to_num(divide(tied_at_end, rest))
        out = divide(total, in_all)
        out[(others == 0) | (good == 0)] = np.nan
        return out

    def expected(self, judged: Judged) -> Float64:
        """The value itself: it depends on no order of tied items."""
        return self.measure(judged)
