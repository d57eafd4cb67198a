"""Users with training ratings."""

from __future__ import annotations

from heldout.catalogue import param
from heldout.catalogue.prose import at_least
from heldout.tables import Split
from heldout.tables.arrays import Bool
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.user_rule import UserRule


class WithTrain(UserRule):
    """Users with at least so many training ratings.

    Assumes: new users are another question. Without this rule a system that cannot serve them pays for it in coverage. A
    study tests only users with test ratings all the same, unless `all` stands in the chain.

    Example: with_train(1) leaves out users of whom the systems know nothing.
    """

    key = "with_train"
    needs_train = True
    references = ("canamares2020",)

    min: int = param(1, "the least number of training ratings", least=0)

    def keep(self, split: Split, relevance: RelevanceRule) -> Bool:
        return split.train.user_counts >= self.min

    def phrase(self) -> str:
        return f"users with {at_least(self.min, 'training rating')}"
