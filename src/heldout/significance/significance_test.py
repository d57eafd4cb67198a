"""What a significance test is: paired columns in, two-sided p-values out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from heldout.aggregations.aggregation import Aggregation, Comparison
from heldout.catalogue import Component
from heldout.errors import NotApplicableError
from heldout.tables.arrays import Float64, Int64

if TYPE_CHECKING:
    from heldout.significance.effect import Effects

ANSWERS = {"means": "t, permutation, bootstrap", "ranks": "wilcoxon, sign"}
"""Tests of either kind, as hints name them."""
MIRRORED = {"better": "worse", "worse": "better"}
"""Figures of a pair (a, b) that change names when it is seen as (b, a)."""
NON_ZERO = "non_zero"
"""Figure of a pair: the number of users with a non-zero difference. All other figures are shares."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Layout:
    """What a test of all systems at once says of them together."""

    statistic: float
    name: str
    """What the statistic is called, with its degrees of freedom."""
    p: float
    """That no system differs from another."""
    places: Float64
    """Where each system stands: its mean rank (1 the best), or its mean."""
    scale: str
    """What places are: "mean rank" or "mean"."""
    critical: float
    """Two systems whose places differ by less are not told apart at the level."""
    users: int


class Test(Component, kind="test"):
    """Tests whether paired per-user values differ."""

    __test__ = False  # pytest must not collect it

    compares: ClassVar[Comparison] = "means"
    """What it is about; an aggregation names in `compared_by` the tests that answer for it."""
    weighable: ClassVar[bool] = False
    """Whether users may weigh differently."""
    has_p: ClassVar[bool] = True
    """Whether it gives p-values; one that does not gives `figures` instead, and p is NaN."""
    by_groups: ClassVar[bool] = False
    """Whether groups of users are flipped or drawn where users are more than one block: `p_of_groups` gives p then."""
    all_at_once: ClassVar[bool] = False
    """Whether it takes all systems of a setting together: its p-values hold for the whole family, and are not corrected."""

    @property
    def one_sided(self) -> bool:
        """Whether p is of one direction only, first above second or below."""
        return False

    @abstractmethod
    def p_values(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Float64:
        """Two-sided p of each pair (a, b) of columns: users × columns without NaN, pairs × 2.

        All pairs share whatever is drawn at random, so many systems and metrics cost little more than one. `weights`
        has one number per user and is given only to tests that are `weighable`. A test that is `all_at_once` is given
        the columns of one setting and no others.
        """

    def p_of_effects(self, effects: Effects) -> Float64 | None:
        """The same p from the mean, spread and signs of the differences; None where a test needs the values themselves.

        These are worked out for every pair anyway, so that such a test costs nothing more.
        """
        return None

    def p_of_groups(self, sums: Float64, counts: Float64, *, seed: int) -> Float64:
        """The p of every pair from sums over groups of users: pairs × groups of differences, and the users of each group."""
        raise NotImplementedError

    def figures(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Mapping[str, Float64]:
        """Further numbers of each pair, by name: shares, or the number of users that are `NON_ZERO`.

        A test without p-values gives these instead of p.
        """
        return {}

    def layout(self, columns: Float64, *, level: float, higher_is_better: bool = True) -> Layout | None:
        """What a test that is `all_at_once` says of all columns together."""
        return None

    def refuse_weights(self, weights: Float64 | None) -> None:
        """Refuse weights; what a test that is not `weighable` does first."""
        if weights is not None:
            raise NotApplicableError("takes no weights", where=str(self), hint="use t or permutation, or average by user")

    def refusal(self, aggregation: Aggregation, *, weighted: bool = False) -> str:
        """Why this test does not answer for that aggregation; empty when it does.

        |                               | t, permutation | bootstrap, tukey   | wilcoxon, sign, friedman, bayes |
        |                               | ("means")      | ("means")          | ("ranks")                       |
        |-------------------------------|----------------|--------------------|---------------------------------|
        | mean, gmean, urisk,           | yes, on        | yes, on            | yes                             |
        | standardised, pooled          | `transform`    | `transform`        |                                 |
        | mean(weight=…), by rating     | yes            | no: knows no weight| no: ranks do not weigh          |
        | median, trimmed               | no             | no                 | yes                             |
        | trisk, zrisk, georisk         | no             | no                 | no                              |

        `subsampled` answers where the test it repeats does.
        """
        if not aggregation.compared_by:
            return f"no test answers for {aggregation}"
        if self.compares not in aggregation.compared_by:
            return f"{self} compares {self.compares}, and {aggregation} does not"
        if weighted and not self.weighable:
            return f"{self} takes no weights, and these users have different weights"
        return ""

    def check_applicable(self, aggregation: Aggregation, *, weighted: bool = False) -> None:
        """Refuse an aggregation that this test does not answer for."""
        reason = self.refusal(aggregation, weighted=weighted)
        if reason:
            fitting = " or ".join(ANSWERS[c] for c in aggregation.compared_by if c == "means" or not weighted)
            fitting = "t, permutation" if weighted else fitting
            raise NotApplicableError(reason, hint=f"use {fitting}" if fitting else "use another aggregation")


class Correction(Component, kind="correction"):
    """Adjusts the p-values of a family of comparisons."""

    corrects: ClassVar[bool] = True
    """Whether p-values change at all."""

    @abstractmethod
    def adjust(self, p: Float64) -> Float64:
        """Adjusted p-values, in the order given; NaN stays NaN and is not counted in the family."""


def no_p(pairs: Int64) -> Float64:
    """NaN for every pair: what a test without p-values gives in their place."""
    return np.full(len(pairs), np.nan)
