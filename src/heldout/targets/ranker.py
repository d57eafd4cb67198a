"""Ranking by counting: one pass over a system's scores serves every protocol.

Users can be ranked in shards, and the ranks of all shards together are those of all users, to the byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from heldout import rng, threads
from heldout.errors import InputError, NotApplicableError
from heldout.tables import Rankings, Split
from heldout.tables.arrays import Bool, Float64, Floats, Int32, Int64, expand, floats, frozen, take_rows
from heldout.targets.atoms import CandidateSet, candidate_set, head_of, key_of
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.target import Target
from heldout.targets.tie_rule import TieRule

NO_FILE = "use ties=item, trec, random or expected; only runs, read by External or evaluated, are in the order of a file"
"""What to do where ties=file does not apply."""
TILE = 64
"""Users scored at a time; the last tile is padded, so every product has the same shape."""
TILES_PER_COUNT = 32
"""Without a metric that needs ties, they are counted in one tile of so many, for the share of ties in the report."""


class Scorer(Protocol):
    """What the ranker needs of a fitted model."""

    def score(self, users: Int32) -> Floats:
        """Scores of all items for a tile of users, float32 or float64, NaN if there is none."""
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class Ranks:
    """Where each user's rated test items rank under one target protocol, fallback and tie rule."""

    target: Target
    indptr: Int64
    """Rows of each user."""
    rank: Int32
    """For every row its rank, 0 where the item is not ranked."""
    above: Int32
    tied: Int32
    """Other targets of equal score; −1 if they were not counted."""
    computed: Int32
    """Targets of each user that the system scored; in single lists of sampled targets, of the sample alone."""
    length: Int32
    """Targets ranked, fallback included; in single lists of sampled targets, of the sample alone."""
    targets: Int32
    """Targets to be ranked; in single lists of sampled targets, the sample alone."""
    scored: Bool
    """Which rows the system itself scored."""
    candidate: Bool
    """Which rows are targets at all."""
    score: Float64 | None = None
    """The system's own score of every row, NaN where it has none."""
    stratum: Int32 | None = None
    """With popularity classes, the class of every row; `computed`, `length` and `targets` are then users × classes."""
    pool: Int64 | None = None
    """Of sampled targets, the items that each sample was drawn from."""
    lists: Rankings | None = None
    """The first items of each user's list, if the plan has a depth."""
    expected: bool = False
    """True if values are to be means over all orders of tied items."""

    @cached_property
    def unit(self) -> Int64:
        """For every row its place in `computed`, `length` and `targets`."""
        owner = expand(self.indptr)
        return owner if self.stratum is None else owner * self.target.form.percentiles + self.stratum


