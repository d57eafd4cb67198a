"""Recall that every user can bring to 1."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff, param
from heldout.metrics.expected import expected_hits
from heldout.metrics.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class RecallCapped(Metric):
    """Recall over what n places can hold: hits divided by n or R, whichever is smaller.

    Assumes: for a user with more than n relevant items it is precision, for others recall.

    Example: R = 4, 2 hits in the top 3: 2/3, where recall is 2/4.
    """

    key = "RecallCapped"
    formula = "|relevant in the top n| / min(n, R)"
    references = ("liang2018", "treceval")
    undefined = "the user has no relevant test item (R = 0)"
    claims = ("moving a relevant item up never lowers", "bounded", "ideal is 1")
    tasks = ("some_good_items", "fixed_list")
    libraries = {
        "LensKit": "what it calls Recall",
        "implicit": "with aggregate=pooled, what it calls precision",
        "RecPack": "what it calls CalibratedRecallK",
        "trec_eval": "what it calls relative_P",
        "Liang et al. (2018)": "what they call Recall@R",
    }
    pooling = "sum"
    additive = True

    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int = cutoff()

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        return divide(judged.hits(self.rel).count(self.n), self.denominator(judged))

    def expected(self, judged: Judged) -> Float64:
        """Over all orders of tied items."""
        return divide(expected_hits(judged, self.rel, self.n), self.denominator(judged))

    def denominator(self, judged: Judged) -> Float64:
        """min(n, R)."""
        return np.minimum(judged.total_relevant(self.rel), self.n)
