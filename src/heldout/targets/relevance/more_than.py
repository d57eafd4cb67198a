"""Relevant above a count."""

from __future__ import annotations

from heldout.catalogue import REQUIRED, param
from heldout.tables.arrays import Bool, Float64, Int64
from heldout.targets.relevance_rule import RelevanceRule


class MoreThan(RelevanceRule):
    """A test rating counts as relevant when it is above a count: plays, clicks, purchases.

    Assumes: the values are counts, and the same count means the same for all users.

    Example: of artists played 1, 2 and 3 times, more_than(2) takes the last.
    """

    key = "more_than"
    references = ("bellogin2017",)
    formula = "rel(u, i) ⇔ r(u, i) > c"

    count: float = param(REQUIRED, "the count that must be exceeded")

    @property
    def least(self) -> float:
        return self.count

    def relevant(self, grade: Float64, indptr: Int64) -> Bool:
        return grade > self.count

    def phrase(self) -> str:
        return f"a test value above {self.count:g} counted as relevant"
