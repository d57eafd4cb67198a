"""HO313: one metric."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject


class OneMetric(Rule):
    """The conclusion rests on one metric.

    Assumes: cut-offs and parameters of one metric are one metric; diagnostics are none. The default metric, which a
    study has that names none, is not its choice.

    Example: metrics = "nDCG@[5, 10]"; not metrics = ["nDCG@10", "P@10"].
    """

    key = "HO313"
    title = "Only one metric"
    severity = "advice"
    stage = "metrics"
    references = ("canamares2020", "valcarce2018")
    explanation = """
One metric sees one property of a list. Metrics order the same systems differently: which one is chosen is a decision
like any other, and the result may depend on it (Cañamares, Castells and Moffat 2020; Valcarce, Bellogín, Parapar and
Castells 2018). Name a second one that suits the task, such as precision beside nDCG, and say beforehand which is the
primary one."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        keys = dict.fromkeys(m.key for m in subject.study.contests)
        if len(keys) == 1 and not subject.names_no_metric:
            (only,) = keys
            depth = subject.within_lists(100)
            second = {"P": f"nDCG(gain=binary)@{depth}", "RMSE": "MAE"}.get(only, f"P@{depth}")
            yield self.finding(f"{only} is the only metric", subject.add("metrics", second))
