"""Users' own curves, averaged."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.metrics.accuracy.auc import AUC
from heldout.metrics.curves.curve import POINTS, CurveMetric, OperatingCurve, precision_recall, roc
from heldout.metrics.metric import IfUndefined
from heldout.tables import Judged
from heldout.tables.arrays import Float64
from heldout.tables.memo import once

LEVELS = np.array([k / 10 for k in range(11)])  # not linspace: 0.7 must be the number nearest to it, as in trec_eval


class UROC(CurveMetric):
    """ROC of each user: the area under the user's own curve, which is AUC; the curve drawn is the mean of users' curves.

    Assumes: as AUC, also for users without a value. Users' curves are averaged at the same false positive rates; ties
    stand in the order of the tie rule there, while the area counts them half.

    Example: 3 targets, the relevant one at rank 2: above one of two others, so 1/2.
    """

    key = "UROC"
    needs_whole_lists = True
    formula = "mean over users of the area under (FPR_u(k), TPR_u(k))"
    references = ("schein2002", "gunawardana2009")
    short_lists = "targets that a list lacks follow in random order"
    needs_ties = True
    undefined = "the user's targets hold no relevant item, or nothing else"
    ties = "equal"
    claims = ("moving a relevant item up never lowers", "bounded")
    tasks = ("all_good_items",)

    if_undefined: IfUndefined = param("skip", "under undefined=zero, whether users without a value are left out or count 0")

    @property
    def skips_undefined(self) -> bool:
        return self.if_undefined == "skip"

    def measure(self, judged: Judged) -> Float64:
        return AUC(estimate="plain", propensity=None, if_undefined=self.if_undefined).measure(judged)

    def expected(self, judged: Judged) -> Float64:
        """The value itself: it depends on no order of tied items."""
        return self.measure(judged)

    def curve(self, judged: Judged) -> OperatingCurve:
        good = judged.relevant_targets.astype(np.float64)
        others = judged.targets - good
        taken = (good > 0) & (others > 0)
        users = np.count_nonzero(taken)
        if not users:
            return roc(np.empty(0), np.empty(0))
        hits, grid = judged.hits(), np.linspace(0, 1, POINTS)
        of_hit = hits.spread(taken)
        rate = (hits.rank - hits.met)[of_hit] / hits.spread(others)[of_hit]
        at = np.minimum(np.ceil(rate * (POINTS - 1) - 1e-9), POINTS - 1).astype(np.int64)
        # without any hit bincount counts in whole numbers
        true_positives = np.cumsum(np.bincount(at, 1 / hits.spread(good)[of_hit], POINTS), dtype=np.float64)
        # what a list lacks follows in random order: a straight line from its end to (1, 1)
        ranked = hits.count()
        short = np.flatnonzero(taken & (ranked < good))
        end = ((judged.length - ranked)[short] / others[short]).clip(0, 1)
        share = (1 - ranked[short] / good[short]).clip(0, 1)
        for start in range(0, len(short), 4096):
            part = slice(start, start + 4096)
            gap = np.maximum(1 - end[part], 1e-12)[:, None]
            true_positives += (share[part, None] * ((grid - end[part, None]) / gap).clip(0, 1)).sum(axis=0)
        return roc(grid, (true_positives / users).clip(0, 1))


class UPR(CurveMetric):
    """Interpolated precision–recall of each user: the mean of the precision at eleven recalls, as TREC has it.

    Assumes: the precision at a recall is the highest at any rank where that recall is reached, 0 where it never is;
    a recall r is reached by ⌊r R + 0.9⌋ relevant items.

    Example: R = 1, the relevant item at rank 2: 1/2 at every recall, so 1/2.
    """

    key = "UPR"
    aliases = ("ElevenPoint",)
    formula = "(1/11) Σ_{r = 0, 0.1, …, 1} max{P@k : Recall@k ≥ r}"
    references = ("treceval", "gunawardana2009")
    undefined = "the user has no relevant test item (R = 0)"
    claims = ("moving a relevant item up never lowers", "bounded", "ideal is 1")
    tasks = ("all_good_items",)
    libraries = {"trec_eval": "the same (11pt_avg; the points are iprec_at_recall)"}

    def measure(self, judged: Judged) -> Float64:
        return np.asarray(interpolated(judged).mean(axis=1))

    def curve(self, judged: Judged) -> OperatingCurve:
        points = interpolated(judged)
        defined = ~np.isnan(points[:, 0])
        if not defined.any():
            return precision_recall(np.empty(0), np.empty(0))
        return precision_recall(LEVELS, points[defined].mean(axis=0))


def interpolated(judged: Judged) -> Float64:
    """Lists × 11: the interpolated precision at recalls 0, 0.1, …, 1; NaN without a relevant item."""

    def compute() -> Float64:
        from heldout.kernels.curves import best_from

        hits, total = judged.hits(), judged.total_relevant()
        out = np.empty((len(judged), len(LEVELS)))
        needed = np.maximum(np.floor(LEVELS * total[:, None] + 0.9).astype(np.int64), 1)
        best_from(hits.indptr, hits.rank, needed, out)
        out[total == 0] = np.nan
        return out

    return once(judged, "interpolated", compute)
