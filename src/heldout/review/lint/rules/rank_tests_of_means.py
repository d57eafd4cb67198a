"""HO413: tests of ranks answer for a difference of means."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject

OF_RANKS = ("sign", "wilcoxon")


class RankTestsOfMeans(Rule):
    """Means are compared by the sign or the Wilcoxon test alone.

    Assumes: the aggregation is a mean, or one whose scale has a mean; a median is rightly tested so.

    Example: compare = ["wilcoxon"] with aggregate = "mean"; not compare = ["t", "wilcoxon"].
    """

    key = "HO413"
    severity = "warning"
    stage = "compare"
    references = ("smucker2007", "ihemelandu2023")

    def review(self, subject: Subject) -> Iterator[Finding]:
        tests = subject.study.compare.tests
        means = [a for a in subject.study.all_aggregations if "means" in a.compared_by]
        if tests and means and len(subject.study.recommend) != 1 and all(t.key in OF_RANKS for t in tests):
            ask = "asks" if len(tests) == 1 else "ask"
            told = f"{', '.join(map(str, tests))} {ask} who wins for more users, not whose {means[0]} is higher"
            yield self.found(told, 'add "t" or "permutation" to compare')
