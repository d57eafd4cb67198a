"""HO315: counts are taken as gains."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.experiment.metric_notices import growing_gain
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject
from heldout.text.phrases import listed


class CountsAsGains(Rule):
    """A metric takes counts of plays, purchases or clicks as gains.

    Assumes: values are counts if the highest is more than 10 times their median, or above 100. They also are if a reader
    declares them as counts (`lastfm`, `tafeng`), or if `duplicates(keep=sum)` adds up repeated rows. This is known without
    results. Gains written as a table are not meant.

    Example: nDCG@10 of play counts up to 324,663: one artist decides what a user's whole list is worth.
    """

    key = "HO315"
    title = "Counts are taken as gains"
    severity = "warning"
    stage = "metrics"
    references = ("jarvelin2002",)
    change = "use gain=binary, or turn counts into ratings with the filter playcounts_to_ratings"
    from_results = "whether values that metrics take as gains are counts"
    explanation = """
A linear gain is the rating itself, and exponential gains double with it. Both are made for a few grades. Of play counts or
quantities, the few items that a user played most make up nearly the whole ideal list, and the metric measures whether these
are at the top. Other libraries count a play as 1. Use `gain=binary`, a table of gains, or turn counts into ratings first
(`filters = [["playcounts_to_ratings"]]`). Exponential gains refuse values above 30."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        taking = [metric for metric in subject.study.metrics if growing_gain(metric) is not None]
        if not taking:
            return
        change = "replace " + ", ".join(f"{metric} by {metric.replace(gain='binary')}" for metric in taking)
        if subject.evidence is not None:
            for notice in subject.noticed(self.key):
                yield self.finding(notice.message, change)
        elif source := subject.counts_source:
            named = listed([str(metric) for metric in taking])
            verb = "takes" if len(taking) == 1 else "take"
            yield self.finding(f"{named} {verb} counts ({source}) as gains", change)
