"""HO509: one random division of the ratings."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject


class OneSplit(Rule):
    """Everything rests on one random split.

    Assumes: several folds or several splits show how values spread; a split in time is not drawn.

    Example: ratio(train=0.8); not folds(5).
    """

    key = "HO509"
    title = "One split, drawn once"
    severity = "advice"
    stage = "split"
    references = ("gunawardana2009",)
    explanation = """
All values come from one random division of the ratings. Tests over users tell whether a difference would hold for other
users, not for another division. Repeat it: `folds(5)`, several `split`s, or the same study with other seeds, and look
whether the winner stays."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        study = subject.study
        if len(subject.seeds) > 1:
            return
        if len(subject.random_splits) == 1 and len(study.split) == 1 and study.split[0].folds_made == 1:
            message = f"{study.split[0].full_text} is drawn once, with seed {study.seed}"
            yield self.finding(message, f"{subject.replace('split', 'folds(5)')}\nOr run it with other seeds.")
