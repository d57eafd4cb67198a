"""Train, test and what was left out of both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from heldout.tables.arrays import digest_of
from heldout.tables.interactions import Interactions


@dataclass(frozen=True)
class Dropped:
    """Ratings that are in neither part, and why."""

    reason: str
    count: int


@dataclass(frozen=True, eq=False)
class Split:
    """Disjoint train and test over the same vocabularies; every dropped rating is counted with its reason."""

    train: Interactions
    test: Interactions
    validation: Interactions | None = None
    fold: int = 0
    dropped: tuple[Dropped, ...] = ()

    @cached_property
    def digest(self) -> str:
        """sha256 of all parts."""
        parts = (self.train, self.test, self.validation)
        return digest_of(*(p.digest if p is not None else None for p in parts), self.fold)
