"""Binary preference."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff, param
from heldout.measure.metric import Metric
from heldout.tables import Judged, Running, divide
from heldout.tables.arrays import Float64


class Bpref(Metric):
    """Binary preference: how seldom judged non-relevant items stand above relevant ones; unrated items are ignored.

    Assumes: N_k, the judged non-relevant items above rank k, counts up to R. In lists of one relevant item among
    unrated ones it is always 1 or 0 and says nothing.

    Example: R = 2, N = 1, ranking relevant, non-relevant, relevant: (1 + (1 − 1/1)) / 2 = 0.5.
    """

    key = "bpref"
    formula = "bpref@n = (1/R) Σ_{k ≤ n, rel_k} (1 − min(N_k, R) / min(N, R));  the term is 1 where N_k = 0"
    references = ("buckley2004", "treceval", "valcarce2018")
    divides = "R"
    undefined = "the user has no relevant test item (R = 0)"
    claims = ("moving a relevant item up never lowers", "bounded", "ideal is 1 without a cut-off")
    tasks = ("some_good_items",)
    libraries = {"ranx": "undefined for a user without judged non-relevant items"}

    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        total = judged.total_relevant(self.rel)
        return divide(self._preferred(judged, total).upto(self.n), total)

    def _preferred(self, judged: Judged, total: Float64) -> Running:
        """Sums of the terms of hits, worked out once for all depths."""

        def compute() -> Running:
            # With m = min(N, R), min(N_k, R) / m = min(N_k, m) / m, since N_k ≤ N. Where m = 0, so is N_k: any m will do.
            hits = judged.hits(self.rel)
            most = np.maximum(np.minimum(judged.total_nonrelevant(self.rel), total), 1)
            m = hits.spread(most.astype(np.int32))
            return hits.running(1 - np.minimum(hits.worse, m) / m)

        return judged.once(("preferred", self.rel), compute)
