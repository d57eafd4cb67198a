"""What a relevance rule is: which test ratings count as relevant."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from heldout.catalogue import Component
from heldout.errors import HeldoutError, InputError
from heldout.tables import Background, Interactions, Relevance
from heldout.tables.arrays import Bool, Float64, Int64, Ints, frozen, pointers, take_rows


class RelevanceRule(Component, kind="relevance"):
    """Tells relevant test ratings from the others."""

    relative: ClassVar[bool] = False
    """True if a rating is compared with the user's other ratings, in train and test."""

    settled_by_scale: ClassVar[bool] = False
    """True if it stands for the rule that the scale of the ratings suggests, by which a run replaces it."""

    @property
    def least(self) -> float | None:
        """The lowest rating that it can call relevant; None if that depends on the user."""
        return None

    @abstractmethod
    def relevant(self, grade: Float64, indptr: Int64) -> Bool:
        """Which ratings are relevant; rows `indptr[u]:indptr[u + 1]` are one user's."""

    def of_test(self, test: Interactions, train: Interactions | None) -> Bool:
        """Which test ratings are relevant; rules relative to a user's own ratings look at those in train as well."""
        if not self.relative or train is None or len(train) == 0:
            return self.relevant(test.value, test.user_indptr)
        user = np.concatenate([train.user, test.user])
        order = np.argsort(user, kind="stable")
        good = np.empty(len(user), bool)
        good[order] = self.relevant(np.concatenate([train.value, test.value])[order], pointers(user, test.n_users))
        return good[len(train) :]

    def judge(
        self,
        test: Interactions,
        users: Ints,
        top_grade: float,
        *,
        train: Interactions | None = None,
        background: Background | None = None,
    ) -> Relevance:
        """The relevance of these users' test ratings; `background` is what else metrics may know."""
        indptr, rows = take_rows(test.user_indptr, users)
        if train is None and background is not None:
            train = background.train
        relevant = self.of_test(test, train)[rows] if self.relative else self.relevant(test.value[rows], indptr)
        return Relevance(
            users=frozen(users, np.int32),
            indptr=frozen(indptr, np.int64),
            item=frozen(test.item[rows], np.int32),
            grade=frozen(test.value[rows], np.float64),
            relevant=frozen(relevant, np.bool_),
            top_grade=top_grade,
            rule=str(self),
            utility=frozen(test.utility[rows], np.float64) if test.utility is not None else None,
            background=background,
        )

    def positives(self, train: Interactions, test: Interactions) -> Int64:
        """|PR(i)|: relevant ratings of each item in train and test, the rule applied to both together."""
        user, item = np.concatenate([train.user, test.user]), np.concatenate([train.item, test.item])
        order = np.argsort(user, kind="stable")
        grade = np.concatenate([train.value, test.value])[order]
        good = self.relevant(grade, pointers(user, train.n_users))
        return frozen(np.bincount(item[order][good], minlength=train.n_items), np.int64)


def refuse_irrelevant(
    rule: RelevanceRule,
    test: Interactions,
    train: Interactions | None,
    tasks: Iterable[tuple[str, ...]],
    *,
    stated_by: str = "",
) -> None:
    """InputError when no test rating at all is relevant: every binary metric would be 0 or undefined for everyone.

    `tasks` are those that the metrics suit; errors of predicted ratings ask for no relevance. `stated_by` is the target that
    states the rule, if it is not the study's.
    """
    if all(task == ("predict_ratings",) for task in tasks):
        return
    if not rule.of_test(test, train).any():
        raise nothing_relevant(rule, float(test.value.max()), stated_by=stated_by)


def nothing_relevant(rule: RelevanceRule, highest: float, *, stated_by: str = "") -> HeldoutError:
    """The error for a rule under which no test rating is relevant, the highest being this."""
    where, hint = "relevance", f"choose another rule, such as threshold({highest:g})"
    if stated_by:
        where = f"target: {stated_by}"
        hint = f"leave out relevance there to follow the study's rule, or set another, such as threshold({highest:g})"
    return InputError(
        "no test rating is relevant", found=highest, expected=f"a highest rating that is relevant under {rule}", hint=hint
    ).within(where)
