"""Recall that counts popular items less."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff, param
from heldout.errors import NotApplicableError
from heldout.metrics.expected import chance_within
from heldout.metrics.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64
from heldout.tables.memo import once


class StratifiedRecall(Metric):
    """Stratified recall: recall in which each relevant item counts the less the more users like it.

    Assumes: the chance that a relevant rating is missing falls with the item's popularity as a power law of exponent γ.
    |PR(i)| counts relevant ratings in train and test. γ = 0 is recall. In lists of one relevant item each, a user's value is
    the same ratio over the user's lists: the weights of the items met down to rank n, divided by those of all of them.

    Example: γ = 1, so weights are |PR|^(−1/2): hits with |PR| = 4 and a missed item with |PR| = 1 give 0.5/(0.5 + 1).
    """

    key = "StratifiedRecall"
    offsets_popularity = True
    needs_positives = True
    formula = "Σ_{hits ≤ n} |PR(i)|^(−γ/(γ+1)) ÷ Σ_rel |PR(i)|^(−γ/(γ+1))"
    references = ("steck2011",)
    undefined = "the user has no relevant test item (R = 0)"
    claims = ("moving a relevant item up never lowers", "bounded", "ideal is 1 without a cut-off")
    tasks = ("all_good_items",)
    pooling = "sum"
    additive = True

    gamma: float = param(1.0, "how strongly ratings of popular items are favoured; 0: not at all", least=0, also=("γ",))
    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        of_hits = once(
            judged,
            ("strata of hits", self.gamma, self.rel),
            lambda: judged.hits(self.rel).running(self._weights(judged)[judged.hit_rows(self.rel)]),
        )
        return divide(of_hits.upto(self.n), self.denominator(judged))

    def expected(self, judged: Judged) -> Float64:
        """Over all orders of tied items."""
        each = np.where(judged.relevant(self.rel), self._weights(judged)[judged.row], 0.0)
        return divide(judged.sum(each * chance_within(judged, self.n)), self.denominator(judged))

    def list_weights(self, judged: Judged) -> Float64 | None:
        """The weight of each list's one relevant item."""
        return None if judged.only is None else self._weights(judged)[judged.only]

    def denominator(self, judged: Judged) -> Float64:
        """The weights of all relevant items."""

        def compute() -> Float64:
            return judged.per_list_total(np.where(judged.relevance.relevant_at(self.rel), self._weights(judged), 0.0))

        return once(judged, ("strata of all", self.gamma, self.rel), compute)

    def _weights(self, judged: Judged) -> Float64:
        def compute() -> Float64:
            counts = judged.relevance.require_background(self).positives
            if counts is None:
                raise NotApplicableError(
                    "the training ratings are missing, which show how many users like an item",
                    where=str(self),
                    hint="pass the training set: train=…",
                )
            of_row = np.maximum(counts, 1)[judged.relevance.item].astype(np.float64)
            return np.asarray(of_row ** (-self.gamma / (self.gamma + 1)))

        return once(judged.relevance, ("stratum", self.gamma), compute)
