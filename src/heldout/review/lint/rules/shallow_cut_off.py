"""HO308: no metric looks below a few places."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Metric
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject
from heldout.text.numbers import number

DEEP = 50
"""Cut-offs from here on discriminate consistently better (Valcarce and others 2018, section 6)."""


class ShallowCutOff(Rule):
    """No metric looks deeper than the first few places.

    Assumes: a list of fixed length is a reason to look no deeper; metrics without a cut-off look at the whole list. The
    recommended cut-off is within the lists of runs made elsewhere. The default metric, which a study has that names none,
    is not its choice.

    Example: nDCG@10 alone, or with P@20; not nDCG@[10, 100].
    """

    key = "HO308"
    title = "Shallow cut-off"
    severity = "advice"
    stage = "metrics"
    references = ("valcarce2018",)
    explanation = """
No metric looks below a few places. Deeper cut-offs order systems nearly as shallow ones do, and are more robust to
missing and popular ratings and tell more pairs of systems apart: Valcarce, Bellogín, Parapar and Castells (2018,
section 6) find 100 better than 5 or 10, even though users see few items. Unless a list of fixed length is the task, add
the same metrics at 50 or 100."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        whole = any(depth_of(m) is None for m in subject.ranked)
        meant = subject.names_no_metric or whole or subject.study.task == "fixed_list"
        if meant or not subject.depths or subject.depths[-1] >= DEEP:
            return
        deepest = subject.depths[-1]
        first = next(m for m in subject.ranked if depth_of(m) == deepest)
        depth = subject.within_lists(100)
        if depth > deepest:
            added = f"{str(first).rsplit('@', 1)[0]}@{depth}"
            change = subject.deeper([*subject.depths, depth]) or subject.add("metrics", added)
        else:
            change = f"judge runs with longer lists: these end at rank {depth}"
        yield self.finding(f"No metric looks below rank {deepest}{_tried(subject, first)}", change)


def _tried(subject: Subject, metric: Metric) -> str:
    """What a trial on the same data says of this depth and of the greatest."""
    here = subject.tried(str(metric))
    deepest = subject.tried_deepest(str(metric).rsplit("@", 1)[0])
    if here is None or deepest is None or deepest == here:
        return ""
    figures = [f"{row.metric} mean p {number(row.mean_p, 3)}, τ {number(row.missing_tau, 2)}" for row in (here, deepest)]
    return f"; in a trial on the same data (τ with test ratings missing): {'; '.join(figures)}"
