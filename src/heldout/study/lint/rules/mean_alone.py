"""HO601: the mean alone."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.study.lint.finding import Finding
from heldout.study.lint.rule import Rule
from heldout.study.lint.subject import Subject


class MeanAlone(Rule):
    """Users become one number by the plain mean alone.

    Assumes: any second aggregation settles it; metrics of whole systems have none.

    Example: aggregate = "mean"; not aggregate = ["mean", "gmean"].
    """

    key = "HO601"
    severity = "advice"
    stage = "aggregate"
    references = ("canamares2020", "robertson2006")

    def review(self, subject: Subject) -> Iterator[Finding]:
        plain = [str(a) for a in subject.study.all_aggregations]
        if plain == ["mean"] and any(m.per_user for m in subject.ranked):
            yield self.found(
                "only the plain mean is taken, which hides how values are spread", subject.add("aggregate", "gmean")
            )
