"""HO301: bpref is constant where a list holds one relevant item."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject


class BprefOfSingleLists(Rule):
    """bpref is measured in lists of one relevant item, where it is constant.

    Assumes: such lists hold no judged non-relevant item.

    Example: target = "OnePlusRandom(99)" with bpref.
    """

    key = "HO301"
    severity = "error"
    stage = "measure"
    references = ("buckley2004",)

    def review(self, subject: Subject) -> Iterator[Finding]:
        if not any(m.key == "bpref" for m in subject.study.measure):
            return
        for target in subject.study.target:
            if target.single:
                yield self.found(f"bpref is constant under {target}", "replace bpref by RR or nDCG@10")
