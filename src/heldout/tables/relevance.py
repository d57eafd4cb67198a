"""What is known of the test users' taste: the rated test items, their grades and which of them count as relevant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from heldout.tables.arrays import Bool, Float64, Int32, Int64, digest_of, expand, frozen

T = TypeVar("T")
_LEVELS = 256
"""Distinct grades up to which a user's are sorted by counting them."""


@dataclass(frozen=True, eq=False)
class Relevance:
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
    _memo: dict[Any, Any] = field(default_factory=dict, repr=False)

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

        def count() -> Int64:
            from heldout.kernels.lists import count_lists

            out = np.empty(len(self), np.int64)
            count_lists(self.indptr, frozen(self.relevant_at(rel), np.bool_), out)
            return out

        return self.once(("total", rel), count)

    def descending(self, of_row: Float64) -> Float64:
        """A value of rows, each user's from the highest to the lowest."""
        from heldout.kernels.lists import find_levels, sort_levels

        bits = np.ascontiguousarray(of_row, np.float64).view(np.int64)
        level, found, out = np.empty(len(bits), np.int32), np.empty(_LEVELS, np.int64), np.empty(len(bits))
        n = find_levels(frozen(bits, np.int64), level, found)
        if n < 0:
            return frozen(of_row[np.lexsort((-of_row, self.owner))], np.float64)
        values = found[:n].view(np.float64)
        order = np.argsort(values)
        place = np.empty(n, np.int32)
        place[order] = np.arange(n, dtype=np.int32)
        sort_levels(self.indptr, place[level], values[order], out)
        return frozen(out, np.float64)

    def once(self, key: Any, compute: Callable[[], T]) -> T:
        """`compute()` the first time, what it gave from then on."""
        if key not in self._memo:
            self._memo[key] = compute()
        return self._memo[key]  # type: ignore[no-any-return]
