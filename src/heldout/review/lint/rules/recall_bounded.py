"""HO310: recall at a cut-off that most users' relevant items exceed."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.metrics.measuring import depth_of
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject
from heldout.study.choices import grouped

ENOUGH = 50
"""Cut-offs from which few users have more relevant test items."""


class RecallBounded(Rule):
    """Recall at a small cut-off cannot reach 1 for users with more relevant items, and libraries define it differently.

    Assumes: lists of one relevant item are free of it; beside a first metric of another kind it decides nothing.

    Example: a user with 40 relevant test items has at most Recall@10 = 0.25, while RecallCapped@10 reaches 1.
    """

    key = "HO310"
    title = "Recall that cannot reach 1"
    severity = "advice"
    stage = "metrics"
    references = ("gunawardana2009",)
    explanation = """
Recall at n divides by the user's R relevant test items, so it cannot exceed n/R for users who have more than n; several
libraries report min(n, R) in the denominator under the same name (LensKit; see the page on other libraries). With small
n the value mirrors how active users are. Say which one it is: `Recall@n` divides by R, `RecallCapped@n` by min(n, R)."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        if all(t.single for t in subject.study.target):
            return
        recalls = [m for m in subject.ranked if m.capped]
        small = [m for m in recalls if (depth_of(m) or ENOUGH) < ENOUGH]
        if small and subject.ranked[0] in small:
            depth, deep = depth_of(small[0]), [m for m in recalls if m not in small and depth_of(m)]
            message = f"{grouped(small)} {'divides' if len(small) == 1 else 'divide'} by all relevant items"
            message += f", of which {depth} places may hold few"
            message += f"; {grouped(deep)} too, where a user has still more of them" if deep else ""
            by = f"min({depth if len(small) == 1 else 'n'}, R)"
            capped = grouped(small).replace(small[0].key, small[0].capped)
            yield self.finding(message, f"say so, or replace {grouped(small)} by {capped}, which divides by {by}")
