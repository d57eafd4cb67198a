"""Metrics that give a system one value."""

from __future__ import annotations

from heldout.aggregations.aggregation import Aggregation, mean_of
from heldout.tables.arrays import Float64


class OfSystem(Aggregation):
    """The value of the system, which every user was given; not named by users of Heldout, and no test answers for it.

    Assumes: users of different folds were given the values of their folds, whose mean is taken.

    Example: item coverage of 0.3, given to each of 100 users, is 0.3.
    """

    compared_by = ()
    weighable = True
    is_mean = True
    by_user = True

    def __str__(self) -> str:
        return "a metric of whole systems"

    def aggregate(self, values: Float64, weights: Float64 | None = None) -> Float64:
        """The mean over users, whatever they weigh."""
        return mean_of(values)


OF_SYSTEM = OfSystem()
