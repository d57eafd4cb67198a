"""HO412: a one-sided test."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject
from heldout.significance.significance_test import Test


class OneSidedTest(Rule):
    """A test looks at one side only.

    Assumes: a two-sided question unless the other side is of no interest.

    Example: sign(alternative=greater) with a baseline.
    """

    key = "HO412"
    severity = "warning"
    stage = "compare"
    references = ("gunawardana2009",)

    def review(self, subject: Subject) -> Iterator[Finding]:
        for test in subject.study.compare.tests:
            inner = getattr(test, "test", None)
            for one in (test, inner) if isinstance(inner, Test) else (test,):
                if one.one_sided:
                    yield self.found(f"{one} looks at one side only", f"replace {one} by {one.key}")
