"""HO509: one random division of the ratings."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject


class OneSplit(Rule):
    """Everything rests on one random split.

    Assumes: several folds or several splits show how values spread; a split in time is not drawn.

    Example: ratio(train=0.8); not folds(5).
    """

    key = "HO509"
    severity = "advice"
    stage = "split"
    references = ("gunawardana2009",)

    def review(self, subject: Subject) -> Iterator[Finding]:
        study = subject.study
        if len(subject.seeds) > 1:
            return
        if len(subject.random_splits) == 1 and len(study.split) == 1 and study.split[0].folds_made == 1:
            told = f"{study.split[0].full_text} is drawn once, with seed {study.seed}"
            yield self.found(told, f"{subject.replace('split', 'folds(5)')}, or run it with other seeds")
