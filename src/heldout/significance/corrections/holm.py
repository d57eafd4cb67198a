"""Holm's correction."""

from __future__ import annotations

import numpy as np

from heldout.significance.corrections.family import over_family
from heldout.significance.significance_test import Correction
from heldout.tables.arrays import Float64


class Holm(Correction):
    """Bonferroni step by step: the least p times N, the next times N − 1, …, never below the one before.

    Assumes: nothing of how comparisons depend on one another; the chance of any false rejection stays below the level.

    Example: 0.01, 0.04, 0.03 become 0.03, 0.06, 0.06: 3·0.01, then 2·0.03, then the greater of 1·0.04 and 0.06.
    """

    key = "holm"
    formula = "max_{j ≤ i} (N − j + 1) p_(j)"
    references = ("holm1979",)

    def adjust(self, p: Float64) -> Float64:
        """Step-down adjusted p."""
        return over_family(p, _adjust)

    def phrase(self) -> str:
        return "were corrected for the number of comparisons by Holm's procedure"


def _adjust(p: Float64) -> Float64:
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return adjusted
