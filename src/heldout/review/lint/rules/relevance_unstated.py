"""HO106: which ratings are relevant is not written."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.experiment.guessed_relevance import about_kept_guess
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject, toml


class RelevanceUnstated(Rule):
    """The rule for what is relevant is not written, so it is taken from the scale of the ratings.

    Assumes: a target with a rule of its own needs none. Which rule it is only the run can tell.

    Example: a study without `relevance` takes threshold(4) on ratings of 1 to 5 and threshold(1) on play counts.
    """

    key = "HO106"
    severity = "warning"
    stage = "relevance"
    references = ("bellogin2017", "bellogin2011")
    from_results = "which relevance rule the scale of the ratings led to, where none is written"

    def review(self, subject: Subject) -> Iterator[Finding]:
        notices = about_kept_guess(subject.study) if subject.measured is None else subject.measured.noticed(self.key)
        for notice in notices:
            yield self.found(notice.message, f"add relevance = {toml([str(r) for r in subject.study.relevance])}")

    def unanswered(self, subject: Subject) -> bool:
        return super().unanswered(subject) and subject.study.guessing()
