"""What one tie rule makes of the scores: arrays that are filled tile by tile, and the ranks that they become."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from heldout.tables import Rankings
from heldout.tables.arrays import Float32, Float64, Floats, Int32, Int64, expand, frozen, take_rows
from heldout.targets.atoms import Atoms, key_of
from heldout.targets.ranker import TILE, TILES_PER_COUNT, RankPlan, Ranks, split_for, without_head
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.target import Form, Target
from heldout.targets.tie_rule import TieRule

_USERS_AT_ONCE = 1 << 13
Key = tuple[str, str, str, str]


@dataclass(frozen=True, eq=False, kw_only=True)
class _Short:
    """A protocol whose lists are gathered: a sample, or the user's own test items."""

    target: Target
    form: Form
    rule: RelevanceRule | None
    rank: Any
    above: Any
    tied: Any
    """Fallbacks × rows."""
    computed: Int32
    size: Int32
    sampled: Int32
    pool: Int64
    """Of each list."""
    inside: Any
    """Which rows are in their list."""
    source: tuple[Any, ...]
    """What is sampled from: see `sample_lists`."""
    leaves: Any
    joins: Any
    """Rows that are not sampled; rows that are in the list whether sampled or not."""


class Pass:
    """The arrays that one tie rule fills; tiles touch disjoint parts."""

    def __init__(self, plan: RankPlan, tie_rule: TieRule) -> None:
        self.plan, self.tie_rule = plan, tie_rule
        split = plan.split
        self.tie = np.ascontiguousarray(tie_rule.keys(split.train.items))
        self.key = np.uint64(tie_rule.draws(split.fold))
        self.sample_key = np.uint64(plan.sample_key())
        self.indptr, self.item = plan.rows
        n_rows, n_users = len(self.item), len(plan.users)
        wide = [t for t in plan.targets if not t.form.own and t.form.sample is None]
        self.set_keys = list(dict.fromkeys(key_of(t.form) for t in wide))
        by_key = {key_of(t.form): plan.candidates(t) for t in wide}
        self.sets = [by_key[key] for key in self.set_keys]
        self.atoms = Atoms.of(self.sets, split.train.n_items)
        self.columns = self.atoms.columns(self.tie)
        self.by_tie = np.argsort(self.tie, kind="stable").astype(np.int32)
        self.most_rows = int(np.diff(self.indptr).max(initial=0))
        self.row_order = self._row_order()
        self.fallback = _numbered([order for order in plan.fallbacks.values() if order is not None], split.train.n_items)
        shape = (len(self.fallback), len(self.sets), n_rows)
        self.by_set = tuple(np.zeros(shape, np.int32) for _ in range(3))
        self.computed = np.zeros((n_users, self.atoms.n if self.sets else 0), np.int32)
        self.score = np.full(n_rows, np.nan)
        self.short = [self._short(t, rule) for t in plan.targets for rule in plan.rules(t) if t not in wide]
        self.lists = self._room_for_lists()

    def _row_order(self) -> Int64:
        """Every user's rows by their tie keys; found for some users at a time, which takes less memory."""
        order = np.empty(len(self.item), np.int64)
        for low in range(0, len(self.plan.users), _USERS_AT_ONCE):
            of_users = self.indptr[low : low + _USERS_AT_ONCE + 1]
            here = slice(of_users[0], of_users[-1])
            order[here] = np.lexsort((self.tie[self.item[here]], expand(of_users))) + of_users[0]
        return order

    def _short(self, target: Target, rule: RelevanceRule | None) -> _Short:
        form = target.form
        n_rows, n_lists = len(self.item), len(self.plan.users) * form.percentiles
        relevant = np.zeros(n_rows, bool)
        if rule is not None:
            split, kept = split_for(self.plan.split, target), self.plan.kept_rows(target)
            is_relevant = rule.judge(split.test, self.plan.users, 1.0, train=split.train).relevant
            relevant[slice(None) if kept is None else kept] = is_relevant
        unrated = form.pool == "unrated"
        by_row = (len(self.fallback), n_rows)
        return _Short(
            target=target,
            form=form,
            rule=rule,
            rank=np.zeros(by_row, np.int32),
            above=np.zeros(by_row, np.int32),
            tied=np.zeros(by_row, np.int32),
            computed=np.zeros(n_lists, np.int32),
            size=np.zeros(n_lists, np.int32),
            sampled=np.zeros(n_lists, np.int32),
            pool=np.zeros(n_lists, np.int64),
            inside=np.zeros(n_rows, bool),
            source=() if form.own else self._source(target),
            leaves=np.ones(n_rows, bool) if unrated else relevant,
            joins=np.zeros(n_rows, bool) if form.single else relevant,
        )

    def _room_for_lists(self) -> dict[tuple[int, int, int], tuple[Any, Any, Any]]:
        """(target, relevance rule, fallback) → length, item and score of each user's first items."""
        plan = self.plan
        depths = {
            (t, r, f): plan.depth
            for t, target in enumerate(plan.targets)
            for r in range(len(plan.rules(target)))
            for f in range(len(self.fallback))
            if plan.depth and not target.single
        }
        if plan.pictured > plan.depth and self.tie_rule == plan.ties[0] and not plan.targets[0].single:
            leaves_out = next(iter(plan.fallbacks.values())) is None
            depths[0, 0, 0 if leaves_out else 1] = plan.pictured
        return {choice: self._room(min(depth, plan.split.train.n_items)) for choice, depth in depths.items()}

    def _room(self, depth: int) -> tuple[Any, Any, Any]:
        shape = (len(self.plan.users), depth)
        return np.zeros(shape[0], np.int32), np.zeros(shape, np.int32), np.zeros(shape)

    def count(self, scores: Floats, low: int, high: int) -> None:
        """Rank the rated items of the users low…high−1, whose scores these are."""
        from heldout.kernels import ranks
        from heldout.kernels.short_lists import scores_of_rows

        first, last = int(self.indptr[low]), int(self.indptr[high])
        here = slice(first, last)
        row_indptr, row_item = self.indptr[low : high + 1] - first, self.item[here]
        users, train = self.plan.users[low:high], self.plan.split.train
        scores_of_rows(scores, row_indptr, row_item, self.score[here])
        if self.tie_rule.casts:
            scores = _rounded(scores)
        if self.sets:
            rank, above, tied = self.by_set
            ranks.rank_candidates(
                scores,
                users,
                self.columns,
                train.user_indptr,
                train.item,
                self.indptr[low : high + 1],
                self.item,
                self.row_order,
                self.fallback,
                self.plan.count_ties or self.tie_rule.counts or low // TILE % TILES_PER_COUNT == 0,
                self.key,
                self.by_tie if self.most_rows >= ranks.SORT_FROM else None,
                rank,
                above,
                tied,
                self.computed[low:high],
            )
        for short in self.short:
            self._count_short(short, scores, low, high, row_indptr, row_item)
        for (t, _, f), room in self.lists.items():
            if not (self.plan.targets[t].form.own or self.plan.targets[t].form.sample):
                self._list_candidates(scores, low, high, t, f, room)

    def _count_short(self, short: _Short, scores: Floats, low: int, high: int, row_indptr: Int64, row_item: Int32) -> None:
        from heldout.kernels.sampling import sample_lists
        from heldout.kernels.short_lists import rank_lists

        here = slice(int(self.indptr[low]), int(self.indptr[high]))
        users, form = self.plan.users[low:high], short.form
        n_lists = (high - low) * form.percentiles
        lists = slice(low * form.percentiles, high * form.percentiles)
        if form.own:
            indptr, item = row_indptr, row_item
            row_list = expand(row_indptr)
            short.inside[here] = True
        else:
            wanted = int(form.sample or 0)
            pool_indptr, pool, class_of = short.source
            indptr, row_list = np.zeros(n_lists + 1, np.int64), np.empty(len(row_item), np.int64)
            item = np.empty(n_lists * wanted + len(row_item) + wanted, np.int32)
            train = self.plan.split.train
            sample_lists(
                self.sample_key,
                users,
                pool_indptr,
                pool,
                class_of,
                train.user_indptr,
                train.item,
                row_indptr,
                row_item,
                short.leaves[here],
                short.joins[here],
                wanted,
                indptr,
                item,
                short.sampled[lists],
                short.pool[lists],
                row_list,
                short.inside[here],
            )
        np.subtract(indptr[1:], indptr[:-1], out=short.size[lists], casting="same_kind")
        rank_lists(
            scores, users, self.tie, self.key, indptr, item, row_indptr, row_item, row_list, short.inside[here],
            self.fallback, here.start, short.rank, short.above, short.tied, short.computed[lists],
        )  # fmt: skip
        if self.lists:
            t, r = self.plan.targets.index(short.target), self.plan.rules(short.target).index(short.rule)
            for f in range(len(self.fallback)):
                if (t, r, f) in self.lists:
                    self._list_short(scores, users, indptr, item, f, [a[low:high] for a in self.lists[t, r, f]])

    def _list_candidates(self, scores: Floats, low: int, high: int, t: int, f: int, room: Any) -> None:
        from heldout.kernels.topn import top_candidates

        train = self.plan.split.train
        member = self.plan.candidates(self.plan.targets[t]).member
        top_candidates(
            scores,
            self.plan.users[low:high],
            member,
            train.user_indptr,
            train.item,
            self.by_tie,
            self.key,
            self.fallback[f] if f else np.empty(0, np.float32),
            *(a[low:high] for a in room),
        )

    def _list_short(self, scores: Floats, users: Int32, indptr: Int64, item: Int32, f: int, room: Any) -> None:
        from heldout.kernels.topn import top_lists

        fallback = self.fallback[f] if f else np.empty(0, np.float32)
        top_lists(scores, users, indptr, item, self.tie, self.key, fallback, *room)

    def _source(self, target: Target) -> tuple[Any, ...]:
        """The items of each class to sample from, and the class of each item, −1 if it is no candidate."""
        candidates = self.plan.candidates(target)
        class_of = np.where(candidates.member, candidates.stratum, -1).astype(np.int32)
        pool = np.flatnonzero(candidates.member)
        pool = pool[np.argsort(candidates.stratum[pool], kind="stable")].astype(np.int32)
        return np.append(0, np.cumsum(candidates.size)).astype(np.int64), pool, class_of

    def results(self) -> Iterator[tuple[Key, Ranks]]:
        """The ranks under every target, relevance rule and fallback."""
        for t, target in enumerate(self.plan.targets):
            kept = self.plan.kept_rows(target)
            for rule in self.plan.rules(target):
                at = 0
                for name, order in self.plan.fallbacks.items():
                    at += order is not None
                    f = at if order is not None else 0
                    ranks = self._result(t, target, rule, f)
                    key = (str(target), "" if rule is None else str(rule), name, str(self.tie_rule))
                    yield key, without_head(ranks, kept)

    def _result(self, t: int, target: Target, rule: RelevanceRule | None, f: int) -> Ranks:
        form = target.form
        stratum = None if form.percentiles == 1 else self.plan.candidates(target).stratum[self.item]
        score = self.score
        lists = self._rankings(t, self.plan.rules(target).index(rule), f)
        if form.own or form.sample is not None:
            short = next(s for s in self.short if s.target == target and s.rule == rule)
            targets, computed = short.size, short.computed
            length = targets if f else computed
            candidate = short.inside if not form.single else self.plan.candidates(target).member[self.item]
            rank = np.where(candidate, short.rank[f], 0).astype(np.int32)
            above, tied, pool = short.above[f], short.tied[f], None if form.own else short.pool
        else:
            g = self.set_keys.index(key_of(form))
            rank, above, tied = (a[f, g] for a in self.by_set)
            computed, targets = self._set_computed(g), self._set_sizes(g)
            length, pool = targets if f else computed, None
            candidate = self.sets[g].member[self.item]
        return Ranks(
            target=target,
            indptr=self.indptr,
            rank=rank,
            above=above,
            tied=tied,
            computed=computed,
            length=length,
            targets=targets,
            scored=~np.isnan(score),
            candidate=candidate,
            score=score,
            stratum=stratum,
            pool=pool,
            lists=lists,
            expected=self.tie_rule.expects,
        )

    def _set_computed(self, g: int) -> Int32:
        """Scored targets of each user and class: those of the class's atoms together."""
        computed = np.zeros((len(self.computed), self.sets[g].percentiles), np.int32)
        for a in np.flatnonzero(self.atoms.sets[g]):
            computed[:, self.atoms.classes[g, a]] += self.computed[:, a]
        return computed.reshape(-1)

    def _set_sizes(self, g: int) -> Int32:
        """|T_u| of each class: the candidates less the user's training items among them."""
        candidates, train = self.sets[g], self.plan.split.train
        classes = candidates.percentiles
        sizes = np.empty((len(self.plan.users), classes), np.int32)
        for low in range(0, len(sizes), _USERS_AT_ONCE):
            users = self.plan.users[low : low + _USERS_AT_ONCE]
            indptr, rows = take_rows(train.user_indptr, users)
            item = train.item[rows]
            inside = candidates.member[item]
            place = expand(indptr)[inside] * classes + candidates.stratum[item[inside]]
            mine = np.bincount(place, minlength=len(users) * classes).reshape(-1, classes)
            sizes[low : low + len(users)] = candidates.size - mine
        return sizes.reshape(-1)

    def _rankings(self, t: int, r: int, f: int) -> Rankings | None:
        if (t, r, f) not in self.lists:
            return None
        length, item, score = self.lists[t, r, f]
        filled = np.arange(item.shape[1]) < length[:, None]
        return Rankings(
            frozen(self.plan.users, np.int32),
            frozen(np.append(0, np.cumsum(length, dtype=np.int64)), np.int64),
            frozen(item[filled], np.int32),
            frozen(score[filled], np.float64),
        )


def _rounded(scores: Floats) -> Float32:
    """Scores in single precision, in which near ones may tie and huge ones are infinite."""
    with np.errstate(over="ignore"):
        return scores.astype(np.float32, copy=False)


def _numbered(orders: list[Float64], n_items: int) -> Float32:
    """Fallback orders as whole numbers, equal where the order is, higher first; the first row is for "leave out"."""
    table = np.full((len(orders) + 1, n_items), np.nan, np.float32)
    for f, order in enumerate(orders, start=1):
        ordered = np.where(np.isnan(order), -np.inf, order)
        table[f] = np.unique(ordered, return_inverse=True)[1].astype(np.float32)
    return table
