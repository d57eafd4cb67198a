"""An undefined value leaves the average."""

from __future__ import annotations

from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.tables.arrays import Float64


class SkipUndefined(UndefinedRule):
    """A user whose value is undefined leaves the average and the tests, and is counted.

    Assumes: the users left are those one wants to speak of.

    Example: 0.5, undefined, 1 average to 1.5 / 2 = 0.75 over 2 users.
    """

    key = "skip"

    def apply(self, values: Float64) -> Float64:
        """The values as they are; whoever averages leaves NaN out."""
        return values

    def phrase(self) -> str:
        return "users for whom a metric is undefined were left out"
