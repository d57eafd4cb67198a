"""Binary preference."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff, param
from heldout.measure.depth import within
from heldout.measure.metric import Metric
from heldout.tables import Judged, divide
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
    undefined = "the user has no relevant test item (R = 0)"
    claims = ("moving a relevant item up never lowers", "bounded", "ideal is 1 without a cut-off")
    tasks = ("some_good_items",)
    libraries = {"ranx": "undefined for a user without judged non-relevant items"}

    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        total = judged.total_relevant(self.rel)
        # Where nothing non-relevant is above, nothing is lost, whatever the denominator.
        most = np.maximum(np.minimum(judged.total_nonrelevant(self.rel), total), 1)
        lost = np.minimum(judged.met_nonrelevant(self.rel), judged.spread(total)) / judged.spread(most)
        counted = judged.relevant(self.rel) & within(judged, self.n)
        return divide(judged.sum(counted * (1 - lost)), total)
