"""Ranking by counting: one pass over a system's scores serves every protocol asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from heldout import rng, threads
from heldout.errors import InputError, NotApplicableError
from heldout.tables import Split
from heldout.tables.arrays import Bool, Float32, Float64, Int32, Int64, Ints, frozen, take_rows
from heldout.target.target import Target
from heldout.target.tie_rule import TieRule

TILE = 64
"""Users scored at a time; the last tile is padded, so every product has the same shape."""


class Scorer(Protocol):
    """What the ranker needs of a fitted model."""

    def score(self, users: Int32) -> Float32:
        """Scores of all items for a tile of users, NaN where there is none."""
        ...


@dataclass(frozen=True, eq=False)
class Ranks:
    """Where each user's rated test items rank under one target protocol, fallback and tie rule."""

    target: Target
    indptr: Int64
    """Rows of each user."""
    rank: Int32
    """For every row its rank, 0 where the item is not ranked."""
    above: Int32
    tied: Int32
    computed: Int32
    """Targets of each user that the system scored; for sampled targets, of the sample alone."""
    length: Int32
    """Targets ranked, fallback included; for sampled targets, of the sample alone."""
    targets: Int32
    """Targets to be ranked; for sampled targets, the sample alone."""
    scored: Bool
    """Which rows the system itself scored."""
    candidate: Bool
    """Which rows are targets at all."""


@dataclass(frozen=True, eq=False)
class RankPlan:
    """What is to be ranked: the same for all systems of a split."""

    split: Split
    users: Int32
    targets: tuple[Target, ...]
    fallbacks: dict[str, Float64 | None]
    """Text form → order of the items that are not computable; None leaves them out."""
    ties: tuple[TieRule, ...]
    seed: int

    def __post_init__(self) -> None:
        if len(self.users) == 0:
            raise InputError("no user is left to be tested", hint="loosen the rules under `users` or change the split")
        sizes = {t.sample_size for t in self.targets if t.sample_size}
        pool = int(np.count_nonzero(self.split.test.item_counts))
        if sizes and max(sizes) > pool:
            raise NotApplicableError(
                f"{max(sizes)} items cannot be sampled from {pool} candidates", where="target", hint=f"choose at most {pool}"
            )

    @cached_property
    def rows(self) -> tuple[Int64, Int32]:
        """Pointers and items of the users' test ratings."""
        indptr, rows = take_rows(self.split.test.user_indptr, self.users)
        return indptr, frozen(self.split.test.item[rows], np.int32)

    @cached_property
    def _atoms(self) -> tuple[Int64, Bool, list[str]]:
        """Atom of each item, candidate sets × atoms, and the names of the sets."""
        in_test = self.split.test.item_counts > 0
        in_train = self.split.train.item_counts > 0
        atom = in_test * 2 + in_train
        names: list[str] = sorted({t.candidates for t in self.targets if t.competition == "candidates"})
        kinds = np.arange(4)
        member = {"all": kinds >= 0, "test": kinds >= 2, "training": kinds % 2 == 1}
        return atom.astype(np.int64), np.array([member[n] for n in names], dtype=bool).reshape(-1, 4), names

    def _columns(self, tie: Int32) -> tuple[Int32, Int64]:
        """Items in column order (by atom, then tie key) and where each atom begins."""
        atom, _, _ = self._atoms
        order = np.lexsort((tie, atom)).astype(np.int32)
        start = np.concatenate([[0], np.cumsum(np.bincount(atom, minlength=4))]).astype(np.int64)
        return order, start

    def sample_key(self) -> int:
        """The key of all samples of this split."""
        return rng.key(self.seed, "target sample", self.split.fold)


