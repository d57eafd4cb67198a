"""HO409: nothing tells a difference from chance."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject


class NoTest(Rule):
    """No significance test is made.

    Assumes: one system has nothing to be compared with; metrics of whole systems have no users; trisk, zrisk and georisk
    have no test; descriptive metrics that are no objectives are not compared. An error where several systems are compared
    all the same.

    Example: tests = [] in compare; metrics = ["Gini@10"] for two systems; or recommend = ["Popularity"] alone.
    """

    key = "HO409"
    title = "No significance test"
    severity = "error"
    stage = "compare"
    references = ("gunawardana2009",)
    from_results = "whether any pair of systems was tested"
    explanation = """
Nothing says whether a difference is more than chance: testing is switched off (`tests = []` in `[compare]`), or there is
one system, or the metrics are single numbers of a whole system, or no test answers for the aggregation. The test set may
have suited the system that did best on it (Gunawardana and Shani 2009, section 4.3). Compare at least two systems on a
metric of users, with an aggregation that a test answers for, and name a test: `tests = ["t", "permutation"]`."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        study = subject.study
        if len(study.recommend) == 1:
            message = f"{study.recommend[0].name} is compared with nothing"
            yield self.finding(message, subject.add("recommend", "Popularity"), severity="warning")
            return
        if not study.compare.tests:
            change = 'write tests = ["t", "permutation"] in the table compare'
            yield self.finding("tests = [] in compare: no difference is tested", change)
            return
        judged = study.contests
        if not judged:
            message = f"{', '.join(map(str, study.metrics))} only describe lists, so no test is made"
            yield self.finding(message, subject.add("metrics", "nDCG(gain=binary)@10"))
        elif not any(m.per_user for m in judged):
            message = f"{', '.join(map(str, judged))} is one number for a whole system, so no test is made"
            yield self.finding(message, subject.add("metrics", "nDCG(gain=binary)@10"))
        elif not any(a.compared_by for a in study.all_aggregations):
            message = f"No test answers for {', '.join(map(str, study.all_aggregations))}"
            yield self.finding(message, 'add "mean" to aggregate, beside a baseline in compare')
        elif subject.evidence is not None and subject.evidence.pairs and not any(p.answered for p in subject.evidence.pairs):
            yield self.finding("No pair of systems was tested", 'add compare = ["t", "permutation"]')
