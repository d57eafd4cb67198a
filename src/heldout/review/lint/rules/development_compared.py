"""HO406: users on whom systems were chosen are compared."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject


class DevelopmentCompared(Rule):
    """Systems are compared on the users on whom they were chosen.

    Assumes: the study divides the test users by `development`.

    Example: development = 0.5 with compare = { group = "all" }.
    """

    key = "HO406"
    title = "Development users are compared"
    severity = "error"
    stage = "compare"
    references = ("gunawardana2009",)
    explanation = """
The split divides the test users into a development group, on which parameters and systems are chosen, and an evaluation
group. What was chosen on some users does well on them by that very choice, so no winner is called on the development group
(Gunawardana and Shani 2009, section 4.3). Choose there, then compare with `group = "evaluation"`."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        group = subject.study.compare.group
        if subject.study.development is not None and group != "evaluation":
            yield self.finding(
                f"group = {group} compares development users",
                f'replace group = "{group}" by group = "evaluation" in compare, once systems are chosen',
            )
