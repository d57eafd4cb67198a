"""What a significance test is: paired columns in, two-sided p-values out."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from heldout.aggregate.aggregation import Aggregation, Comparison
from heldout.catalogue import Component
from heldout.errors import NotApplicableError
from heldout.tables.arrays import Float64, Int64


class Test(Component, kind="test"):
    """Tests whether paired per-user values differ."""

    __test__ = False  # pytest must not collect it

    compares: ClassVar[Comparison] = "means"
    """What it is about; an aggregation names in `compared_by` the tests that answer for it."""
    weighable: ClassVar[bool] = False
    """Whether users may weigh differently."""

    @abstractmethod
    def p_values(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Float64:
        """Two-sided p of each pair (a, b) of columns: users × columns without NaN, pairs × 2.

        All pairs share whatever is drawn at random, so many systems and metrics cost little more than one. `weights`
        has one number per user and is given only to tests that are `weighable`.
        """

    def refuse_weights(self, weights: Float64 | None) -> None:
        """Refuse weights; what a test that is not `weighable` does first."""
        if weights is not None:
            raise NotApplicableError(f"{self} knows no weights", hint="use t or permutation, or average by user")

    def refusal(self, aggregation: Aggregation, *, weighted: bool = False) -> str:
        """Why this test does not answer for that aggregation; empty when it does.

        |                          | t, permutation ("means") | wilcoxon, sign ("ranks") |
        |--------------------------|--------------------------|--------------------------|
        | mean, gmean              | yes, on `transform`      | yes                      |
        | mean, gmean, weighted    | yes                      | no: ranks do not weigh   |
        | median, trimmed          | no                       | yes                      |
        """
        if self.compares not in aggregation.compared_by:
            return f"{self} compares {self.compares}, which say nothing of {aggregation}"
        if weighted and not self.weighable:
            return f"{self} knows no weights, and these lists are averaged by rating"
        return ""

    def check_applicable(self, aggregation: Aggregation, *, weighted: bool = False) -> None:
        """Refuse an aggregation that this test does not answer for."""
        reason = self.refusal(aggregation, weighted=weighted)
        if reason:
            fitting = " or ".join(
                {"means": "t, permutation", "ranks": "wilcoxon, sign"}[c]
                for c in aggregation.compared_by
                if c == "means" or not weighted
            )
            raise NotApplicableError(reason, hint=f"use {fitting}" if fitting else "use another aggregation")


class Correction(Component, kind="correction"):
    """Adjusts the p-values of a family of comparisons."""

    @abstractmethod
    def adjust(self, p: Float64) -> Float64:
        """Adjusted p-values, in the order given; NaN stays NaN and is not counted in the family."""
