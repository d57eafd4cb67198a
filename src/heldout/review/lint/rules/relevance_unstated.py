"""HO106: which ratings are relevant is not written."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.experiment.guessed_relevance import about_kept_guess
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject
from heldout.study.choices import toml


class RelevanceUnstated(Rule):
    """The rule for what is relevant is not written, so it is taken from the scale of the ratings.

    Assumes: a target with a rule of its own needs none. Which rule it is only the run can tell.

    Example: a study without `relevance` takes threshold(4) on ratings of 1 to 5 and threshold(1) on play counts.
    """

    key = "HO106"
    title = "The relevance rule was guessed"
    severity = "warning"
    stage = "relevance"
    references = ("bellogin2017", "bellogin2011")
    from_results = "which relevance rule the scale of the ratings led to, where none is written"
    explanation = """
No rule was written for which test ratings are relevant, so it was taken from the scale of the ratings (`heldout describe
by_scale`): the upper two fifths of a rating scale, which is from 4 on of 1 to 5; every play, purchase or click where values
are counts or all alike; from 1 on where they are grades of 0 to 4. One stray rating can change the guess, and with it every
binary metric. A guess that leaves most users with test ratings without a relevant one is refused. Write the rule that is
meant: `relevance = "threshold(4)"`, or `--relevance` on the command line."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        notices = about_kept_guess(subject.study) if subject.evidence is None else subject.noticed(self.key)
        for notice in notices:
            yield self.finding(notice.message, f"add relevance = {toml([str(r) for r in subject.study.relevance])}")

    def unanswered(self, subject: Subject) -> bool:
        return super().unanswered(subject) and subject.study.guessing()
