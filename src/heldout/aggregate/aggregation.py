"""What an aggregation is: the users' values made one number."""

from __future__ import annotations

from abc import abstractmethod

from heldout.catalogue import Component
from heldout.tables.arrays import Float64


class Aggregation(Component, kind="aggregation"):
    """Users → one number for each column."""

    @abstractmethod
    def aggregate(self, values: Float64, weights: Float64 | None = None) -> Float64:
        """Aggregate the rows (users) of each column, NaN rows of a column left out; NaN when none is left.

        `weights` are given for lists averaged by rating: the number of lists each user stands for.
        """

    def transform(self, values: Float64) -> Float64:
        """The values on the scale on which their plain mean is compared (identity for the mean, ln(x+ε) for gmean)."""
        return values
