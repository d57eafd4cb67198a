"""Relevant among the user's highest ratings."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import REQUIRED, param
from heldout.catalogue.prose import share
from heldout.tables.arrays import Bool, Float64, Int64
from heldout.targets.relevance_rule import RelevanceRule


class UserTop(RelevanceRule):
    """A test rating counts as relevant when it is among the highest share of the user's ratings.

    Assumes: users use the scale differently. The share is of the user's ratings in train and test, or in test where train
    is not known, rounded up; ratings equal to the lowest of these count too, so that more than the share may be relevant.

    Example: of the ratings 5, 4, 4, 3 and 1, user_top(0.4) takes the two highest, 5 and 4, and with them the other 4.
    """

    key = "user_top"
    references = ("bellogin2011",)
    formula = "rel(u, i) ⇔ r(u, i) ≥ the ⌈s |R(u)|⌉-th highest of the user's ratings"
    relative = True

    share: float = param(REQUIRED, "share of a user's ratings", above=0, most=1)

    def relevant(self, grade: Float64, indptr: Int64) -> Bool:
        n = np.diff(indptr)
        owner = np.repeat(np.arange(len(n)), n)
        descending = grade[np.lexsort((-grade, owner))]
        some = n > 0
        last = np.zeros(len(n), np.int64)
        last[some] = indptr[:-1][some] + np.maximum(np.ceil(self.share * n[some] - 1e-9), 1).astype(np.int64) - 1
        return np.asarray(grade >= descending[last[owner]]) if len(grade) else np.zeros(0, bool)

    def phrase(self) -> str:
        return f"the highest {share(self.share)} of a user's ratings counted as relevant"
