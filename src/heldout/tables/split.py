"""Train, test and what was left out of both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from heldout.tables.arrays import Bool, digest_of
from heldout.tables.display import Displayed, headline
from heldout.tables.interactions import Interactions
from heldout.tables.time_units import finest
from heldout.text.numbers import counted


@dataclass(frozen=True)
class Dropped:
    """Ratings that are in neither part, and why."""

    reason: str
    count: int


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Split(Displayed):
    """Disjoint train and test over the same vocabularies; every dropped rating is counted with its reason."""

    train: Interactions
    test: Interactions
    validation: Interactions | None = None
    fold: int = 0
    dropped: tuple[Dropped, ...] = ()
    development: Bool | None = None
    """Which users are for development (choosing parameters and systems); the others are for evaluation. None: undivided."""

    @cached_property
    def digest(self) -> str:
        """sha256 of all parts."""
        parts = (self.train, self.test, self.validation)
        own = [p.digest if p is not None else None for p in parts]
        return digest_of(*own, self.fold) if self.development is None else digest_of(*own, self.fold, self.development)

    def in_one_unit(self) -> Split:
        """The same split with all times in the finest unit of a part, so that times of two parts can be compared."""
        parts = [part for part in (self.train, self.test, self.validation) if part is not None and part.time is not None]
        unit = finest(part.time_unit for part in parts)
        if all(part.time_unit == unit for part in parts):
            return self
        validation = self.validation.in_unit(unit) if self.validation is not None else None
        return replace(self, train=self.train.in_unit(unit), test=self.test.in_unit(unit), validation=validation)

    def _headline(self) -> str:
        """The parts in counts, and what is in none of them."""
        named = {"train": self.train, "validation": self.validation, "test": self.test}
        lines = [f"  {name:<10} {headline(part)}" for name, part in named.items() if part is not None]
        lines += [f"  {'dropped':<10} {counted(dropped.count, 'rating')}: {dropped.reason}" for dropped in self.dropped]
        return "\n".join([f"fold {self.fold + 1}", *lines])
