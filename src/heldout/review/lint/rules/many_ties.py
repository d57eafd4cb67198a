"""HO206: the tie rule, not the system, orders many items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from heldout.metrics.metric import Metric
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject

MANY_TIED = 0.05
FIXED_ORDERS = ("item", "trec")
"""Tie rules that put the same items first for every user; low ids may be the popular items."""


class ManyTies(Rule):
    """Many rated items in the lists share their score with another, and a fixed rule orders them.

    Assumes: more than 5 % of the rated items in the top n; ties = "expected" and "random" favour no item.

    Example: Popularity counted over few ratings, ordered by the catalogue.
    """

    key = "HO206"
    severity = "warning"
    stage = "ties"
    references = ("mcsherry2008",)
    from_results = "how many items share their score with another"

    def review(self, subject: Subject) -> Iterator[Finding]:
        if subject.measured is None:
            return
        worst: dict[str, float] = {}
        rules: dict[str, None] = {}
        for line in subject.measured.lines:
            rule = line.choices.get("ties", "")
            if (line.tied or 0.0) > MANY_TIED and rule.startswith(FIXED_ORDERS):
                worst[line.system] = max(worst.get(line.system, 0.0), line.tied or 0.0)
                rules[rule] = None
        if worst:
            exact = all(type(m).expected is not Metric.expected for m in subject.study.measure if m.direction != "none")
            yield self.found(tied_message(worst, rules), subject.replace("ties", "expected" if exact else "random(1)"))


def tied_message(shares: Mapping[str, float], rules: Iterable[str]) -> str:
    """A sentence on the systems with the highest shares of tied items, and on the rules that order these."""
    worst = sorted(shares.items(), key=lambda one: -one[1])[:4]
    lists = ", ".join(
        f"{share:.0%} {'in those of' if k else 'of the rated items in the lists of'} {system}"
        for k, (system, share) in enumerate(worst)
    )
    named = " or ".join(f"`{rule}`" for rule in rules)
    return f"scores tie: {lists} share their score with another item, and the tie rule {named} decides their order"
