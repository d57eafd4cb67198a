"""Bonferroni's correction."""

from __future__ import annotations

from heldout.significance.corrections.family import over_family
from heldout.significance.significance_test import Correction
from heldout.tables.arrays import Float64


class Bonferroni(Correction):
    """Each p times the number of comparisons: the chance of any false rejection stays below the level.

    Assumes: nothing of how comparisons depend on one another; `holm` holds the same promise and rejects more.

    Example: 0.01, 0.04, 0.5 become 0.03, 0.12, 1.
    """

    key = "bonferroni"
    formula = "min(1, N·p)"
    references = ("dunn1961",)

    def adjust(self, p: Float64) -> Float64:
        """N·p, at most 1."""
        return over_family(p, lambda family: family * len(family))

    def phrase(self) -> str:
        return "were corrected for the number of comparisons by Bonferroni's procedure"
