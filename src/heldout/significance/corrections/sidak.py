"""Šidák's correction."""

from __future__ import annotations

import numpy as np

from heldout.significance.corrections.family import over_family
from heldout.significance.significance_test import Correction
from heldout.tables.arrays import Float64


class Sidak(Correction):
    """The chance that the least of N independent p-values is this small; the level becomes 1 − (1 − α)^(1/N).

    Assumes: independent comparisons, or such as err on the safe side. Gunawardana & Shani call this level Bonferroni's.

    Example: of two comparisons, 0.05 becomes 1 − 0.95² = 0.0975.
    """

    key = "sidak"
    formula = "1 − (1 − p)^N"
    references = ("sidak1967", "gunawardana2009")

    def adjust(self, p: Float64) -> Float64:
        """1 − (1 − p)^N, without loss of digits for small p."""
        return over_family(p, _adjust)

    def phrase(self) -> str:
        return "were corrected for the number of comparisons by Šidák's procedure"


def _adjust(p: Float64) -> Float64:
    adjusted = np.ones(len(p))
    adjusted[p < 1] = -np.expm1(len(p) * np.log1p(-p[p < 1]))
    return adjusted
