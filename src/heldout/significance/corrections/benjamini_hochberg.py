"""The correction of Benjamini and Hochberg."""

from __future__ import annotations

import numpy as np

from heldout.significance.corrections.family import over_family
from heldout.significance.significance_test import Correction
from heldout.tables.arrays import Float64


class BenjaminiHochberg(Correction):
    """Holds the expected share of false rejections among the rejections, not the chance of any, below the level.

    Assumes: independent or positively dependent comparisons.

    Example: 0.01, 0.04, 0.03 become 0.03, 0.04, 0.04: 3/3·0.04, then the lesser of 3/2·0.03 and 0.04, then 3/1·0.01.
    """

    key = "benjamini_hochberg"
    aliases = ("fdr",)
    formula = "min_{j ≥ i} (N/j) p_(j)"
    references = ("benjamini1995",)

    def adjust(self, p: Float64) -> Float64:
        """Step-up adjusted p."""
        return over_family(p, _adjust)

    def phrase(self) -> str:
        return "were adjusted by Benjamini and Hochberg's procedure, which bounds the false discovery rate"


def _adjust(p: Float64) -> Float64:
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    scaled = p[order] * len(p) / np.arange(1, len(p) + 1)
    adjusted[order] = np.minimum.accumulate(scaled[::-1])[::-1]
    return adjusted
