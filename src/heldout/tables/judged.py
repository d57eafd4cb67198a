"""Rankings met with relevance: all that a per-user metric may see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.tables.arrays import Bool, Float64, Int32, Int64, Scalar, expand, frozen
from heldout.tables.display import Displayed
from heldout.tables.memo import once
from heldout.tables.rankings import Rankings
from heldout.tables.relevance import Relevance
from heldout.tables.score_counts import ScoreCounts
from heldout.text.numbers import counted

CUTS = (128, 1024)
"""Depths at which lists are cut for metrics that look no deeper."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Judged(Displayed):
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
    """Other targets with an equal score; −1 where they were not counted, and `above` is then one below the rank."""
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
    score: Float64 | None = None
    """The system's own score of every entry; NaN where a fallback ranked it."""
    lists: Rankings | None = None
    """The first items of every list, as deep as some metric asked for; list k here is list k there."""
    expected: bool = False
    """Whether values are means over all orders of tied items; `rank` is then one of these orders."""
    target_rows: Bool | None = None
    """Which rows of `relevance` are targets; None where all are."""
    condensed: bool = False
    """Whether unrated items were taken out, so that rated items alone are targets."""
    full: bool = False
    """Whether unrated items count with full gain instead of none: the upper end of an interval."""
    stratum: Int32 | None = None
    """The popularity class of each list, where items are cut into classes."""
    pool: Int64 | None = None
    """Items that each list's sample was drawn from, where targets are sampled."""
    predicts_ratings: bool = False
    """Whether scores are on the rating scale."""
    comparable: bool = False
    """Whether scores of different users may be compared."""
    everywhere: ScoreCounts | None = None
    """How the scores of all users' targets lie among those of the relevant ones, where a metric needs them."""
    _memo: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    def _headline(self) -> str:
        """What the table holds, in counts."""
        return f"{counted(len(self), 'list')}, judged: {counted(len(self.row), 'rated item')} met"

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

    @cached_property
    def one_each(self) -> bool:
        """Whether every evaluated user has exactly one list."""
        return self.only is None and len(self.owner) == len(self.relevance)

    @cached_property
    def deepest(self) -> int:
        """The largest rank of an entry."""
        return int(self.rank.max(initial=0))

    def cut(self, n: int | None) -> Judged:
        """Lists with the entries down to rank n, and perhaps some below: what a metric cut at n needs to look at.

        All cut-offs up to 128 share one such cut, which holds few of the entries of lists thousands deep.
        """
        if n is None or n > CUTS[-1] or self.deepest <= CUTS[0]:
            return self
        depth = next(c for c in CUTS if n <= c)
        return self if self.deepest <= depth else once(self, ("cut", depth), lambda: self._cut(depth))

    def _cut(self, depth: int) -> Judged:
        indptr = np.concatenate([[0], np.cumsum(self.count(depth))]).astype(np.int64)
        at = np.arange(indptr[-1]) + np.repeat(self.indptr[:-1] - indptr[:-1], np.diff(indptr))
        return replace(
            self,
            indptr=frozen(indptr, np.int64),
            row=self.row[at],
            rank=self.rank[at],
            above=self.above[at],
            tied=self.tied[at],
            score=None if self.score is None else self.score[at],
        )

    def relevant(self, rel: float | None = None) -> Bool:
        """Which entries are relevant: by the study's rule, or from a rating on."""
        return once(self, ("relevant", rel), lambda: self.relevance.relevant_at(rel)[self.row])

    def total_relevant(self, rel: float | None = None) -> Float64:
        """R: relevant test items of the list's user, also those the list lacks; in single lists, whether its one is."""
        if self.only is not None:
            return once(self, ("R", rel), lambda: self.per_list_total(self.relevance.relevant_at(rel)))
        return once(self, ("R", rel), lambda: self.relevance.total(rel)[self.owner].astype(np.float64))

    def total_nonrelevant(self, rel: float | None = None) -> Float64:
        """N: judged test items that are not relevant; none in single lists."""
        if self.only is not None:
            return np.zeros(len(self))
        return self.relevance.rated[self.owner] - self.total_relevant(rel)

    def unjudged(self, rel: float | None) -> Bool | None:
        """Which rows of `relevance` have a grade below 0 and are not relevant; None where none has.

        In judgements as trec_eval reads them these were pooled and not judged.
        """
        if float(self.relevance.grade.min(initial=0.0)) >= 0:
            return None
        return (self.relevance.grade < 0) & ~self.relevance.relevant_at(rel)

    def unjudged_above_hits(self, rel: float | None) -> Int32:
        """For every hit, the entries above it whose grade is below 0 and that are not relevant."""
        rows = self.unjudged(rel)
        if rows is None:
            return np.zeros(len(self.hit_entries(rel)), np.int32)
        return self._running(rows[self.row])[self.hit_entries(rel)]

    def per_list_total(self, of_row: Any) -> Float64:
        """Sum a value of relevance rows over all that a list could hold."""
        if self.only is not None:
            return np.asarray(of_row[self.only], dtype=np.float64)
        return np.bincount(self.relevance.owner, of_row, len(self.relevance))[self.owner].astype(np.float64)

    def total_targets(self, of_row: Any) -> Float64:
        """Sum a value of relevance rows over those that are targets of a list."""
        return self.per_list_total(of_row if self.target_rows is None else np.where(self.target_rows, of_row, 0))

    def met(self, rel: float | None = None) -> Int32:
        """For every entry, how many relevant entries its list holds up to and with it."""
        return once(self, ("met", rel), lambda: self._running(self.relevant(rel)))

    def _running(self, flags: Bool) -> Int32:
        from heldout.kernels.lists import count_up

        out = np.empty(len(flags), np.int32)
        count_up(self.indptr, frozen(flags, np.bool_), out)
        return out

    def sum(self, of_entry: Any, n: int | None = None) -> Float64:
        """Sum a value of entries over each list, up to rank n."""
        return _sum_top(self.indptr, self.rank, of_entry, n)

    def count(self, n: int | None = None) -> Float64:
        """Entries of each list, up to rank n; worked out once."""
        return once(self, ("count", n), lambda: _count_top(self.indptr, self.rank, n))

    def hits(self, rel: float | None = None) -> Hits:
        """The relevant entries alone."""
        return once(self, ("hits", rel), lambda: self._hits(self.relevance.relevant_at(rel)))

    def _hits(self, relevant: Bool) -> Hits:
        from heldout.kernels.lists import keep_relevant

        indptr = np.empty(len(self) + 1, np.int64)
        rank, met, worse = (np.empty(len(self.rank) + 1, np.int32) for _ in range(3))
        n = keep_relevant(self.indptr, self.row, self.rank, frozen(relevant, np.bool_), indptr, rank, met, worse)
        return Hits(indptr=frozen(indptr, np.int64), rank=frozen(rank[:n], np.int32), met=met[:n], worse=worse[:n])

    def hit_entries(self, rel: float | None = None) -> Int64:
        """The place of every hit among the entries."""
        return once(self, ("hit entries", rel), lambda: np.flatnonzero(self.relevant(rel)))

    def hit_rows(self, rel: float | None = None) -> Int64:
        """The relevance row of every hit."""
        return once(self, ("hit rows", rel), lambda: self.row[self.hit_entries(rel)])


