"""HO415: tuned systems against untuned ones."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject


class UnequalTuning(Rule):
    """Some systems were tuned and others, which could be, were not.

    Assumes: a system could be tuned where its recommender declares ranges; parameters written by hand are not known to come
    from a search.

    Example: { tuned = "tuned/slim" } beside "UserKNN".
    """

    key = "HO415"
    title = "Some systems are tuned and others are not"
    severity = "warning"
    stage = "recommend"
    references = ("ferraridacrema2019",)
    explanation = """
A system whose parameters were searched for is compared with systems at their defaults. Part of its lead is the
search's; tuned baselines have undone many published gains (Ferrari Dacrema, Cremonesi and Jannach 2019). Tune all
systems that have parameters with the same number of trials on the same validation part: `heldout tune`."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        systems = subject.study.recommend
        tuned = [s.name for s in systems if s.tuning is not None]
        left = [s for s in systems if s.tuning is None and type(s.recommender).ranges]
        if tuned and left:
            message = f"{', '.join(tuned)} was tuned, {', '.join(s.name for s in left)} was not"
            yield self.finding(message, f"tune all with as many trials: heldout tune --model {left[0].recommender.key}")
