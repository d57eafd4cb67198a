"""Relevant from the user's mean rating on."""

from __future__ import annotations

import numpy as np

from heldout.tables.arrays import Bool, Float64, Int64
from heldout.targets.relevance_rule import RelevanceRule


class UserMean(RelevanceRule):
    """A test rating counts as relevant when it is at least the mean of the user's ratings.

    Assumes: users use the scale differently. The mean is over train and test, or over test where train is not known. All
    ratings of a user who gives only one value are relevant.

    Example: a user's ratings are 2, 3 and 5, with a mean of 10/3: only the 5 is relevant.
    """

    key = "user_mean"
    references = ("bellogin2011",)
    formula = "rel(u, i) ⇔ r(u, i) ≥ avg_j r(u, j)"
    relative = True

    def relevant(self, grade: Float64, indptr: Int64) -> Bool:
        n = np.diff(indptr)
        owner = np.repeat(np.arange(len(n)), n)
        mean = np.bincount(owner, grade, len(n)) / np.maximum(n, 1)
        return np.asarray(grade >= mean[owner] - 1e-9 * np.maximum(1, np.abs(mean[owner])))

    def phrase(self) -> str:
        return "a test rating counted as relevant when it is at least the user's mean rating"
