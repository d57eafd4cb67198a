"""HO418: significant differences of negligible size."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.analysis.sentences import NEGLIGIBLE
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject


class SignificantAndTiny(Rule):
    """A difference is significant while its effect is negligible.

    Assumes: |d| below 0.1, half of what is called small.

    Example: d = 0.04 with 6,040 users has p = 0.002.
    """

    key = "HO418"
    title = "Significant and tiny"
    severity = "advice"
    stage = "compare"
    references = ("ihemelandu2023",)
    from_results = "whether significant differences are of any size"
    explanation = """
A difference is significant because there are many users, while its effect is far below what is called small (Cohen's d
= 0.2): a user picked at random is hardly more likely to be served better. Report the difference, its interval and the
effect size beside the p-value. With the numbers of users that recommendation has, most tests find almost any
difference, so that the effect size is what decides whether it matters (Ihemelandu and Ekstrand 2023)."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        if subject.evidence is None:
            return
        level = subject.study.compare.level
        tiny = {
            (p.setting, p.a, p.b): p
            for p in subject.evidence.pairs
            if p.p is not None and p.p <= level and p.effect and abs(p.effect) < NEGLIGIBLE
        }
        if tiny:
            pair = min(tiny.values(), key=lambda p: abs(p.effect or 0.0))
            rest = len(tiny) - 1
            more = "" if not rest else "; so does 1 more pair" if rest == 1 else f"; so do {rest:,} more pairs"
            size = f"{pair.effect:.3f}".replace("-", "−")
            message = f"{pair.a} and {pair.b} differ significantly in {pair.place} with d = {size}{more}"
            yield self.finding(message, "report the difference and d beside p, and call it negligible")
