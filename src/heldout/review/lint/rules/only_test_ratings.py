"""HO202: only the user's own test items compete."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding, Severity
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject


class OnlyTestRatings(Rule):
    """Only the user's own test items are ranked, which overestimates what lists are worth.

    Assumes: an error where it is the only target of a ranking task, advice beside others or where ratings are predicted;
    nothing where rating errors alone are measured, since no list is.

    Example: target = "TestRatings" with nDCG@10; not target = ["AllItems", "TestRatings"] as the only finding.
    """

    key = "HO202"
    severity = "error"
    stage = "target"
    references = ("bellogin2011", "steck2013", "canamares2020")

    def review(self, subject: Subject) -> Iterator[Finding]:
        targets = subject.study.target
        own = [t for t in targets if t.form.own]
        if not subject.ranked:
            return
        alone = len(own) == len(targets) and subject.study.task != "predict_ratings"
        severity: Severity = "error" if alone else "advice"
        for target in own:
            change = f"conclude from the full ranking, not from {target}"
            if alone:
                change = subject.replace("target", ["AllItems", *map(str, targets)])
            yield self.found(f"under {target} only the user's own test items compete", change, severity=severity)
