"""HO208: the relevance rule makes none or all of the ratings relevant."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from heldout.review.lint.evidence import DataCounts
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject
from heldout.targets.relevance.by_scale import guess_relevance
from heldout.targets.relevance_rule import RelevanceRule


class RelevanceOutsideScale(Rule):
    """The relevance rule lies outside the scale of the ratings.

    Assumes: only thresholds and counts can; what a filter does to the scale is known from its name, the rest from results.
    That every count is relevant, as `by_scale` takes it, is no finding.

    Example: threshold(4) after binarise(4), whose ratings are 0 and 1, makes nothing relevant.
    """

    key = "HO208"
    title = "The relevance rule does not fit the ratings"
    severity = "error"
    stage = "relevance"
    references = ("bellogin2017",)
    from_results = "whether the relevance rule lies within the scale of the ratings"
    explanation = """
Under the rule no rating, or every rating, is relevant. With none there is nothing to find and every value is 0 or
undefined; with all of them a disliked item counts as found, and precision measures only whether an item was rated. Look
at the distribution of ratings (`heldout data describe`) and set the threshold within the scale, or keep all ratings as
relevant on purpose and say so, as for clicks and purchases."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        study = subject.study
        for rule, stated_by in study.relevance_rules().items():
            least = rule.least
            if least is None or not subject.ranked:
                continue
            yield from self._by_filter(subject, rule, stated_by, least)
            for data in subject.evidence.data if subject.evidence is not None else ():
                yield from self._by_data(subject, rule, stated_by, least, data)

    def _by_filter(self, subject: Subject, rule: RelevanceRule, stated_by: str, least: float) -> Iterator[Finding]:
        binarising = next((f for chain in subject.study.filters for f in chain if f.binary), None)
        if least > 1 and binarising is not None:
            message = f"{rule} makes nothing relevant once {binarising.key} has turned ratings into 0 and 1"
            yield self.finding(message, _replaced(subject, stated_by, "threshold(1)"))

    def _by_data(
        self, subject: Subject, rule: RelevanceRule, stated_by: str, least: float, data: DataCounts
    ) -> Iterator[Finding]:
        extremes = data.extremes()
        if extremes is None:
            return
        low, high = extremes
        if high < least:
            message = f"No rating of {data.name} is relevant under {rule}: the highest is {high:g}"
            yield self.finding(message, _replaced(subject, stated_by, f"threshold({high:g})"))
        elif low >= least and low < high and data.filter == "none" and not _usual(rule, data.rated()):
            message = f"Every rating of {data.name} is relevant under {rule}: the lowest is {low:g}"
            change = f"choose a threshold above {low:g}, or say that any rating counts as relevant"
            yield self.finding(message, change, severity="warning")


def _replaced(subject: Subject, stated_by: str, rule: str) -> str:
    """What to change: the study's rule, or the target that states another one."""
    if stated_by:
        return f"leave out relevance in {stated_by}, which then follows the study's rule, or state {rule} there"
    return subject.replace("relevance", rule)


def _usual(rule: RelevanceRule, rated: list[tuple[float, int]]) -> bool:
    """Whether the scale itself suggests the rule: any play or purchase counts."""
    values, counts = zip(*rated, strict=True)
    return guess_relevance(np.repeat(values, counts)).rule == rule
