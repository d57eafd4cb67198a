"""Binary preference."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import cutoff, param
from heldout.metrics.metric import Metric, Negative
from heldout.metrics.sums_over_hits import HitSum
from heldout.tables import Judged, Running, divide
from heldout.tables.arrays import Float64
from heldout.tables.memo import once


class Bpref(Metric):
    """Binary preference: how seldom judged non-relevant items stand above relevant ones; unrated items are ignored.

    Assumes: N_k, the judged non-relevant items above rank k, counts up to R, as in trec_eval; with `count=all` all of them
    count, as Bellogín et al. (2017) write it, and values can be below 0. Items rated below 0 count as not judged, as in
    trec_eval; on a scale that has such ratings, say `negative=nonrelevant`. In lists of one relevant item among unrated ones
    it is always 1 or 0 and says nothing.

    Example: R = 2, N = 1, ranking relevant, non-relevant, relevant: (1 + (1 − 1/1)) / 2 = 0.5. R = 1, N = 3, two of them
    above the relevant item: 1 − min(2, 1)/1 = 0, with `count=all` 1 − 2/1 = −1.
    """

    key = "bpref"
    other_range = "−∞ to 1 with count=all"
    fragile = True
    needs_nonrelevant = True
    constant_of_single = True
    formula = (
        "bpref@n = (1/R) Σ_{k ≤ n, rel_k} (1 − min(N_k, R) / min(N, R));  the term is 1 where N_k = 0;  "
        "count=all: N_k in place of min(N_k, R)"
    )
    references = ("buckley2004", "treceval", "valcarce2018", "bellogin2017")
    divides = "R"
    undefined = "the user has no relevant test item (R = 0)"
    claims = ("moving a relevant item up never lowers", "bounded", "ideal is 1 without a cut-off")
    tasks = ("some_good_items",)
    libraries = {"ranx": "undefined for a user without judged non-relevant items"}

    count: Literal["capped", "all"] = param(
        "capped", "whether non-relevant items above a relevant one count up to R, or all"
    )
    negative: Negative = param("unjudged", "what items rated below 0 count as, unless they are relevant")
    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    @property
    def limits(self) -> tuple[float, float]:
        """Without a lower end where all non-relevant items count."""
        return self.range if self.count == "capped" else (-np.inf, 1.0)

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        total = judged.total_relevant(self.rel)
        return divide(self._preferred(judged, total).upto(self.n), total)

    def as_sum(self) -> HitSum | None:
        """Preferences at hits over R, where non-relevant items count up to R."""
        unjudged = self.negative == "unjudged"
        return HitSum(term="BPREF", rel=self.rel, unjudged=unjudged) if self.count == "capped" else None

    def _preferred(self, judged: Judged, total: Float64) -> Running:
        """Sums of the terms of hits, worked out once for all depths."""

        def compute() -> Running:
            # With m = min(N, R), min(N_k, R) / m = min(N_k, m) / m, since N_k ≤ N. Where m = 0, so is N_k: any m will do.
            hits = judged.hits(self.rel)
            others, worse = judged.total_nonrelevant(self.rel), hits.worse
            unjudged = judged.unjudged(self.rel) if self.negative == "unjudged" else None
            if unjudged is not None and judged.only is None:
                others = others - judged.per_list_total(unjudged)
                worse = worse - judged.unjudged_above_hits(self.rel)
            m = hits.spread(np.maximum(np.minimum(others, total), 1).astype(np.int32))
            return hits.running(1 - (worse if self.count == "all" else np.minimum(worse, m)) / m)

        return once(judged, ("preferred", self.count, self.negative, self.rel), compute)
