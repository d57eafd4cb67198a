"""HO410: many comparisons without a correction."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject


class UncorrectedComparisons(Rule):
    """Several pairs of systems are tested, and the p-values are not corrected for it.

    Assumes: tests of all systems at once (friedman, tukey) correct themselves; bayes has no p-values.

    Example: five systems make ten pairs, and a false discovery among them has a chance of 1 − 0.95^10 = 0.40.
    """

    key = "HO410"
    severity = "error"
    stage = "compare"
    references = ("gunawardana2009", "holm1979", "benjamini1995")

    def review(self, subject: Subject) -> Iterator[Finding]:
        compare = subject.study.compare
        n = len(subject.study.recommend)
        pairs = n - 1 if compare.baseline is not None else n * (n - 1) // 2
        plain = [t for t in compare.tests if t.has_p and not t.all_at_once]
        if compare.correction.key == "none" and plain and pairs > 1:
            chance = 1 - (1 - compare.level) ** pairs
            told = (
                f"{pairs} pairs are tested at {compare.level:g} each: a false discovery has a chance of up to {chance:.0%}"
            )
            yield self.found(told, 'replace correction = "none" by correction = "holm" in compare')
