"""What a filter is: ratings in, fewer or other ratings out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from heldout.catalogue import Component
from heldout.errors import InputError
from heldout.tables import Interactions, Keep, MergedTime
from heldout.tables.arrays import Bool, Ints


class Filter(Component, kind="filter"):
    """Selects or changes ratings before they are split; the vocabularies shrink to what is left."""

    draws: ClassVar[bool] = False
    """Whether what is left depends on the seed; a filter that does not say so is applied once for all seeds."""

    removes: ClassVar[bool] = False
    """Whether it leaves users, items or ratings out, instead of changing values or merging rows."""
    binary: ClassVar[bool] = False
    """Whether it turns ratings into 0 and 1."""
    from_counts: ClassVar[bool] = False
    """Whether it turns counts into ratings."""
    drops_popular: ClassVar[bool] = False
    """Whether it leaves out the most popular items."""

    @property
    def merging(self) -> tuple[Keep, MergedTime | None] | None:
        """What becomes of repeated pairs and of their times, for a filter that acts while the data are read."""
        return None

    def select(self, data: Interactions, rows: Bool | Ints) -> Interactions:
        """These rows, with vocabularies of what they hold; InputError names the filter when there are none."""
        left = data.select(rows)
        if len(left) == 0:
            raise InputError(
                f"{self} removes all ratings", found=0, expected=f"at least one of {len(data):,}", hint="ask for less"
            )
        return left.compact()

    @abstractmethod
    def apply(self, data: Interactions, *, seed: int) -> Interactions:
        """The data after the filter; InputError when nothing is left."""


def leaves_counts(source: Any, chain: Sequence[Filter]) -> bool:
    """True if a source declares its values as counts, or a filter adds up repeated rows, and no filter changes them."""
    if any(step.from_counts or step.binary for step in chain):
        return False
    return getattr(source, "counts", False) or any(step.merging is not None and step.merging[0] == "sum" for step in chain)