@dataclass(frozen=True, eq=False, kw_only=True)
class RankPlan:
    """What is to be ranked: the same for all systems of a split."""

    split: Split
    users: Int32
    targets: tuple[Target, ...]
    fallbacks: dict[str, Float64 | None]
    """Text form → order of the items that are not computable; None leaves them out."""
    ties: tuple[TieRule, ...]
    seed: int
    relevances: tuple[RelevanceRule, ...] = ()
    """The study's rules: what some targets sample depends on them."""
    depth: int = 0
    """How many items of each list are kept; 0 keeps none."""
    pictured: int = 0
    """How many are kept of the lists that pictures show: by the first target, fallback and tie rule, if `depth` is less."""
    count_ties: bool = False
    """True if ties are counted for every user; otherwise for one tile in many, to tell how many there are."""

    def __post_init__(self) -> None:
        if len(self.users) == 0:
            raise InputError("no user is left to be tested", hint="loosen the rules under `users` or change the split")
        for target in self.targets:
            self._check(target)

    def _check(self, target: Target) -> None:
        form = target.form
        if form.uniform:
            counts = self.split.test.item_counts
            if len(set(counts[counts > 0].tolist())) > 1:
                raise NotApplicableError(
                    f"{target} needs equally many test ratings of every test item",
                    where="target",
                    hint="use split = uniform_test(share=0.2, keep=0.2)",
                )
        if form.own:
            return
        sizes = self.candidates(target).size
        if sizes.max(initial=0) == 0:
            raise NotApplicableError(f"{target} has no candidates", where="target")
        if form.sample is not None and form.sample > sizes.max():
            of_class = " of a popularity class" if form.percentiles > 1 else ""
            raise NotApplicableError(
                where="target",
                found=form.sample,
                expected=f"a sample of at most {sizes.max():,} items, the number of candidates{of_class}",
            )

    @cached_property
    def rows(self) -> tuple[Int64, Int32]:
        """Pointers and items of the users' test ratings."""
        indptr, rows = take_rows(self.split.test.user_indptr, self.users)
        return indptr, frozen(self.split.test.item[rows], np.int32)

    @cached_property
    def _known_sets(self) -> dict[Any, CandidateSet]:
        return {}

    def candidates(self, target: Target) -> CandidateSet:
        """The candidate set of a target."""
        key = key_of(target.form)
        if key not in self._known_sets:
            self._known_sets[key] = candidate_set(self.split, key)
        return self._known_sets[key]

    def kept_rows(self, target: Target) -> Bool | None:
        """Which rows a target leaves in the test; None for all."""
        head = target.form.head
        return None if head == 0 else ~head_of(self.split, head)[self.rows[1]]

    def rules(self, target: Target) -> tuple[RelevanceRule | None, ...]:
        """The relevance rules that a target's ranks depend on; (None,) where they depend on none."""
        if not target.form.by_relevance:
            return (None,)
        return (target.own_relevance,) if target.own_relevance is not None else self.relevances

    def sample_key(self) -> int:
        """The key of all samples of this split."""
        return rng.key(self.seed, "target sample", self.split.fold)


@dataclass(frozen=True, eq=False)
class Ranked:
    """The ranks of one system under everything that was planned."""

    by_choice: dict[tuple[str, str, str, str], Ranks]
    """By the texts of target, relevance rule (empty where ranks depend on none), fallback and tie rule."""

    def of(self, target: Target, relevance: RelevanceRule | None, fallback: Any, ties: Any) -> Ranks:
        """The ranks under these choices."""
        rule = str(relevance) if target.form.by_relevance else ""
        return self.by_choice[str(target), rule, str(fallback), str(ties)]

    def __iter__(self) -> Iterator[tuple[tuple[str, str, str, str], Ranks]]:
        return iter(self.by_choice.items())


def rank(model: Scorer, plan: RankPlan, *, block: int = 4096, progress: Callable[[int], None] | None = None) -> Ranked:
    """Ranks under every target, relevance rule, fallback and tie rule. `block` bounds the users in flight."""
    return rank_by_plans(model, [plan], block=block, progress=progress)[0]


