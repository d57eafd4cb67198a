"""Inferred average precision."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import cutoff, param
from heldout.metrics.metric import Metric, Negative
from heldout.tables import Judged, Running, divide
from heldout.tables.arrays import Float64

EPSILON = 1e-5


class InfAP(Metric):
    """Inferred average precision: average precision whose precision above each relevant item is estimated from the
    rated items alone.

    Assumes: `pool=ranked` counts every ranked item as pooled, so that precision among unrated items is taken to be that
    among rated ones; `pool=judged` counts unrated items as outside the pool, hence not relevant, as trec_eval does. Items
    rated below 0 count as pooled and not judged, as in trec_eval; on a scale that has such ratings, say
    `negative=nonrelevant`.

    Example: R = 1, one judged non-relevant item at rank 1, the relevant one at rank 2: 1/2 + (1/2)·ε/(1 + 2ε) ≈ 0.5.
    """

    key = "infAP"
    fragile = True
    needs_nonrelevant = True
    formula = (
        "infAP@n = (1/R) Σ_{k ≤ n, rel_k} [1/k + ((k−1)/k) · (r_{k−1} + ε) / (r_{k−1} + n_{k−1} + 2ε)],  ε = 1e-5;  "
        "pool=judged: the second term times (r + n + those rated below 0)_{k−1} / (k−1)"
    )
    references = ("yilmaz2006", "treceval", "valcarce2018")
    divides = "R"
    undefined = "the user has no relevant test item (R = 0)"
    claims = ("bounded", "ideal is 1 to 1e-4 without a cut-off")
    tasks = ("some_good_items", "all_good_items")
    libraries = {"trec_eval": "infAP(pool=judged) where unrated items are absent from the judgements"}

    pool: Literal["ranked", "judged"] = param("ranked", "which ranked items count as pooled")
    negative: Negative = param("unjudged", "what items rated below 0 count as, unless they are relevant")
    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        expected = judged.once(("inferred", self.pool, self.negative, self.rel), lambda: self._expected(judged))
        return divide(expected.upto(self.n), judged.total_relevant(self.rel))

    def _expected(self, judged: Judged) -> Running:
        """Sums of the terms of hits, worked out once for all depths."""
        hits = judged.hits(self.rel)
        rank, good, rated = hits.rank.astype(np.float64), hits.met - 1, hits.met - 1 + hits.worse
        bad = hits.worse if self.negative == "nonrelevant" else hits.worse - judged.unjudged_above_hits(self.rel)
        share = rated / rank if self.pool == "judged" else (rank - 1) / rank
        return hits.running(np.asarray(1 / rank + share * (good + EPSILON) / (good + bad + 2 * EPSILON)))
