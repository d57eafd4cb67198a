"""What is known of the test users' taste: the rated test items, their grades and which of them count as relevant."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import NotApplicableError
from heldout.tables.arrays import Bool, Float64, Int32, Int64, digest_of, expand, frozen
from heldout.tables.background import Background
from heldout.tables.display import Displayed
from heldout.tables.memo import once
from heldout.text.numbers import counted


@dataclass(frozen=True, eq=False)
class Levels:
    """The distinct grades of relevant and of other rows, and which each row has."""

    level: NDArray[np.uint8]
    grade: Float64
    relevant: Bool
    used: Bool
    """Which levels some row has."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Relevance(Displayed):
    """Test ratings of the evaluated users as CSR; an unrated item has no row, which is not the same as a low grade.

    All systems share it, and with it everything that depends on the test set alone: totals and ideal gains are computed
    once, when first asked for.
    """

    users: Int32
    """Codes of the evaluated users, ascending; position here is the row of the CSR."""
    indptr: Int64
    item: Int32
    grade: Float64
    relevant: Bool
    top_grade: float
    """The highest rating of the data set (train and test), which scaled gain maps divide by."""
    rule: str = "given"
    utility: Float64 | None = None
    """What each test rating is worth, where the data have such a column."""
    background: Background | None = None
    """What else is known of users and items."""
    _memo: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    def _headline(self) -> str:
        """What the table holds, in counts."""
        return (
            f"{counted(len(self.item), 'test rating')} of {counted(len(self), 'user')}, "
            f"{int(self.relevant.sum()):,} relevant ({self.rule})"
        )

    def __len__(self) -> int:
        return len(self.users)

    @cached_property
    def digest(self) -> str:
        """sha256 of users, items, grades and relevance."""
        return digest_of(self.users, self.indptr, self.item, self.grade, self.relevant, self.top_grade)

    @cached_property
    def owner(self) -> Int64:
        """Position in `users` of every row."""
        return expand(self.indptr)

    @cached_property
    def rated(self) -> Int64:
        """Rated test items of each user."""
        return np.diff(self.indptr)

    def relevant_at(self, rel: float | None) -> Bool:
        """Which rows are relevant: by the study's rule, or by a metric's own threshold."""
        return self.relevant if rel is None else self.grade >= rel

    def total(self, rel: float | None) -> Int64:
        """R: relevant test items of each user."""
        return once(self, ("total", rel), lambda: self.count(self.relevant_at(rel)))

    def count(self, flags: Bool) -> Int64:
        """How many of each user's rows are flagged."""
        from heldout.kernels.lists import count_lists

        out = np.empty(len(self), np.int64)
        count_lists(self.indptr, frozen(flags, np.bool_), out)
        return out

    def levels(self, rel: float | None) -> Levels | None:
        """The distinct grades of relevant and of other rows; None where there are too many to be worth it."""

        def find() -> Levels | None:
            from heldout.kernels.gains import find_levels

            level, bits = np.empty(len(self.grade), np.uint8), np.empty(128, np.int64)
            used = np.zeros(256, np.bool_)
            flags = frozen(self.relevant_at(rel), np.bool_)
            n = find_levels(self.grade.view(np.int64), flags, level, bits, used)
            if n < 0:
                return None
            return Levels(level, np.repeat(bits[:n].view(np.float64), 2), np.tile([False, True], n), used[: 2 * n])

        return once(self, ("levels", rel), find)

    def require_background(self, asker: object) -> Background:
        """What else is known; NotApplicableError where nothing is."""
        if self.background is None:
            raise NotApplicableError(
                f"{asker} needs more than lists and test ratings", hint="pass the training set: train=…"
            )
        return self.background
