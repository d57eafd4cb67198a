"""HO409: nothing tells a difference from chance."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject


class NoTest(Rule):
    """No significance test is made.

    Assumes: one system has nothing to be compared with; metrics of whole systems have no users; trisk, zrisk and georisk
    have no test; descriptive metrics that are no objectives are not compared. An error where several systems are compared
    all the same.

    Example: tests = [] in compare; measure = ["Gini@10"] for two systems; or recommend = ["Popularity"] alone.
    """

    key = "HO409"
    severity = "error"
    stage = "compare"
    references = ("gunawardana2009",)
    from_results = "whether any pair of systems was tested"

    def review(self, subject: Subject) -> Iterator[Finding]:
        study = subject.study
        if len(study.recommend) == 1:
            told = f"{study.recommend[0].name} is compared with nothing"
            yield self.found(told, subject.add("recommend", "Popularity"), severity="warning")
            return
        if not study.compare.tests:
            change = 'write tests = ["t", "permutation"] in the table compare'
            yield self.found("tests = [] in compare: no difference is tested", change)
            return
        judged = study.contests
        if not judged:
            told = f"{', '.join(map(str, study.measure))} only describe lists, so no test is made"
            yield self.found(told, subject.add("measure", "nDCG(gain=binary)@10"))
        elif not any(m.per_user for m in judged):
            told = f"{', '.join(map(str, judged))} is one number for a whole system, so no test is made"
            yield self.found(told, subject.add("measure", "nDCG(gain=binary)@10"))
        elif not any(a.compared_by for a in study.all_aggregations):
            told = f"no test answers for {', '.join(map(str, study.all_aggregations))}"
            yield self.found(told, 'add "mean" to aggregate, beside a baseline in compare')
        elif subject.measured is not None and subject.measured.pairs and not any(p.told for p in subject.measured.pairs):
            yield self.found("no pair of systems was tested", 'add compare = ["t", "permutation"]')