def rank_by_plans(
    model: Scorer, plans: Sequence[RankPlan], *, block: int = 4096, progress: Callable[[int], None] | None = None
) -> list[Ranked]:
    """Ranks by several plans for the same users, such as those of thinner test sets, from one pass over the scores."""
    from heldout.targets.passes import Pass

    by_plan = [[Pass(plan, tie) for tie in plan.ties] for plan in plans]
    in_order = [{str(tie): Pass(plan, tie) for tie in plan.ties if tie.from_file} for plan in plans]
    places = _places(model) if any(in_order) else None
    everyone = plans[0].users
    starts = range(0, len(everyone), TILE)

    def work(at: int) -> int:
        users = everyone[at : at + TILE]
        padded = np.concatenate([users, np.repeat(users[-1:], TILE - len(users))]) if len(users) < TILE else users
        scores = floats(model.score(padded))
        for passes in by_plan:
            for counting in passes:
                counting.count(scores, at, at + len(users))
        if places is not None:
            ordered = floats(places(padded))
            for from_file in in_order:
                for counting in from_file.values():
                    counting.count(ordered, at, at + len(users))
        return len(users)

    per_block = max(1, block // TILE)
    for first in range(0, len(starts), per_block):
        for done in threads.run_all(work, starts[first : first + per_block]):
            if progress is not None:
                progress(done)
    several = []
    for passes, from_file in zip(by_plan, in_order, strict=True):
        by_choice = {key: ranks for counting in passes for key, ranks in counting.results()}
        for counting in from_file.values():
            for key, ranks in counting.results():  # which scores are equal is told by the scores, their order by the file
                by_choice[key] = replace(by_choice[key], rank=ranks.rank, lists=ranks.lists)
        several.append(Ranked(by_choice))
    return several


def _places(model: Scorer) -> Callable[[Int32], Floats]:
    """Numbers that fall as a model's file goes on, for ties in the order of the file; NotApplicableError without a file."""
    places: Callable[[Int32], Floats] | None = getattr(model, "places", None)
    if places is None:
        raise NotApplicableError(
            "these scores come from a model and have no order in a file", where="ties", found="file", hint=NO_FILE
        )
    return places


def without_head(ranks: Ranks, kept: Bool | None) -> Ranks:
    """The ranks of the rows that a target leaves in the test."""
    if kept is None:
        return ranks
    counts = np.bincount(expand(ranks.indptr)[kept], minlength=len(ranks.indptr) - 1)
    columns = {
        name: getattr(ranks, name)[kept]
        for name in ("rank", "above", "tied", "scored", "candidate", "score", "stratum")
        if getattr(ranks, name) is not None
    }
    return replace(ranks, indptr=frozen(np.append(0, np.cumsum(counts)), np.int64), **columns)


def split_for(split: Split, target: Target) -> Split:
    """The split with the test ratings that a target leaves: without those of the head, if it names one."""
    if target.form.head == 0:
        return split
    head = head_of(split, target.form.head)
    return replace(split, test=split.test.select(~head[split.test.item]))


SHARD = 8 * TILES_PER_COUNT * TILE
"""Users of a shard: whole tiles, and whole rounds of the tiles in which ties are counted."""
_BY_ROW = ("rank", "above", "tied", "scored", "candidate", "score", "stratum")
_BY_LIST = ("computed", "length", "targets", "pool")


def shards(plan: RankPlan) -> int:
    """How many shards the users of a plan make."""
    return -(-len(plan.users) // SHARD)


def shard_of(plan: RankPlan, number: int) -> RankPlan:
    """The plan for one shard of its users."""
    part = replace(plan, users=frozen(plan.users[number * SHARD : (number + 1) * SHARD], np.int32))
    part._known_sets.update(plan._known_sets)
    return part


def joined(parts: Sequence[Ranked]) -> Ranked:
    """The ranks of all users from those of the shards, in their order."""
    return Ranked({choice: _joined([part.by_choice[choice] for part in parts]) for choice in parts[0].by_choice})


def _joined(parts: Sequence[Ranks]) -> Ranks:
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in (*_BY_ROW, *_BY_LIST)
        if getattr(parts[0], name) is not None
    }
    lists = [part.lists for part in parts if part.lists is not None]
    return replace(
        parts[0],
        **columns,
        indptr=_pointers([part.indptr for part in parts]),
        lists=_joined_lists(lists) if lists else None,
    )


def _joined_lists(parts: Sequence[Rankings]) -> Rankings:
    return Rankings(
        frozen(np.concatenate([part.users for part in parts]), np.int32),
        frozen(_pointers([part.indptr for part in parts]), np.int64),
        frozen(np.concatenate([part.item for part in parts]), np.int32),
        frozen(np.concatenate([part.score for part in parts]), np.float64),
    )


def _pointers(parts: Sequence[Int64]) -> Int64:
    """Pointers of rows one after another."""
    return np.append(0, np.cumsum(np.concatenate([np.diff(part) for part in parts]))).astype(np.int64)
