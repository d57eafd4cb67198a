"""What a relevance rule is: which test ratings count as relevant."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from heldout.catalogue import Component
from heldout.tables import Interactions, Relevance
from heldout.tables.arrays import Bool, Float64, Int64, Ints, frozen, take_rows


class RelevanceRule(Component, kind="relevance"):
    """Tells relevant test ratings from the others."""

    @abstractmethod
    def relevant(self, grade: Float64, indptr: Int64) -> Bool:
        """Which ratings are relevant; rows `indptr[u]:indptr[u + 1]` are one user's."""

    def judge(self, test: Interactions, users: Ints, top_grade: float) -> Relevance:
        """The relevance of these users' test ratings."""
        indptr, rows = take_rows(test.user_indptr, users)
        grade = test.value[rows]
        return Relevance(
            frozen(users, np.int32),
            frozen(indptr, np.int64),
            frozen(test.item[rows], np.int32),
            frozen(grade, np.float64),
            frozen(self.relevant(grade, indptr), np.bool_),
            top_grade,
            str(self),
        )
