"""Average precision that every user can bring to 1."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff, param
from heldout.metrics.accuracy.average_precision import precision_at_hits
from heldout.metrics.expected import expected_precision_sum
from heldout.metrics.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class APCapped(Metric):
    """Average precision divided by what n places can hold: n or R, whichever is smaller.

    Assumes: as AP, but for a user with more than n relevant items a full list of hits scores 1.

    Example: R = 3, relevant items at ranks 1 and 2: APCapped@2 = (1/1 + 2/2) / 2 = 1, where AP@2 is 2/3.
    """

    key = "APCapped"
    formula = "(1/min(n, R)) Σ_{k ≤ n, rel_k} P@k"
    references = ("treceval",)
    undefined = "the user has no relevant test item (R = 0)"
    claims = ("moving a relevant item up never lowers", "bounded", "ideal is 1")
    tasks = ("some_good_items",)
    libraries = {
        "implicit": "what it calls MAP@k",
        "Microsoft Recommenders": "what it calls map_at_k",
        "RecBole": "what it calls MAP@K",
        "LensKit": "what it calls AveragePrecision, where lists hold n items",
    }
    pooling = "sum"
    additive = True

    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int = cutoff()

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        return divide(precision_at_hits(judged, self.rel).upto(self.n), self.denominator(judged))

    def expected(self, judged: Judged) -> Float64:
        """Over all orders of tied items."""
        return divide(expected_precision_sum(judged, self.rel, self.n), self.denominator(judged))

    def denominator(self, judged: Judged) -> Float64:
        """min(n, R)."""
        return np.minimum(judged.total_relevant(self.rel), self.n)
