"""Every user of the data."""

from __future__ import annotations

import numpy as np

from heldout.tables import Split
from heldout.tables.arrays import Bool
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.user_rule import UserRule


class AllUsers(UserRule):
    """Every user of the data is tested, also those without a test rating, for whom no metric can be above 0.

    Assumes: they are to be counted, whom every chain without this rule leaves out. Averages then depend on how many users
    the split left without test ratings.

    Example: of 10 users, 2 of them without test ratings, 10 are averaged.
    """

    key = "all"
    everyone = True
    references = ("canamares2020",)
    about_test = True

    def keep(self, split: Split, relevance: RelevanceRule) -> Bool:
        return np.ones(split.test.n_users, dtype=bool)

    def phrase(self) -> str:
        return "all users"
