"""What a fallback is: an order for the items a recommender could not score."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from heldout.catalogue import Component
from heldout.tables import Interactions
from heldout.tables.arrays import Float64


class Fallback(Component, kind="fallback"):
    """Appends the targets that were not computable behind the computed ones; it never mixes the two scales."""

    fills: ClassVar[bool] = True
    """Whether lists are filled at all."""

    @abstractmethod
    def order(self, train: Interactions, *, seed: int) -> Float64 | None:
        """A key for every item, higher first, NaN last by tie rule; None leaves uncomputed items out."""
