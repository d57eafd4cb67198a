"""How large the parts of folds are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from heldout.tables import Interactions, Split


@dataclass(frozen=True, kw_only=True)
class PartSizes:
    """One part of a fold, or the mean of such parts; users and items are those with a rating in it."""

    fold: int | None
    """None for the mean over folds."""
    part: str
    """train, validation or test."""
    ratings: float
    share: float
    """Of the ratings of all parts of the fold."""
    users: float
    items: float
    density: float
    """Ratings ÷ (users × items)."""


@dataclass(frozen=True, kw_only=True)
class SplitCounts:
    """One fold of one split."""

    data: str
    filter: str
    split: str
    fold: int
    train: int
    test: int
    users: int
    """Users that are tested."""
    dropped: tuple[tuple[str, int], ...] = ()
    validation: int = 0
    development: int = 0
    """Test users on whom systems are chosen."""
    audit: dict[str, Any] = field(default_factory=dict)
    """What the fold leaks: test ratings older than training ones, cold users and items, pairs in both parts."""
    chosen: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()
    """For every chain of user rules and relevance rule, how many users each rule leaves."""

    @property
    def test_share(self) -> float | None:
        """Test ratings among those of all parts; None of an empty fold."""
        size = self.train + self.validation + self.test
        return self.test / size if size else None

    def audited_share(self, key: str) -> float | None:
        """A count of the audit as a share of the test ratings; None if the audit has none."""
        audited = self.audit.get(key)
        return None if audited is None else float(audited / max(1, self.test))


def sizes_of(split: Split) -> tuple[PartSizes, ...]:
    """The parts of a fold, in the order of train, validation and test."""
    parts = {"train": split.train, "validation": split.validation, "test": split.test}
    there = {name: part for name, part in parts.items() if part is not None}
    total = sum(len(part) for part in there.values())
    return tuple(_sizes(split.fold, name, part, total) for name, part in there.items())


def _sizes(fold: int, name: str, part: Interactions, total: int) -> PartSizes:
    users, items = part.active_users, part.active_items
    return PartSizes(
        fold=fold,
        part=name,
        ratings=len(part),
        share=len(part) / max(1, total),
        users=users,
        items=items,
        density=len(part) / max(1, users * items),
    )


def mean_sizes(folds: Sequence[Sequence[PartSizes]]) -> tuple[PartSizes, ...]:
    """Means over folds, each number by itself: a mean density is that of the folds' densities."""
    return tuple(
        PartSizes(
            fold=None,
            part=parts[0].part,
            ratings=_mean([part.ratings for part in parts]),
            share=_mean([part.share for part in parts]),
            users=_mean([part.users for part in parts]),
            items=_mean([part.items for part in parts]),
            density=_mean([part.density for part in parts]),
        )
        for parts in zip(*folds, strict=True)
    )


def _mean(numbers: Sequence[float]) -> float:
    return float(np.mean(numbers))