def rank(
    model: Scorer, plan: RankPlan, *, block: int = 4096, progress: Callable[[int], None] | None = None
) -> dict[tuple[str, str, str], Ranks]:
    """Ranks under every (target, fallback, ties), keyed by text forms. `block` bounds the users in flight."""
    passes = [_Pass(plan, tie) for tie in plan.ties]
    starts = range(0, len(plan.users), TILE)

    def work(at: int) -> int:
        users = plan.users[at : at + TILE]
        padded = np.concatenate([users, np.repeat(users[-1:], TILE - len(users))]) if len(users) < TILE else users
        scores = model.score(padded)
        for one in passes:
            one.count(scores, at, at + len(users))
        return len(users)

    per_block = max(1, block // TILE)
    for first in range(0, len(starts), per_block):
        for done in threads.run_all(work, starts[first : first + per_block]):
            if progress is not None:
                progress(done)
    return {key: ranks for one in passes for key, ranks in one.results().items()}


class _Pass:
    """The arrays that one tie rule fills, tile by tile; tiles touch disjoint parts."""

    def __init__(self, plan: RankPlan, tie_rule: TieRule) -> None:
        self.plan, self.tie_rule = plan, tie_rule
        self.tie = tie_rule.keys(plan.split.train.items)
        self.order, self.start = plan._columns(self.tie)
        _, self.sets, self.set_names = plan._atoms
        n_rows, n_users, n_items = int(plan.rows[0][-1]), len(plan.users), plan.split.train.n_items
        self.fallback = np.full((len(plan.fallbacks) + 1, n_items), -np.inf)
        for f, order in enumerate(plan.fallbacks.values(), start=1):
            if order is not None:
                self.fallback[f] = np.where(np.isnan(order), -np.inf, order)
        shape = (len(self.fallback), len(self.sets), n_rows)
        self.by_set = tuple(np.zeros(shape, np.int32) for _ in range(3))
        self.set_computed = np.zeros((len(self.sets), n_users), np.int32)
        self.scored = np.zeros(n_rows, bool)
        others = [t for t in plan.targets if t.competition != "candidates"]
        flat = (len(self.fallback), n_rows)
        self.others = {
            str(t): (
                t,
                tuple(np.zeros(flat, np.int32) for _ in range(3)),
                np.zeros(n_users, np.int32),
                np.zeros(n_users, np.int32),
            )
            for t in others
        }

    def count(self, scores: Float32, low: int, high: int) -> None:
        from heldout.kernels import ranks, sampling

        plan = self.plan
        indptr, item = plan.rows
        train = plan.split.train
        users = plan.users[low:high]
        first, last = int(indptr[low]), int(indptr[high])
        row_indptr, row_item = indptr[low : high + 1] - first, item[first:last]
        here = slice(first, last)
        own = np.repeat(np.arange(high - low), np.diff(row_indptr))
        self.scored[here] = ~np.isnan(scores[own, row_item])
        if len(self.sets):
            rank, above, tied = (a[:, :, here] for a in self.by_set)
            ranks.count_candidates(
                scores,
                users,
                self.order,
                self.start,
                self.sets,
                self.tie,
                train.user_indptr,
                train.item,
                row_indptr,
                row_item,
                self.fallback,
                rank,
                above,
                tied,
                self.set_computed[:, low:high],
            )
        for target, arrays, computed, targets in self.others.values():
            rank, above, tied = (a[:, here] for a in arrays)
            if target.competition == "own":
                ranks.count_own(
                    scores, high - low, self.tie, row_indptr, row_item, self.fallback, rank, above, tied, computed[low:high]
                )
                targets[low:high] = np.diff(row_indptr)
            else:
                sample = np.zeros((high - low, target.sample_size), np.int32)
                pool = np.flatnonzero(plan.split.test.item_counts).astype(np.int32)
                sampling.sample_unrated(
                    np.uint64(plan.sample_key()),
                    users,
                    pool,
                    train.n_items,
                    train.user_indptr,
                    train.item,
                    row_indptr,
                    row_item,
                    sample,
                    targets[low:high],
                )
                ranks.count_sample(
                    scores,
                    high - low,
                    self.tie,
                    sample,
                    targets[low:high],
                    row_indptr,
                    row_item,
                    self.fallback,
                    rank,
                    above,
                    tied,
                    computed[low:high],
                )

    def results(self) -> dict[tuple[str, str, str], Ranks]:
        out = {}
        for target in self.plan.targets:
            for f, (name, order) in enumerate(self.plan.fallbacks.items(), start=1):
                out[str(target), name, str(self.tie_rule)] = self._result(target, f if order is not None else 0)
        return out

    def _result(self, target: Target, f: int) -> Ranks:
        indptr, item = self.plan.rows
        candidate = np.ones(len(item), bool)
        if target.competition == "candidates":
            g = self.set_names.index(target.candidates)
            rank, above, tied = (a[f, g] for a in self.by_set)
            computed = self.set_computed[g]
            targets = self._set_sizes(g)
            candidate = self.sets[g][self.plan._atoms[0][item]]
        else:
            _, arrays, computed, targets = self.others[str(target)]
            rank, above, tied = (a[f] for a in arrays)
        length = targets if f else computed
        return Ranks(target, indptr, rank, above, tied, computed, length, targets, self.scored, candidate)

    def _set_sizes(self, g: int) -> Int32:
        """|T_u|: the candidates less the user's training items among them."""
        atom, sets, _ = self.plan._atoms
        inside = sets[g][atom]
        train = self.plan.split.train
        mine = np.bincount(train.user, inside[train.item], train.n_users)[self.plan.users]
        return (np.count_nonzero(inside) - mine).astype(np.int32)


def plan_users(masks: Sequence[Bool]) -> Int32:
    """The users that any of the masks keeps."""
    kept: Any = np.logical_or.reduce(masks)
    return np.flatnonzero(kept).astype(np.int32)


__all__ = ["TILE", "Ints", "RankPlan", "Ranks", "Scorer", "plan_users", "rank"]
