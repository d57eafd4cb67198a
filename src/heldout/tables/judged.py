"""Rankings met with relevance: all that a per-user metric may see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from heldout.tables.arrays import Bool, Float64, Int32, Int64, expand, frozen
from heldout.tables.relevance import Relevance

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Judged:
    """The rated items met in each list, by rank; the gaps between their ranks are unrated items.

    Cost follows hits: a list of thousands with 30 rated items has 30 entries. In lists of one relevant item each
    (`only` is given), a list is a (user, relevant item) pair and nothing else in it is judged.
    """

    relevance: Relevance
    owner: Int32
    """For every list the position of its user in `relevance.users`, ascending."""
    indptr: Int64
    """Entries of each list."""
    row: Int64
    """For every entry its row in `relevance`."""
    rank: Int32
    """1-based rank under the tie rule; ascending within a list."""
    above: Int32
    """Targets with a strictly higher score."""
    tied: Int32
    """Other targets with an equal score."""
    length: Int32
    """Ranked items of each list, fallback included."""
    computed: Int32
    """Items of each list that the system itself scored."""
    targets: Int32
    """Items that were to be ranked, whether or not the system could."""
    relevant_targets: Int32
    """Relevant items among the targets."""
    only: Int64 | None = None
    """In single lists, the relevance row of each list's one relevant item."""
    _memo: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.owner)

    @cached_property
    def list_of(self) -> Int64:
        """The list of every entry."""
        return expand(self.indptr)

    @cached_property
    def item(self) -> Int32:
        """The item of every entry."""
        return self.relevance.item[self.row]

    @cached_property
    def grade(self) -> Float64:
        """The rating of every entry."""
        return self.relevance.grade[self.row]

    def relevant(self, rel: float | None = None) -> Bool:
        """Which entries are relevant: by the study's rule, or from a rating on."""
        return self.once(("relevant", rel), lambda: self.relevance.relevant_at(rel)[self.row])

    def total_relevant(self, rel: float | None = None) -> Float64:
        """R: relevant test items of the list's user, also those the list lacks; in single lists, whether its one is."""
        if self.only is not None:
            return self.once(("R", rel), lambda: self.per_list_total(self.relevance.relevant_at(rel)))
        return self.once(("R", rel), lambda: self.relevance.total(rel)[self.owner].astype(np.float64))

    def total_nonrelevant(self, rel: float | None = None) -> Float64:
        """N: judged test items that are not relevant; none in single lists."""
        if self.only is not None:
            return np.zeros(len(self))
        return self.relevance.rated[self.owner] - self.total_relevant(rel)

    def per_list_total(self, of_row: Any) -> Float64:
        """Sum a value of relevance rows over all that a list could hold."""
        if self.only is not None:
            return np.asarray(of_row[self.only], dtype=np.float64)
        return np.bincount(self.relevance.owner, of_row, len(self.relevance))[self.owner].astype(np.float64)

    def met(self, rel: float | None = None) -> Int32:
        """For every entry, how many relevant entries its list holds up to and with it."""
        return self.once(("met", rel), lambda: self._running(self.relevant(rel)))

    def met_nonrelevant(self, rel: float | None = None) -> Int32:
        """For every entry, how many judged non-relevant entries its list holds up to and with it."""
        return self.once(("met non", rel), lambda: self._running(~self.relevant(rel)))

    def _running(self, flags: Bool) -> Int32:
        from heldout.kernels.lists import count_up

        out = np.empty(len(flags), np.int32)
        count_up(self.indptr, frozen(flags, np.bool_), out)
        return out

    def sum(self, of_entry: Any) -> Float64:
        """Sum a value of entries over each list."""
        from heldout.kernels.lists import sum_lists

        out = np.empty(len(self))
        sum_lists(self.indptr, frozen(of_entry, np.float64), out)
        return out

    def spread(self, of_list: Float64) -> Float64:
        """A value of lists, for every entry."""
        return np.repeat(of_list, np.diff(self.indptr))

    def once(self, key: Any, compute: Callable[[], T]) -> T:
        """`compute()` the first time, what it gave from then on."""
        if key not in self._memo:
            self._memo[key] = compute()
        return self._memo[key]  # type: ignore[no-any-return]


def divide(numerator: Float64, denominator: Float64) -> Float64:
    """The ratio, undefined (NaN) where the denominator is 0."""
    out = np.full(len(numerator), np.nan)
    np.divide(numerator, denominator, out=out, where=denominator != 0)
    return out
