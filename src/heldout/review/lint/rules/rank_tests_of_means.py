"""HO413: tests of ranks answer for a difference of means."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject
from heldout.significance.significance_test import Test


class RankTestsOfMeans(Rule):
    """Means are compared by the sign or the Wilcoxon test alone.

    Assumes: the aggregation is a mean, or one whose scale has a mean; a median is rightly tested so.

    Example: compare = ["wilcoxon"] with aggregate = "mean"; not compare = ["t", "wilcoxon"].
    """

    key = "HO413"
    title = "Tests of ranks for a difference of means"
    severity = "warning"
    stage = "compare"
    references = ("smucker2007", "ihemelandu2023")
    explanation = """
The sign and the Wilcoxon test ask whether one system wins for more users, not whether its mean is higher, and both can
answer otherwise than a test of means: Smucker, Allan and Carterette (2007) recommend permutation, bootstrap or t for
means and advise against the other two, and with thousands of users both reject true null hypotheses too often
(Ihemelandu and Ekstrand 2023). Use `t` or `permutation` for a mean, or report a median beside a test of ranks."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        tests = subject.study.compare.tests
        means = [a for a in subject.study.all_aggregations if "means" in a.compared_by]
        if tests and means and len(subject.study.recommend) != 1 and all(_of_ranks(t) for t in tests):
            ask = "asks" if len(tests) == 1 else "ask"
            message = f"{', '.join(map(str, tests))} {ask} who wins for more users, not whose {means[0]} is higher"
            yield self.finding(message, 'add "t" or "permutation" to compare')


def _of_ranks(test: Test) -> bool:
    """Whether a test compares two systems by ranks and gives a p-value for it, as sign and wilcoxon do."""
    return test.compares == "ranks" and test.has_p and not test.all_at_once
