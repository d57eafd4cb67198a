"""What a user rule is: which users are tested."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from heldout.catalogue import Component
from heldout.tables import Split
from heldout.tables.arrays import Bool
from heldout.targets.relevance_rule import RelevanceRule


class UserRule(Component, kind="users"):
    """Chooses the users over whom a metric is computed; rules of a chain must all hold."""

    about_test: ClassVar[bool] = False
    """True if the rule itself says what becomes of users without test ratings; else a study adds `with_test`."""

    needs_train: ClassVar[bool] = False
    """True if it leaves out users without a training rating."""
    everyone: ClassVar[bool] = False
    """True if it leaves out nobody."""
    by_relevance: ClassVar[bool] = False
    """True if it looks at which test ratings are relevant."""

    @property
    def least_rated(self) -> int:
        """Test ratings that a user must have, where that is all the rule asks for."""
        return 0

    @property
    def least_relevant(self) -> int:
        """Relevant test ratings that a user must have, where that is all the rule asks for."""
        return 0

    @abstractmethod
    def keep(self, split: Split, relevance: RelevanceRule) -> Bool:
        """A mask over all users of the vocabulary."""


def left_by(rules: Sequence[UserRule], split: Split, relevance: RelevanceRule) -> tuple[tuple[str, int], ...]:
    """How many users each rule of a chain leaves of those that the rules before it left, beginning with all."""
    mask = np.ones(split.test.n_users, dtype=bool)
    steps = [("all users", len(mask))]
    for rule in rules:
        mask &= rule.keep(split, relevance)
        steps.append((str(rule), int(mask.sum())))
    return tuple(steps)


def chosen(rules: Sequence[UserRule], split: Split, relevance: RelevanceRule) -> Bool:
    """The users that all rules keep."""
    mask = np.ones(split.test.n_users, dtype=bool)
    for rule in rules:
        mask &= rule.keep(split, relevance)
    return mask
