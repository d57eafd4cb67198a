"""Whom systems serve, and whether the leader depends on what a user without recommendations counts as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heldout.analysis.alignment import AlignedScores

ENOUGH = 0.5
"""Share of users that every system must serve before one of the systems is called the winner."""


@dataclass(frozen=True)
class Served:
    """The users of a setting, those whom every system recommends something to, and every system's value both ways."""

    users: int
    served: int
    """Users with a list of every system, after any fallback."""
    as_zero: tuple[float | None, ...] = ()
    """By system: the value over all users, the unserved counted as the metric counts an empty list; empty where all are
    served."""
    common: tuple[float | None, ...] = ()
    """By system: the value over the users that every system serves."""

    @property
    def share(self) -> float:
        """The share of users that every system serves."""
        return self.served / self.users if self.users else 1.0

    @property
    def few(self) -> bool:
        """Whether too few users are served for a winner."""
        return self.share < ENOUGH

    def best(self, values: Sequence[float | None], *, higher: bool) -> list[int]:
        """The systems, by place, that have the best of these values."""
        numbers = [v for v in values if v is not None]
        top = (max(numbers) if higher else min(numbers)) if numbers else None
        return [k for k, v in enumerate(values) if v is not None and v == top]

    def depends(self, leader: int, *, higher: bool) -> bool:
        """Whether the leader would be another system if the unserved counted as zero, or if they were left out."""
        both = [values for values in (self.as_zero, self.common) if any(v is not None for v in values)]
        return any(leader not in self.best(values, higher=higher) for values in both)


def users_served(table: AlignedScores) -> tuple[int, int]:
    """How many users there are, and how many have a list of every system in every fold that tests them."""
    return len(table), int(table.served.all(axis=0).sum())
