"""HO204: a cut-off read off a small sample."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject

SHARE = 0.05
"""A cut-off above this share of the list is not the top of anything that a user sees."""


class SampledCutOff(Rule):
    """A cut-off among sampled items stands for a far deeper one in the catalogue.

    Assumes: rank k of N + 1 items stands for about k · items / (N + 1); corrected targets are left alone.

    Example: the top 10 among 99 sampled items is the top tenth of the catalogue: rank 370 of 3,706.
    """

    key = "HO204"
    title = "A cut-off read off a sample"
    severity = "warning"
    stage = "target"
    references = ("krichene2020",)
    from_results = "which depth of the catalogue a cut-off among sampled items stands for"
    explanation = """
Rank k among N sampled items stands for about rank k · (items / N) in the catalogue: the top 10 of 100 is the top tenth
of all items, which no user sees. As the sample gets smaller every metric tends to the area under the ROC curve, and
differences at the top of the list disappear (Krichene and Rendle 2020). Rank all items, correct the estimate
(`corrected=bv(gamma=0.1)`), or sample so many that the cut-off is a small share of the list."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        if not subject.depths:
            return
        for target in subject.study.target:
            length = target.sample_size + 1
            depth = next((d for d in subject.depths if d > SHARE * length), None)
            if target.sample_size and target.form.corrected is None and depth is not None:
                top = min(1.0, depth / length)
                message = f"The top {depth} among {length} items of {target} is the top {top:.0%} of the catalogue"
                items = max((d.after.get("items", 0) for d in subject.evidence.data), default=0) if subject.evidence else 0
                if items:
                    message += f", about rank {min(items, round(depth * items / length)):,} of {items:,}"
                yield self.finding(message, f"sample at least {round(depth / SHARE):,} items, or rank all of them")
