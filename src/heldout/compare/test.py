"""What a significance test is: paired columns in, two-sided p-values out."""

from __future__ import annotations

from abc import abstractmethod

from heldout.catalogue import Component
from heldout.tables.arrays import Float64, Int64


class Test(Component, kind="test"):
    """Tests whether paired per-user values differ."""

    __test__ = False  # pytest must not collect it

    @abstractmethod
    def p_values(self, columns: Float64, pairs: Int64, *, seed: int) -> Float64:
        """Two-sided p of each pair (a, b) of columns: users × columns without NaN, pairs × 2.

        All pairs share whatever is drawn at random, so many systems and metrics cost little more than one.
        """


class Correction(Component, kind="correction"):
    """Adjusts the p-values of a family of comparisons."""

    @abstractmethod
    def adjust(self, p: Float64) -> Float64:
        """Adjusted p-values, in the order given; NaN stays NaN and is not counted in the family."""
