"""Ranked lists: what a system recommended, best first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from heldout.tables.arrays import Float64, Int32, Int64, digest_of
from heldout.tables.display import Displayed
from heldout.text.numbers import counted


@dataclass(frozen=True, eq=False, repr=False)
class Rankings(Displayed):
    """One list per user, in the order of the tie rule it was made with; what a system could not score is absent.

    `users` are codes in ascending order; list k is `item[indptr[k]:indptr[k + 1]]`. Items outside the vocabulary of the
    judgements have the code −1: they hold their rank and count as unrated.
    """

    users: Int32
    indptr: Int64
    item: Int32
    score: Float64

    def _headline(self) -> str:
        """What the table holds, in counts."""
        return f"{counted(len(self), 'list')} of {counted(len(self.item), 'item')} in all"

    def __len__(self) -> int:
        return len(self.users)

    @property
    def length(self) -> Int64:
        """Items in each list."""
        return np.diff(self.indptr)

    @cached_property
    def digest(self) -> str:
        """sha256 of users, items and scores."""
        return digest_of(self.users, self.indptr, self.item, self.score)
