"""One metric of all systems, users aligned: what an aggregation starts from, and what comparing goes on with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from heldout.errors import InputError, SpecError, UnknownNameError
from heldout.tables.arrays import Bool, Float64, Int64

if TYPE_CHECKING:
    from heldout.aggregations.aggregation import Aggregation


@dataclass(frozen=True, eq=False, kw_only=True)
class UserValues:
    """Systems × users after the rules for undefined values and uncovered users, and all that may weigh on them."""

    systems: tuple[str, ...]
    values: Float64
    """Systems × users; NaN is a user to skip."""
    included: Bool
    """Systems × users: whom the coverage rule averages."""
    by: Aggregation
    """What makes one number of a row, and says which tests answer for it."""
    weights: Float64 | None = None
    """One number per user; None where all weigh alike. With `contributions` it may be systems × users."""
    contributions: bool = False
    """Whether weights multiply the values that are tested (a ratio of sums) instead of weighing the users."""
    totals: Float64 | None = None
    """The aggregated value of each system, where it is of all systems at once and not of the system's row alone."""
    counts: Mapping[str, Float64] = field(default_factory=dict)
    """What users may be weighed by: test, relevant and train ratings, or a column of a table of users."""
    denominator: Float64 | None = None
    """Systems × users, or users alone: what the metric divides by; None where it is no ratio of sums."""
    pool: str = ""
    """"sum" where the metric's numerators add up over users, "square" where those of its square do."""
    baseline: str | None = None
    """The system that others are compared with, where the comparison names one."""
    higher_is_better: bool = True

    def weights_of(self, system: int, users: Bool) -> Float64 | None:
        """What these users weigh in one system's average; None where all weigh alike."""
        return weights_of(self.weights, system, users)

    def of_rows(self, rows: slice) -> UserValues:
        """The values of some users, prepared already."""
        return replace(
            self,
            values=self.values[:, rows],
            included=self.included[:, rows],
            weights=None if self.weights is None else self.weights[..., rows],
            counts={},
            denominator=None,
        )

    @property
    def kept(self) -> Bool:
        """Systems × users: who stands behind each system's number."""
        return self.included & ~np.isnan(self.values)

    @property
    def common(self) -> Bool:
        """The users that every system is averaged on."""
        shared: Bool = np.logical_and.reduce(self.kept)
        return shared

    def row_of(self, system: str, role: str) -> int:
        """The row of a system; UnknownNameError suggests near ones."""
        if system not in self.systems:
            raise UnknownNameError(role, system, self.systems)
        return self.systems.index(system)

    def named_baseline(self, named: str | None, owner: object) -> int:
        """The row of the baseline that an aggregation or, failing that, the comparison names."""
        name = named or self.baseline
        if name is None:
            raise SpecError(
                "needs a baseline",
                where=str(owner),
                hint=f"name one of the systems: {owner}(baseline=…), or a baseline under compare",
            )
        return self.row_of(name, "baseline")

    def weighed_by(self, name: str) -> Float64:
        """The users' weights of this name, checked."""
        if name not in self.counts:
            raise UnknownNameError("weight", name, self.counts)
        weights = np.asarray(self.counts[name], dtype=np.float64)
        if np.isnan(weights).any():
            raise InputError(
                f"{int(np.isnan(weights).sum()):,} users have no weight",
                column=name,
                expected="a weight for every tested user",
                hint="pass the training set to weigh by train, or a table with every tested user",
            )
        return weights


def weights_of(weights: Float64 | None, system: int, users: Bool | Int64) -> Float64 | None:
    """The weights of users in one system's average, from one number per user or systems × users."""
    if weights is None:
        return None
    own: Float64 = (weights[system] if weights.ndim == 2 else weights)[users]
    return own
