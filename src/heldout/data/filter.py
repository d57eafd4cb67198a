"""What a filter is: ratings in, fewer or other ratings out."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from heldout.catalogue import Component
from heldout.tables import Interactions, Keep, MergedTime


class Filter(Component, kind="filter"):
    """Selects or changes ratings before they are split; the vocabularies shrink to what is left."""

    draws: ClassVar[bool] = False
    """Whether what is left depends on the seed; a filter that does not say so is applied once for all seeds."""

    @property
    def merging(self) -> tuple[Keep, MergedTime | None] | None:
        """What becomes of repeated pairs and of their times, for a filter that acts while the data are read."""
        return None

    @abstractmethod
    def apply(self, data: Interactions, *, seed: int) -> Interactions:
        """The data after the filter; InputError when nothing is left."""
