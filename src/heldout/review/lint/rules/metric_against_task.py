"""HO306: the metric answers another question than the declared task."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding, Severity
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject, grouped

SUITED = {
    "predict_ratings": ("RMSE", "MAE"),
    "some_good_items": ("P@10", "nDCG(gain=binary)@10"),
    "all_good_items": ("Recall@100", "AUC"),
    "utility": ("HLU(half_life=5)", "Utility@10"),
    "fixed_list": ("P@10", "HitRate@10"),
}
"""What Gunawardana and Shani's section 5 would have measured."""


class MetricAgainstTask(Rule):
    """A metric does not measure what the declared task asks for.

    Assumes: each metric declares the tasks it suits; diagnostics and metrics beyond accuracy are for any task. An error
    where none of the metrics suits, a warning where the first one does not; further ones may answer other questions.

    Example: task = "all_good_items" with P@10 alone; not task = "some_good_items" with P@10.
    """

    key = "HO306"
    severity = "error"
    stage = "measure"
    references = ("gunawardana2009",)

    def review(self, subject: Subject) -> Iterator[Finding]:
        task = subject.study.task
        asked = [m for m in subject.study.measure if m.tasks]
        unfit = [m for m in asked if task not in m.tasks]
        if not unfit or unfit[0] != asked[0]:
            return
        severity: Severity = self.severity if len(unfit) == len(asked) else "warning"
        does = "does" if len(unfit) == 1 else "do"
        told = f"{grouped(unfit)} {does} not measure the task {task}"
        # What is measured and suits is what can be concluded from; where nothing does, it must be measured first.
        meant = f"conclude from {grouped(m for m in asked if task in m.tasks)}"
        if severity == "error":
            meant = f'declare task = "{unfit[0].tasks[0]}", or measure {", ".join(SUITED[task])}'
        yield self.found(told, meant, severity=severity)
