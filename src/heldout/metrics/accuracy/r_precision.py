"""R-precision."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.metrics.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class RPrecision(Metric):
    """R-precision: precision at the depth of the user's number of relevant items, where it equals recall.

    Assumes: every user is judged at a depth of their own.

    Example: R = 3, relevant items at ranks 1 and 4: one of the first three, so 1/3.
    """

    key = "RPrecision"
    aliases = ("Rprec",)
    formula = "RPrecision = |relevant in the top R| / R"
    references = ("treceval", "buckley2004")
    undefined = "the user has no relevant test item (R = 0)"
    claims = ("moving a relevant item up never lowers", "bounded", "ideal is 1")
    tasks = ("all_good_items",)
    libraries = {"trec_eval": "the same (Rprec)", "ranx": "the same (r-precision)"}
    pooling = "sum"

    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")

    def measure(self, judged: Judged) -> Float64:
        hits, total = judged.hits(self.rel), judged.total_relevant(self.rel)
        return divide(hits.sum(hits.rank <= hits.spread(total.astype(np.int32))), total)

    def denominator(self, judged: Judged) -> Float64:
        """R."""
        return judged.total_relevant(self.rel)
