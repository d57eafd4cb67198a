"""Averages over users at each depth: the customer ROC curve and its sister of precision and recall."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import param
from heldout.metrics.curves.curve import CurveMetric, OperatingCurve, area, best_f, precision_recall, roc, stepped_area
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class CROC(CurveMetric):
    """Customer ROC: the area under the curve of users' mean true and false positive rates at each list length.

    Assumes: every user is given a list of the same length; targets that lists lack follow in random order. Users
    without a relevant target, or with nothing else, take no part.

    Example: one user, 3 targets, the relevant one at rank 2: points (0, 0), (1/2, 0), (1/2, 1), (1, 1), area 1/2.
    """

    key = "CROC"
    needs_whole_lists = True
    formula = "area under (mean_u FPR_u(k), mean_u TPR_u(k)), k = 0, 1, 2, …"
    references = ("schein2002", "gunawardana2009")
    short_lists = "targets that lists lack follow in random order"
    undefined = "no user has both a relevant target and another"
    claims = ("bounded",)
    tasks = ("some_good_items",)
    per_user = False

    def measure(self, judged: Judged) -> Float64:
        return np.full(len(judged), area(self.curve(judged)))

    def curve(self, judged: Judged) -> OperatingCurve:
        good = judged.relevant_targets.astype(np.float64)
        others = judged.targets - good
        taken = (good > 0) & (others > 0)
        users = np.count_nonzero(taken)
        if not users:
            return roc(np.empty(0), np.empty(0))
        deepest = int(judged.length[taken].max(initial=0))
        hits = judged.hits()

        def summed(of_list: Float64) -> Float64:
            """Sums over the hits down to each rank of what a hit of its list counts for; who takes no part counts for 0."""
            weights = hits.spread(np.divide(1.0, of_list, out=np.zeros(len(of_list)), where=taken))
            return np.cumsum(np.bincount(hits.rank, weights, deepest + 1)[: deepest + 1])

        true_positives, wrong = summed(good), summed(others)
        going = np.bincount(judged.length[taken], 1 / others[taken], deepest + 1)[::-1].cumsum()[::-1]
        shown = np.concatenate([[0.0], np.cumsum(going[1:])])
        return roc(np.append((shown - wrong) / users, 1.0).clip(0, 1), np.append(true_positives / users, 1.0).clip(0, 1))


class CPR(CurveMetric):
    """Customer precision–recall: users' mean precision and recall at each list length, as one area or the best F.

    Assumes: every user is given a list of the same length; users without a relevant test item take no part. The area
    is of steps, not of straight lines between points.

    Example: one user, R = 1, the relevant item at rank 2: at k = 2 recall comes to 1 with precision 1/2, area 1/2.
    """

    key = "CPR"
    formula = "area under (mean_u Recall_u@k, mean_u P_u@k), k = 1, 2, …;  value=f: max_k 2PR/(P + R)"
    references = ("sarwar2000", "gunawardana2009", "davis2006")
    undefined = "no user has a relevant test item"
    claims = ("bounded",)
    tasks = ("some_good_items",)
    per_user = False

    value: Literal["auc", "f"] = param("auc", "the area, or the highest F along the curve")

    def measure(self, judged: Judged) -> Float64:
        curve = self.curve(judged)
        return np.full(len(judged), stepped_area(curve) if self.value == "auc" else best_f(curve))

    def curve(self, judged: Judged) -> OperatingCurve:
        total = judged.total_relevant()
        taken = total > 0
        users, deepest = np.count_nonzero(taken), int(judged.length.max(initial=0))
        if not users or not deepest:
            return precision_recall(np.empty(0), np.empty(0))
        hits = judged.hits()
        met = np.cumsum(np.bincount(hits.rank, minlength=deepest + 1))[1:]
        share = np.divide(1.0, total, out=np.zeros(len(total)), where=taken)
        recalled = np.cumsum(np.bincount(hits.rank, hits.spread(share), deepest + 1))[1:]
        return precision_recall(np.asarray(recalled / users), np.asarray(met / np.arange(1, deepest + 1) / users))
