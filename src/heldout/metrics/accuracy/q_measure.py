"""The Q-measure."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import Coerced, cutoff, param
from heldout.metrics.ideal import sorted_gains
from heldout.metrics.metric import Gain, Metric
from heldout.tables import Judged, Running, divide
from heldout.tables.arrays import Float64
from heldout.tables.memo import once


class Q(Metric):
    """Q-measure: average precision that also counts how much is gained, compared with the best possible list.

    Assumes: ratings that are not relevant gain nothing. The denominator is min(n, R), so that the best list of n items
    scores 1. β = 0 is average precision (with a cut-off, divided by min(n, R)).

    Example: gain=linear, relevant ratings 5 and 4, the list holds the 4 at rank 1 and the 5 at rank 2: blended ratios
    (1 + 4)/(1 + 5) and (2 + 9)/(2 + 9), so Q = (0.8333 + 1)/2 = 0.9167.
    """

    key = "Q"
    formula = "Q@n = (1/min(n, R)) Σ_{k ≤ n, rel_k} (C_k + β cg_k) / (k + β cg*_k)"
    references = ("sakai2004", "sakai2007")
    divides = "min(n, R)"
    undefined = "the user has no relevant test item (R = 0)"
    claims = ("moving a relevant item up never lowers", "bounded", "ideal is 1")
    tasks = ("some_good_items", "all_good_items")

    beta: float = param(1.0, "how much gains count beside ranks", least=0, also=("β",))
    gain: Coerced[Gain, str] = param(
        "linear", "how a rating becomes gain: linear, binary, exp2, chapelle, chapelle_scaled, table([…])"
    )
    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        terms = once(judged, ("blended", self.gain, self.rel, self.beta), lambda: self._blended(judged))
        total = judged.total_relevant(self.rel)
        most = total if self.n is None else np.minimum(total, self.n)
        return divide(terms.upto(self.n), most)

    def _blended(self, judged: Judged) -> Running:
        """Sums of the blended ratios of hits, worked out once for all depths."""
        from heldout.kernels.gains import blend

        hits, relevance = judged.hits(self.rel), judged.relevance
        gains = self.gain.rows(relevance, self.rel)[judged.hit_rows(self.rel)]
        out = np.empty(len(gains))
        if judged.only is not None:
            pointers, best, owner = np.arange(len(judged) + 1), self.gain.rows(relevance, self.rel)[judged.only], None
        else:
            pointers, best, owner = relevance.indptr, self._best(judged), judged.owner
        of_list = np.arange(len(judged)) if owner is None else owner.astype(np.int64)
        blend(hits.indptr, hits.rank, gains, of_list, pointers, np.ascontiguousarray(best), self.beta, out)
        return hits.running(out)

    def _best(self, judged: Judged) -> Float64:
        """Gains of each user's relevant items, cumulated from the highest."""

        def compute() -> Float64:
            from heldout.kernels.gains import cumulate

            ordered = sorted_gains(judged.relevance, self.gain, self.rel, relevant_only=True)
            out = np.empty(len(ordered))
            cumulate(judged.relevance.indptr, ordered, out)
            return out

        return once(judged.relevance, ("best gains", self.gain, self.rel), compute)
