"""Inferred average precision."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import cutoff, param
from heldout.errors import SpecError
from heldout.metrics.metric import Metric, Negative
from heldout.metrics.sums_over_hits import HitSum
from heldout.tables import Judged, Running, divide
from heldout.tables.arrays import Float64
from heldout.tables.memo import once

EPSILON = 1e-5


class InfAP(Metric):
    """Inferred average precision: average precision whose precision above each relevant item is estimated from the
    rated items alone.

    Assumes: `pool=ranked` counts every ranked item as pooled, so that precision among unrated items is taken to be that
    among rated ones; with `pool_depth` only down to that rank, and an ideal list with more relevant items falls short of 1.
    `pool=judged` counts unrated items as outside the pool, hence not relevant, as trec_eval does. Rated items are counted
    above rank k, with ε, as in Yilmaz and Aslam, trec_eval and Valcarce et al. Bellogín et al. (2017) print another formula:
    they count to rank k itself, without ε, in a pool of 100: `infAP(count=to_rank, pool_depth=100)`. A lone relevant item
    among unrated ones then has 1 at every rank down to 101. Items rated below 0 count as pooled and not judged, as in
    trec_eval; on a scale that has such ratings, say `negative=nonrelevant`.

    Example: R = 1, one judged non-relevant item at rank 1, the relevant one at rank 2: 1/2 + (1/2)·ε/(1 + 2ε) ≈ 0.5; with
    `count=to_rank` 1/2 + (1/2)·1/(1 + 1) = 0.75.
    """

    key = "infAP"
    fragile = True
    needs_nonrelevant = True
    formula = (
        "infAP@n = (1/R) Σ_{k ≤ n, rel_k} [1/k + ((k−1)/k) · (r_{k−1} + ε) / (r_{k−1} + n_{k−1} + 2ε)],  ε = 1e-5;  "
        "pool=judged: the second term times (r + n + those rated below 0)_{k−1} / (k−1);  pool_depth=d: times "
        "min(k−1, d) / (k−1);  count=to_rank: r_k / (r_k + n_k) in place of the ratio with ε"
    )
    references = ("yilmaz2006", "treceval", "valcarce2018", "bellogin2017")
    divides = "R"
    undefined = "the user has no relevant test item (R = 0)"
    claims = ("bounded", "ideal is 1 to 1e-4 without a cut-off")
    tasks = ("some_good_items", "all_good_items")
    libraries = {"trec_eval": "infAP(pool=judged) where unrated items are absent from the judgements"}

    pool: Literal["ranked", "judged"] = param("ranked", "which ranked items count as pooled")
    pool_depth: int | None = param(None, "for pool=ranked: rank down to which items count as pooled; none: all", least=1)
    negative: Negative = param("unjudged", "what items rated below 0 count as, unless they are relevant")
    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    count: Literal["above", "to_rank"] = param(
        "above", "whether rated items count above a relevant one, with ε, or to its own rank, without"
    )
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def check(self) -> None:
        if self.pool_depth is not None and self.pool != "ranked":
            raise SpecError(
                "only pool=ranked has a depth",
                where="infAP: 'pool_depth'",
                found=self.pool_depth,
                hint="leave out pool_depth or pool",
            )

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        expected = once(
            judged,
            ("inferred", self.pool, self.pool_depth, self.negative, self.rel, self.count),
            lambda: self._expected(judged),
        )
        return divide(expected.upto(self.n), judged.total_relevant(self.rel))

    def as_sum(self) -> HitSum | None:
        """Expected precision at hits over R, where a pool without a depth counts above hits."""
        if self.pool_depth is not None or self.count != "above":
            return None
        unjudged, pools_judged = self.negative == "unjudged", self.pool == "judged"
        return HitSum(term="INFERRED", rel=self.rel, unjudged=unjudged, pools_judged=pools_judged)

    def _expected(self, judged: Judged) -> Running:
        """Sums of the terms of hits, worked out once for all depths."""
        hits = judged.hits(self.rel)
        rank, good, rated = hits.rank.astype(np.float64), hits.met - 1, hits.met - 1 + hits.worse
        bad = hits.worse if self.negative == "nonrelevant" else hits.worse - judged.unjudged_above_hits(self.rel)
        pooled = rank - 1 if self.pool_depth is None else np.minimum(rank - 1, self.pool_depth)
        share = (rated if self.pool == "judged" else pooled) / rank
        if self.count == "to_rank":
            return hits.running(np.asarray(1 / rank + share * hits.met / (hits.met + bad)))
        return hits.running(np.asarray(1 / rank + share * (good + EPSILON) / (good + bad + 2 * EPSILON)))
