"""HO510: users or items that train knows nothing of."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.study.lint.finding import Finding
from heldout.study.lint.rule import Rule
from heldout.study.lint.subject import Subject

MUCH = 0.05


class ColdInTest(Rule):
    """Test ratings are of users or items without a training rating.

    Assumes: more than 5 % of the test ratings, of users or of items.

    Example: temporal(share=0.2) where many users arrive in the last fifth.
    """

    key = "HO510"
    severity = "warning"
    stage = "split"
    references = ("gunawardana2009",)
    from_results = "how many test ratings are of unknown users or items"

    def review(self, subject: Subject) -> Iterator[Finding]:
        worst: dict[str, tuple[float, float]] = {}
        for fold in subject.measured.folds if subject.measured is not None else ():
            users = (fold.audit.get("cold_user_ratings") or 0) / max(1, fold.test)
            items = (fold.audit.get("cold_item_ratings") or 0) / max(1, fold.test)
            if max(users, items) > MUCH:
                worst[fold.split] = max(worst.get(fold.split, (0.0, 0.0)), (users, items))
        for split, (users, items) in worst.items():
            told = f"{split}: {users:.0%} of the test ratings are of users, {items:.0%} of items without a training rating"
            yield self.found(told, 'add users = [["with_train", "with_test"]], and report cold users and items apart')
