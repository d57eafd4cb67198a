"""Users with test ratings."""

from __future__ import annotations

from heldout.catalogue import param
from heldout.catalogue.prose import at_least
from heldout.tables import Split
from heldout.tables.arrays import Bool
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.user_rule import UserRule


class WithTest(UserRule):
    """Users with at least so many test ratings, relevant or not.

    Assumes: users whom the split left without test ratings say nothing about a system.

    Example: with_test(2) leaves out a user with one test rating.
    """

    key = "with_test"
    references = ("canamares2020",)
    about_test = True

    min: int = param(1, "the least number of test ratings", least=0)

    @property
    def least_rated(self) -> int:
        """Test ratings that a user must have."""
        return self.min

    def keep(self, split: Split, relevance: RelevanceRule) -> Bool:
        return split.test.user_counts >= self.min

    def phrase(self) -> str:
        return f"users with {at_least(self.min, 'test rating')}"
