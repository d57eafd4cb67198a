"""Relevant by the scale of the ratings, for those who name no rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from heldout.catalogue import make
from heldout.tables.arrays import Bool, Float64, Int64
from heldout.targets.relevance_rule import RelevanceRule

WIDEST = 20
"""The highest rating of a scale on which a rating means the same for all users."""
TAIL = 10
"""Values are counts where the highest is more than so many times the median."""
HIGHEST_SCALE = 100
"""The highest rating of the widest scales in use; values above are counts, whatever their distribution."""
UPPER = 0.6
"""Share of a scale below the ratings that are relevant: 4 and 5 are the upper two of five."""


@dataclass(frozen=True)
class ScaleGuess:
    """A relevance rule that was taken from the scale of the ratings, and why."""

    rule: RelevanceRule
    because: str
    """What the ratings look like, as a clause: `ratings run from 1 to 5`."""


class ByScale(RelevanceRule):
    """The rule that fits the scale of the ratings: the upper two fifths of a rating scale, every count or click.

    Assumes: the values of train and test together show the scale. One value throughout is implicit feedback, all of it
    relevant; so are counts, whose highest is more than 10 times their median. Whole grades up to 3, or up to 4 with some
    at 0 or below, are relevant from 1 on, as in TREC. Other scales up to 20 are relevant in their upper two fifths, those
    without values below 0 being taken to begin at 1. On wider scales a rating is compared with the user's mean. A run
    replaces this rule by the one that it leads to, and says so (HO106).

    Example: on ratings of 1 to 5 it is threshold(4), of 1 to 10 threshold(7), on play counts threshold(1).
    """

    key = "by_scale"
    references = ("canamares2020", "bellogin2017")
    relative = True
    settled_by_scale = True

    def relevant(self, grade: Float64, indptr: Int64) -> Bool:
        if not len(grade):
            return np.zeros(0, bool)
        return guess_relevance(grade).rule.relevant(grade, indptr)

    def phrase(self) -> str:
        return "which test ratings counted as relevant followed from the scale of the ratings"


def guess_relevance(values: Any) -> ScaleGuess:
    """The relevance rule that the distinct values of a data set and their frequencies suggest."""
    return guess_of_grades(*np.unique(np.asarray(values, np.float64), return_counts=True))


def guess_of_grades(grades: Float64, counts: Int64) -> ScaleGuess:
    """The same from the distinct values, ascending, and how often each occurs."""
    low, high = float(grades[0]), float(grades[-1])
    if low == high:
        return _threshold(low, f"every value is {low:g}")
    share = f"{counts[grades == 0].sum() / counts.sum():.0%}"
    if _have_tail(grades, counts):
        because = f"values up to {high:,.10g} are counts, each of them relevant"
        least = float(grades[grades > 0][0])
        return _threshold(least, because) if least == int(least) else ScaleGuess(make("relevance", "more_than(0)"), because)
    span = f"ratings run from {low:g} to {high:g}"
    whole = bool((grades == np.rint(grades)).all())
    if whole and (high <= 3 or (low <= 0 and high <= 4)) and high >= 1:
        return _threshold(1, f"{span}, as grades of relevance do")
    if high > WIDEST:
        return ScaleGuess(make("relevance", "user_mean"), f"{span}, a wide scale that users use differently")
    zeros = f", and {share} are 0, which may mean no rating" if low == 0 and high >= 5 else ""
    return _threshold(_upper(grades), f"{span}{zeros}")


def _threshold(tau: float, because: str) -> ScaleGuess:
    return ScaleGuess(make("relevance", f"threshold({tau:.10g})"), because)


def are_counts(values: Any) -> bool:
    """Whether values have the long tail of counts: no rating scale has its median at a tenth of its end.

    Example: plays 1, 1, 2, 30 are counts (30 > 10 · 1); ratings 1, 3, 4, 5 are not.
    """
    return _have_tail(*np.unique(np.asarray(values, np.float64), return_counts=True))


def exceed_scales(grades: Float64, counts: Int64) -> bool:
    """True if distinct values, ascending, with their frequencies have the tail of counts or exceed all rating scales.

    Example: purchases 1 to 500, each as often: their median is above a tenth of 500, and 500 is above 100.
    """
    return bool(len(grades)) and (_have_tail(grades, counts) or bool(grades[-1] > HIGHEST_SCALE))


def _have_tail(grades: Float64, counts: Int64) -> bool:
    above, times = grades[grades > 0], np.cumsum(counts[grades > 0])
    if not len(above) or grades[0] < 0:
        return False
    median = above[np.searchsorted(times, (times[-1] - 1) // 2, side="right")]  # the lower one
    return bool(above[-1] / TAIL > median)


def _upper(grades: Any) -> float:
    """The least rating in the upper two fifths of a scale: 4 of 1…5, 7 of 1…10, 2 of −10…10."""
    low, high = float(grades[0]), float(grades[-1])
    if low >= 0 and high >= 4:
        low = 1.0  # half stars begin at 0.5, 0 may mean "not rated", and the lowest ratings may be missing
    bound = low + UPPER * (high - low)
    if high - low >= 4:
        return float(np.ceil(bound - 1e-9))
    return float(grades[grades >= bound - 1e-9][0])
