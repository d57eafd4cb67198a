"""What a filter is: ratings in, fewer or other ratings out."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from heldout.catalogue import Component
from heldout.tables import Interactions


class Filter(Component, kind="filter"):
    """Selects or changes ratings before they are split; the vocabularies shrink to what is left."""

    draws: ClassVar[bool] = False
    """Whether what is left depends on the seed; a filter that does not say so is applied once for all seeds."""

    @abstractmethod
    def apply(self, data: Interactions, *, seed: int) -> Interactions:
        """The data after the filter; InputError when nothing is left."""
