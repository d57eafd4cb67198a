"""Reciprocal rank."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff, param
from heldout.metrics.expected import expected_reciprocal_rank
from heldout.metrics.metric import Metric
from heldout.metrics.sums_over_hits import HitSum
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class RR(Metric):
    """Reciprocal rank: one over the rank of the first relevant item, 0 where none is met.

    Assumes: the user stops at the first relevant item; its mean over users is MRR. The value depends on one rank only.
    Valcarce et al. (2018) call it the least robust metric, with erratic power. In our runs of their experiment on
    MovieLens 1M it is the least robust to removing popular items, but AP is less robust to missing ratings.

    Example: relevant items at ranks 3 and 4: RR = 1/3.
    """

    key = "RR"
    fragile = True
    aliases = ("MRR",)
    formula = "RR = 1 / min{k : rel_k}"
    references = ("treceval", "valcarce2018")
    claims = ("moving a relevant item up never lowers", "bounded")
    tasks = ("some_good_items",)
    interval_ok = True
    additive = True
    libraries = {"trec_eval": "the same (recip_rank)", "LensKit, RecBole, ranx": "the same"}

    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        hits = judged.hits(self.rel)
        some = np.diff(hits.indptr) > 0
        first = hits.rank[hits.indptr[:-1][some]]
        out = np.zeros(len(judged))
        out[some] = 1 / first if self.n is None else (first <= self.n) / first
        return out

    def as_sum(self) -> HitSum | None:
        """The first hit alone adds to it."""
        return HitSum(term="RR", rel=self.rel, needs_relevant=False)

    def expected(self, judged: Judged) -> Float64:
        """Over all orders of tied items."""
        return expected_reciprocal_rank(judged, self.rel, self.n)
