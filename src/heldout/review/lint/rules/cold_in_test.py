"""HO510: users or items that train knows nothing of."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject

MUCH = 0.05


class ColdInTest(Rule):
    """Test ratings are of users or items without a training rating.

    Assumes: more than 5 % of the test ratings, of users or of items; not users whom `with_train` leaves untested, nor items
    that `TrainingItems` does not rank.

    Example: temporal(share=0.2) where many users arrive in the last fifth.
    """

    key = "HO510"
    title = "Cold users or items in the test"
    severity = "warning"
    stage = "split"
    references = ("gunawardana2009",)
    from_results = "how many test ratings are of unknown users or items"
    explanation = """
Some test ratings are of users or items without a training rating. Most recommenders cannot score them, so values
measure coverage and fallback as much as quality, and differently for different systems. If new users or items are not
the question, test users with training ratings (`users = [["with_train", "with_test"]]`) and rank items that train
(`target = "TrainingItems"`); if they are, report them apart."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        # Users without a training rating are not tested under with_train, nor are items ranked under TrainingItems.
        cold_users = not all(any(rule.needs_train for rule in chain) for chain in subject.study.users)
        cold_items = not all(target.form.candidates == "training" for target in subject.study.target)
        worst: dict[str, tuple[float, float]] = {}
        for fold in subject.evidence.folds if subject.evidence is not None else ():
            users = (fold.audit.get("cold_user_ratings") or 0) / max(1, fold.test) if cold_users else 0.0
            items = (fold.audit.get("cold_item_ratings") or 0) / max(1, fold.test) if cold_items else 0.0
            if max(users, items) > MUCH:
                worst[fold.split] = max(worst.get(fold.split, (0.0, 0.0)), (users, items))
        for split, (users, items) in worst.items():
            shares = [f"{share:.0%} of {what}" for share, what in ((users, "users"), (items, "items")) if share]
            message = f"{split}: of the test ratings {' and '.join(shares)} without a training rating"
            changes = [_with_train(subject)] if users > MUCH else []
            changes += [subject.replace("target", "TrainingItems")] if items > MUCH else []
            cold = " and ".join(what for what, share in (("users", users), ("items", items)) if share > MUCH)
            yield self.finding(message, "\n".join((*changes, f"Or report cold {cold} separately.")))


def _with_train(subject: Subject) -> str:
    """The selections of users as they are, each of users with a training rating only."""
    chains = [[str(rule) for rule in chain if not rule.needs_train and not rule.everyone] for chain in subject.study.users]
    return subject.replace("users", [["with_train", *chain] for chain in chains])
