"""Relevant from a rating on."""

from __future__ import annotations

from heldout.catalogue import REQUIRED, param
from heldout.tables.arrays import Bool, Float64, Int64
from heldout.targets.relevance_rule import RelevanceRule


class Threshold(RelevanceRule):
    """A test rating counts as relevant when it is at least τ.

    Assumes: ratings of all users mean the same. 4 is usual on a scale of 1 to 5; for counts and clicks take 1.

    Example: of the ratings 3, 4 and 5, threshold(4) takes the last two.
    """

    key = "threshold"
    references = ("canamares2020", "bellogin2011")
    formula = "rel(u, i) ⇔ r(u, i) ≥ τ"

    tau: float = param(REQUIRED, "the least rating that is relevant", also=("τ", "threshold"))

    @property
    def least(self) -> float:
        return self.tau

    def relevant(self, grade: Float64, indptr: Int64) -> Bool:
        return grade >= self.tau

    def phrase(self) -> str:
        return f"a test rating of at least {self.tau:g} counted as relevant"
