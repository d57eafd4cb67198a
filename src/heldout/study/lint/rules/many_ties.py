"""HO206: the tie rule, not the system, orders many items."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.study.lint.finding import Finding
from heldout.study.lint.rule import Rule
from heldout.study.lint.subject import Subject

MANY = 0.05


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
        for line in subject.measured.lines:
            if (line.tied or 0.0) > MANY and line.choices.get("ties", "").startswith(("item", "trec")):
                worst[line.system] = max(worst.get(line.system, 0.0), line.tied or 0.0)
        if worst:
            told = ", ".join(f"{system} {share:.0%}" for system, share in sorted(worst.items(), key=lambda p: -p[1])[:4])
            yield self.found(
                f"rated items met whose score another item has too: {told}", subject.replace("ties", "expected")
            )
