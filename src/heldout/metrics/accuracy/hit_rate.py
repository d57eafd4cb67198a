"""Hit rate."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff, param
from heldout.metrics.expected import chance_of_hit
from heldout.metrics.metric import Metric
from heldout.metrics.sums_over_hits import HitSum
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class HitRate(Metric):
    """Hit rate: whether the top n holds any relevant item.

    Assumes: one hit is as good as ten. Over lists of one relevant item each it is recall.

    Example: relevant items at ranks 3 and 4: HitRate@3 = 1, HitRate@2 = 0.
    """

    key = "HitRate"
    aliases = ("Success", "HR")
    formula = "HitRate@n = 1 if some k ≤ n is relevant, else 0"
    references = ("treceval", "cremonesi2010")
    claims = ("moving a relevant item up never lowers", "bounded")
    tasks = ("some_good_items", "fixed_list")
    interval_ok = True
    additive = True
    libraries = {"trec_eval": "the same (success)", "RecTools, ranx, LensKit, RecBole": "the same"}

    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int = cutoff()

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        hits = judged.hits(self.rel)
        some = np.diff(hits.indptr) > 0
        out = np.zeros(len(judged))
        out[some] = hits.rank[hits.indptr[:-1][some]] <= self.n
        return out

    def as_sum(self) -> HitSum | None:
        """The first hit alone adds to it."""
        return HitSum(term="HIT", rel=self.rel, needs_relevant=False)

    def expected(self, judged: Judged) -> Float64:
        """Over all orders of tied items."""
        return chance_of_hit(judged, self.rel, self.n)
