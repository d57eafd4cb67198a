"""One list of all pairs of users and targets: the global curves."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import param
from heldout.errors import NotApplicableError
from heldout.metrics.curves.curve import CurveMetric, OperatingCurve, area, best_f, precision_recall, roc, stepped_area
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class GROC(CurveMetric):
    """Global ROC: the area under the curve of one list of all users' targets by score; equal scores count half.

    Assumes: scores of different users may be compared, which a recommender declares. Targets that could not be scored
    are tied below all others. The pairs are counted block by block, never listed.

    Example: scores 0.9 and 0.2 of relevant pairs, 0.5 and 0.2 of others: 0.9 beats both, 0.2 ties with one: 2.5/4.
    """

    key = "GROC"
    needs_whole_lists = True
    formula = "area under (FPR(s), TPR(s)) over thresholds s of the scores of all pairs (user, target)"
    references = ("schein2002", "gunawardana2009")
    short_lists = "targets without a score are tied below all others"
    undefined = "there is no relevant pair, or no other"
    ties = "equal"
    claims = ("bounded",)
    tasks = ("all_good_items",)
    per_user = False
    needs_all_scores = True

    def measure(self, judged: Judged) -> Float64:
        return np.full(len(judged), area(self.curve(judged)))

    def curve(self, judged: Judged) -> OperatingCurve:
        good, others = _counted(judged, self)
        if not good.sum() or not others.sum():
            return roc(np.empty(0), np.empty(0))
        return roc(_shares(others), _shares(good))


class GPR(CurveMetric):
    """Global precision–recall of one list of all users' targets by score, as one area or the best F.

    Assumes: as GROC. The area is of steps, not of straight lines between points.

    Example: scores 0.9 and 0.2 of relevant pairs, 0.5 and 0.1 of others: recall 1/2 with precision 1, then recall 1
    with precision 2/3: (1/2) · 1 + (1/2) · (2/3) = 0.8333.
    """

    key = "GPR"
    formula = "area under (Recall(s), P(s)) over thresholds s;  value=f: max_s 2PR/(P + R)"
    references = ("gunawardana2009", "davis2006")
    undefined = "there is no relevant pair"
    ties = "equal"
    claims = ("bounded",)
    tasks = ("all_good_items",)
    libraries = {"scikit-learn": "the same over all pairs (average_precision_score)"}
    per_user = False
    needs_all_scores = True

    value: Literal["auc", "f"] = param("auc", "the area, or the highest F along the curve")

    def measure(self, judged: Judged) -> Float64:
        curve = self.curve(judged)
        return np.full(len(judged), stepped_area(curve) if self.value == "auc" else best_f(curve))

    def curve(self, judged: Judged) -> OperatingCurve:
        good, others = _counted(judged, self)
        if not good.sum():
            return precision_recall(np.empty(0), np.empty(0))
        met = np.cumsum(good)
        seen = met + np.cumsum(others)
        kept = seen > 0
        return precision_recall(np.asarray(met[kept] / good.sum()), np.asarray(met[kept] / seen[kept]))


def _shares(counts: Float64) -> Float64:
    return np.asarray(np.append(0.0, np.cumsum(counts)) / counts.sum())


def _counted(judged: Judged, asker: object) -> tuple[Float64, Float64]:
    """Relevant pairs and others, by descending score: above the highest relevant score, at it, between it and the next, …"""
    if not judged.comparable:
        raise NotApplicableError(
            "all users' items make one list, and the scores of this system are not comparable across users",
            where=str(asker),
            hint="use CROC or UROC, or declare comparable_scores if they are",
        )
    if judged.everywhere is None or judged.score is None:
        raise NotApplicableError("the scores of all targets were not counted", where=str(asker))
    counts = judged.everywhere
    at = judged.hit_entries()
    scores = judged.score[at]
    scored = ~np.isnan(scores)
    place = np.searchsorted(counts.thresholds, scores[scored])
    relevant = np.bincount(place, minlength=len(counts.thresholds))
    steps = 2 * len(relevant) + 2
    good, every = np.zeros(steps), np.zeros(steps)
    every[0:-1:2], every[1:-1:2] = counts.between[::-1], counts.at[::-1]
    good[1:-1:2] = relevant[::-1]
    lacking = float(judged.relevant_targets.sum() - scored.sum())
    good[-1], every[-1] = max(lacking, 0.0), counts.unscored
    return good, np.maximum(every - good, 0.0)
