"""What an undefined rule is: what a value counts as when the metric leaves it undefined."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from heldout.catalogue import Component
from heldout.tables.arrays import Float64


class UndefinedRule(Component, kind="undefined"):
    """Decides what NaN, a metric whose own denominator is 0, counts as."""

    as_zero: ClassVar[bool] = False
    """Whether an undefined value counts as 0."""

    @abstractmethod
    def apply(self, values: Float64) -> Float64:
        """The values with NaN replaced, or kept where the user is to be skipped."""
