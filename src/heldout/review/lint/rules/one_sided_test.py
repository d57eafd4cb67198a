"""HO412: a one-sided test."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject
from heldout.significance.significance_test import Test


class OneSidedTest(Rule):
    """A test looks at one side only.

    Assumes: a two-sided question unless the other side is of no interest.

    Example: sign(alternative=greater) with a baseline.
    """

    key = "HO412"
    title = "One-sided test"
    severity = "warning"
    stage = "compare"
    references = ("gunawardana2009",)
    explanation = """
A one-sided test halves the p-value by deciding beforehand that only one system can be better. Offline that is seldom
known: a new system that is worse should be found worse. Use the two-sided test, or say why the other side is of no
interest."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        for test in subject.study.compare.tests:
            inner = getattr(test, "test", None)
            for part in (test, inner) if isinstance(inner, Test) else (test,):
                if part.one_sided:
                    yield self.finding(f"{part} looks at one side only", f"replace {part} by {part.key}")
