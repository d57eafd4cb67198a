"""The mean over users."""

from __future__ import annotations

from heldout.aggregate.aggregation import Aggregation, mean_of
from heldout.tables.arrays import Float64


class Mean(Aggregation):
    """The arithmetic mean over users.

    Assumes: every user counts alike, except where lists are averaged by rating; then a user weighs as many lists as
    they have, Σ w·x / Σ w.

    Example: 0.2, 0.4 and 0.9 give 0.5; with weights 1, 1 and 2 they give (0.2 + 0.4 + 1.8) / 4 = 0.6.
    """

    key = "mean"
    formula = "(1/n) Σ_u x_u"
    compared_by = ("means", "ranks")
    weighable = True

    def aggregate(self, values: Float64, weights: Float64 | None = None) -> Float64:
        """The mean of each column."""
        return mean_of(values, weights)
