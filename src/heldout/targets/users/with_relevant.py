"""Users with relevant test ratings."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.catalogue.prose import at_least
from heldout.tables import Split
from heldout.tables.arrays import Bool
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.user_rule import UserRule


class WithRelevant(UserRule):
    """Users with at least so many relevant test ratings.

    Assumes: a user without a relevant test item tells systems apart no more than an empty topic does: precision is 0
    whatever is recommended, recall undefined.

    Example: under threshold(4), with_relevant(1) leaves out a user whose test ratings are 2 and 3.
    """

    key = "with_relevant"
    references = ("canamares2020",)
    about_test = True
    by_relevance = True

    min: int = param(1, "the least number of relevant test ratings", least=0)

    @property
    def least_relevant(self) -> int:
        """Relevant test ratings that a user must have."""
        return self.min

    def keep(self, split: Split, relevance: RelevanceRule) -> Bool:
        test = split.test
        counts = np.bincount(test.user, relevance.of_test(test, split.train), test.n_users)
        return counts >= self.min

    def phrase(self) -> str:
        return f"users with {at_least(self.min, 'relevant test rating')}"
