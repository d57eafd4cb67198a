"""HO404: folds of a user are taken for users."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject


class FoldsPooled(Rule):
    """p-values are over folds of users, which are not independent.

    Assumes: it matters where the split makes more than one fold.

    Example: split = "folds(5)" with compare = { folds = "pooled" }.
    """

    key = "HO404"
    title = "Folds are pooled"
    severity = "error"
    stage = "compare"
    references = ("bengio2004",)
    explanation = """
A user who is tested in several folds has several values, and these are not independent: the training sets of folds share
most of their ratings, and no unbiased estimate of the variance over folds exists (Bengio and Grandvalet 2004). Taking each
fold of a user as another user makes differences look surer than they are. Let `folds = "average"` average a user's values
first; p-values over pooled folds are not to be relied on."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        study = subject.study
        if study.compare.folds == "pooled" and (len(study.split) == 0 or any(s.folds_made > 1 for s in study.split)):
            yield self.finding(
                "each fold of a user is tested as if it were another user",
                'replace folds = "pooled" by folds = "average" in compare',
            )
