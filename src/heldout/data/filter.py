"""What a filter is: ratings in, fewer or other ratings out."""

from __future__ import annotations

from abc import abstractmethod

from heldout.catalogue import Component
from heldout.tables import Interactions


class Filter(Component, kind="filter"):
    """Selects or changes ratings before they are split; the vocabularies shrink to what is left."""

    @abstractmethod
    def apply(self, data: Interactions, *, seed: int) -> Interactions:
        """The data after the filter; InputError when nothing is left."""
