"""What is known of the test users' taste: the rated test items, their grades and which of them count as relevant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from heldout.tables.arrays import Bool, Float64, Int32, Int64, digest_of, expand

T = TypeVar("T")


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
            return np.bincount(self.owner, self.relevant_at(rel), len(self)).astype(np.int64)

        return self.once(("total", rel), count)

    def once(self, key: Any, compute: Callable[[], T]) -> T:
        """`compute()` the first time, what it gave from then on."""
        if key not in self._memo:
            self._memo[key] = compute()
        return self._memo[key]  # type: ignore[no-any-return]
