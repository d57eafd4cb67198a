"""HO314: one cut-off."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.metrics.measuring import depth_of
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject
from heldout.review.lint.rules.shallow_cut_off import DEEP


class OneCutOff(Rule):
    """All metrics look at the same depth.

    Assumes: a list of fixed length is a reason to; a metric without cut-off looks at another depth. A shallow cut-off is
    told of by HO308. The default metric, which a study has that names none, is not its choice.

    Example: metrics = ["nDCG@10", "P@10"]; not metrics = "nDCG@[10, 100]".
    """

    key = "HO314"
    title = "Only one cut-off"
    severity = "advice"
    stage = "metrics"
    references = ("canamares2020", "valcarce2018")
    explanation = """
All metrics look equally deep. Which of two systems is better can change with the depth (Cañamares, Castells and Moffat
2020, section on evaluation depth), and a single arbitrary n hides it. Cut-offs cost next to nothing: `metrics =
"nDCG@[5, 10, 50, 100]"`."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        if subject.names_no_metric:
            return
        whole = any(depth_of(m) is None for m in subject.ranked)
        if len(subject.depths) == 1 and subject.depths[0] >= DEEP and not whole and subject.study.task != "fixed_list":
            at = subject.depths[0]
            first = str(next(m for m in subject.ranked if depth_of(m) == at)).rsplit("@", 1)[0]
            depths = sorted({subject.within_lists(depth) for depth in (5, 10, 50, 100)})
            change = subject.deeper(depths) or f"replace {first}@{at} by {first}@{depths}"
            yield self.finding(f"All metrics look at the first {at} places", change)