@dataclass(frozen=True, eq=False, kw_only=True)
class Hits:
    """The relevant entries of each list, by rank: all that most accuracy metrics look at."""

    indptr: Int64
    rank: Int32
    met: Int32
    """Relevant entries of the list up to and with this one: 1, 2, 3, …"""
    worse: Int32
    """Judged non-relevant entries of the list above this one."""
    _counts: dict[int | None, Float64] = field(default_factory=dict, repr=False)

    def sum(self, of_hit: Any, n: int | None = None) -> Float64:
        """Sum a value of hits over each list, up to rank n."""
        return _sum_top(self.indptr, self.rank, of_hit, n)

    def count(self, n: int | None = None) -> Float64:
        """Hits of each list, up to rank n; worked out once."""
        if n not in self._counts:
            self._counts[n] = _count_top(self.indptr, self.rank, n)
        return self._counts[n]

    def running(self, of_hit: Float64) -> Running:
        """Sums of a value of hits at any depth."""
        return Running(self.indptr, self.count, lambda n: self.sum(of_hit, n), lambda: _cumulated(self.indptr, of_hit))

    def spread(self, of_list: NDArray[Scalar]) -> NDArray[Scalar]:
        """A value of lists, for every hit."""
        return np.repeat(of_list, np.diff(self.indptr))


class Running:
    """Sums over lists at any depth: the first is added up directly, further ones are looked up in running sums."""

    def __init__(
        self,
        indptr: Int64,
        count: Callable[[int | None], Float64],
        direct: Callable[[int | None], Float64],
        cumulate: Callable[[], Float64],
    ) -> None:
        """`count` gives the entries of each list up to rank n, `direct` their sum, `cumulate` the running sums."""
        self._indptr, self._count, self._direct, self._cumulate = indptr, count, direct, cumulate
        self._cumulated: Float64 | None = None
        self._begun = False

    def begin(self) -> None:
        """Look up even the first."""
        self._begun = True

    def upto(self, n: int | None) -> Float64:
        """The sum of each list up to rank n."""
        from heldout.kernels.lists import last_of

        if not self._begun:
            self._begun = True
            return self._direct(n)
        if self._cumulated is None:
            self._cumulated = self._cumulate()
        out = np.empty(len(self._indptr) - 1)
        last_of(self._indptr, self._count(n), self._cumulated, out)
        return out


def _cumulated(indptr: Int64, values: Float64) -> Float64:
    from heldout.kernels.gains import cumulate

    out = np.empty(len(values))
    cumulate(indptr, frozen(values, np.float64), out)
    return out


def _count_top(indptr: Int64, rank: Int32, n: int | None) -> Float64:
    from heldout.kernels.lists import count_top

    out = np.empty(len(indptr) - 1)
    count_top(indptr, rank, _depth(n), out)
    return frozen(out, np.float64)


def _sum_top(indptr: Int64, rank: Int32, values: Any, n: int | None) -> Float64:
    from heldout.kernels.lists import sum_top

    out = np.empty(len(indptr) - 1)
    sum_top(indptr, rank, frozen(values, np.float64), _depth(n), out)
    return out


def _depth(n: int | None) -> int:
    return np.iinfo(np.int32).max if n is None else n


def divide(numerator: Float64, denominator: Float64) -> Float64:
    """The ratio, undefined (NaN) where the denominator is 0."""
    out = np.full(len(numerator), np.nan)
    np.divide(numerator, denominator, out=out, where=denominator != 0)
    return out
