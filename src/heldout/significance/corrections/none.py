"""No correction."""

from __future__ import annotations

from heldout.significance.corrections.family import over_family
from heldout.significance.significance_test import Correction
from heldout.tables.arrays import Float64


class NoCorrection(Correction):
    """p-values as they are.

    Assumes: one comparison. Of ten looks at level 0.05 under the null, at least one rejects with probability
    1 − 0.95¹⁰ = 0.40.

    Example: 0.01, 0.04 stay 0.01, 0.04.
    """

    key = "none"
    corrects = False
    references = ("gunawardana2009",)

    def adjust(self, p: Float64) -> Float64:
        """The same p-values."""
        return over_family(p, lambda family: family)

    def phrase(self) -> str:
        return "were not corrected for the number of comparisons"
