"""Precision of what was returned."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff, param
from heldout.metrics.expected import expected_hits
from heldout.metrics.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class PReturned(Metric):
    """Precision over returned items: hits divided by n or the list's length, whichever is smaller.

    Assumes: a system is not blamed for short lists, and can raise the value by returning only what it is sure of.

    Example: a list of 2 items, one relevant: PReturned@5 = 1/2, where P@5 is 1/5.
    """

    key = "PReturned"
    formula = "|relevant in the top n| / min(n, |L_u|)"
    references = ("treceval",)
    short_lists = "divided by the list's length"
    undefined = "the list is empty"
    claims = ("moving a relevant item up never lowers", "bounded")
    tasks = ("some_good_items",)
    libraries = {"LensKit": "what it calls Precision", "trec_eval": "without a cut-off, what it calls set_P"}
    pooling = "sum"

    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        return divide(judged.hits(self.rel).count(self.n), self.denominator(judged))

    def expected(self, judged: Judged) -> Float64:
        """Over all orders of tied items."""
        return divide(expected_hits(judged, self.rel, self.n), self.denominator(judged))

    def denominator(self, judged: Judged) -> Float64:
        """min(n, |L_u|)."""
        length = judged.length.astype(np.float64)
        return length if self.n is None else np.minimum(length, self.n)
