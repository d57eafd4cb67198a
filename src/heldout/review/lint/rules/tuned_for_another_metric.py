"""HO419: parameters were chosen for a metric that is not reported."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject


class TunedForAnotherMetric(Rule):
    """A system was tuned for a metric that the study does not report.

    Assumes: a metric is another one if its gain, cut-off or any other parameter differs.

    Example: tuned for nDCG@10, whose gain is the rating, and measured by nDCG(gain=binary)@10.
    """

    key = "HO419"
    title = "Tuned for a metric that is not reported"
    severity = "warning"
    stage = "metrics"
    references = ("gunawardana2009",)
    explanation = """
Parameters that are best for one metric need not be best for another, not even for the same name with another gain or
cut-off: `nDCG@10` takes ratings as gains, `nDCG(gain=binary)@10` relevance. A system that was tuned for something else than
what is reported is shown below its best, and one that was tuned for it has an advantage. Tune all systems for the first
metric of the study."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        measured = [str(metric) for metric in subject.study.metrics]
        tuned = [(s.name, s.tuning.metric) for s in subject.study.recommend if s.tuning is not None and s.tuning.metric]
        for target in dict.fromkeys(metric for _, metric in tuned if metric not in measured):
            systems = ", ".join(name for name, metric in tuned if metric == target)
            message = (
                f"{systems}: parameters were chosen for {target}, which is not measured; the first metric is {measured[0]}"
            )
            yield self.finding(message, f'tune again for what is reported: heldout tune … --metric "{measured[0]}"')
