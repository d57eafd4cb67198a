"""HO206: the tie rule, not the system, orders many items."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.metrics.metric import Metric
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject


class ManyTies(Rule):
    """Many rated items in the lists share their score with another, and a fixed rule orders them.

    Assumes: more than 5 % of the rated items in the top n; ties = "expected" and "random" favour no item.

    Example: Popularity counted over few ratings, ordered by the catalogue.
    """

    key = "HO206"
    title = "Many equal scores"
    severity = "warning"
    stage = "ties"
    references = ("mcsherry2008",)
    from_results = "how many items share their score with another"
    explanation = """
Many items have the score of another, so their order is the tie rule's and not the system's. Under `ties = "item"` it is
the order of the catalogue, the same for all users: what stands early in the file is favoured, and values change when
the file is sorted otherwise. Use `ties = "expected"`, the mean over all orders of equal items, or `random`, and look
for the cause: scores that are rounded, or a system that knows few levels."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        exact = all(type(m).expected is not Metric.expected for m in subject.study.metrics if m.direction != "none")
        for notice in subject.noticed(self.key):
            yield self.finding(notice.message, subject.replace("ties", "expected" if exact else "random(1)"))
