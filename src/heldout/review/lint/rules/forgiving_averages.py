"""HO102: averages over the users whom each system covers."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject


class ForgivingAverages(Rule):
    """Each system is averaged over the users it covers, and these may be different users.

    Assumes: results tell whether they are; without results it is advice.

    Example: coverage = "forgive" with a neighbourhood model that has nothing for new users.
    """

    key = "HO102"
    title = "Different users are averaged"
    severity = "warning"
    stage = "coverage"
    references = ("canamares2020",)
    from_results = "whether systems cover different users"
    explanation = """
Under `coverage = forgive` each system is averaged over the users it recommends to. Where systems cover different users,
their averages are over different people, and a system can gain by refusing the difficult ones (Cañamares, Castells and
Moffat 2020, Figure 8). Pairs are tested on their common users. Read the coverage beside each value, or choose
`coverage = zero` or `intersection`."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        forgiving = [rule for rule in subject.study.coverage if rule.per_system]
        if not forgiving:
            return
        change = subject.replace("coverage", ["zero", "intersection"])
        if subject.evidence is None:
            message = f"coverage = {forgiving[0]} averages each system over its own users, who may differ"
            yield self.finding(message, change, severity="advice")
            return
        for notice in subject.noticed(self.key):
            alone = len(subject.study.coverage) == 1
            yield self.finding(notice.message, change, severity="warning" if alone else "advice")
