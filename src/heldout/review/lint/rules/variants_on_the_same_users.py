"""HO408: the best of several variants, chosen and reported on the same users."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.analysis.selection_bias import variants
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject


class VariantsOnTheSameUsers(Rule):
    """Several variants of one recommender are compared on the users they would be chosen on.

    Assumes: three variants or more of a recommender that has parameters to search for, and no division of the test users by
    `development`; what a search chose is no variant.

    Example: UserKNN with k = 10, 50 and 100; the best of them is reported.
    """

    key = "HO408"
    title = "Variants chosen on the users they are tested on"
    severity = "error"
    stage = "recommend"
    references = ("gunawardana2009",)
    change = "choose one on validation ratings (heldout tune), or add development = 0.5 and compare the others"
    explanation = """
Several variants of one recommender are compared on the same users. The best of them is best in part by chance, and its value
on these users is too good: that is tuning on the test set. All numbers are shown, but where one of the variants leads, no
winner is called. Tune on a validation part, or divide the test users into a development and an evaluation group
(`development = 0.5`), choose on the first and report the second (Gunawardana and Shani 2009, section 4.3)."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        if subject.evidence is not None:
            for notice in subject.noticed(self.key):
                yield self.finding(notice.message)
            return
        if subject.study.development is None:
            untuned = [(s.name, s.recommender.full_text) for s in subject.study.recommend if s.tuning is None]
            for selected in variants(untuned):
                yield self.finding(selected.notice)
