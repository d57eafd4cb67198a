"""Runs that any system produced: their lists in order, and their ranks under the protocols that they can serve."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from heldout.errors import InputError, NotApplicableError
from heldout.tables import Interactions, Rankings, Split, Vocabulary
from heldout.tables.arrays import Bool, Float32, Float64, Int32, Int64, expand, frozen, take_rows
from heldout.tables.ordering import counted, order_of
from heldout.targets.ranker import Ranked, RankPlan, Ranks, rank
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.target import Target
from heldout.targets.tie_rule import TieRule


@dataclass(frozen=True)
class RunCounts:
    """What of a run could not be used."""

    unknown_users: int
    """Users of the run who are not tested."""
    training: int
    """Ranked items that the user rated in training: dropped."""


def none_tested(users: int, first: object, name: str) -> InputError:
    """The error for a run without a tested user."""
    return InputError(
        f"none of its {users:,} users is in the test set",
        file=name,
        found=str(first),
        expected="users of the test set",
        hint="check that the run and the test set use the same user ids",
    )


def rank_run(
    user: Int32,
    item: Int32,
    score: Float64,
    *,
    users: Vocabulary,
    items: Vocabulary,
    ties: TieRule,
    train: Interactions | None = None,
    name: str = "run",
) -> tuple[Rankings, int]:
    """Lists by descending score under the tie rule, and how many training items were dropped from them.

    Rows are in codes; those of user −1 are left out. A pair with two scores is an error.
    """
    if len(user) and user.min() < 0:
        is_tested = user >= 0
        user, item, score = user[is_tested], item[is_tested], score[is_tested]
    if (user[1:] < user[:-1]).any():
        order = order_of(user, counted(user, len(users)))
        user, item, score = user[order], item[order], score[order]
    training = 0
    if train is not None:
        seen = _in(train, user, item)
        training = int(seen.sum())
        if training:
            user, item, score = user[~seen], item[~seen], score[~seen]
    return _ordered(user, item, score, users, items, ties, name), training


def _ordered(
    user: Int32, item: Int32, score: Float64, users: Vocabulary, items: Vocabulary, ties: TieRule, name: str
) -> Rankings:
    from heldout.kernels.lists import first_repeat, in_order, sort_lists

    if ties.casts:
        score = score.astype(np.float32).astype(np.float64)
    every = counted(user, len(users))
    listed = np.flatnonzero(np.diff(every)).astype(np.int32)
    indptr: Int64 = np.append(every[listed], every[-1])
    repeat = first_repeat(indptr, item, len(items))
    if repeat >= 0:
        raise InputError(
            "two scores for one pair",
            file=name,
            found=[f"user {users.ids[user[repeat]]}", f"item {items.ids[item[repeat]]}"],
            expected="each pair of user and item once",
        )
    if ties.from_file:
        order = np.lexsort((-score, user))  # stable: equal scores stay in the order of the rows
        item, score = item[order], score[order]
        return Rankings(
            frozen(listed, np.int32), frozen(indptr, np.int64), frozen(item, np.int32), frozen(score, np.float64)
        )
    tie = ties.keys(items)
    if not in_order(indptr, score, item, tie):
        item, score = item.copy(), score.copy()
        sort_lists(indptr, score, item, tie)
    if ties.draws(0):
        from heldout.kernels.short_lists import shuffle_ties

        item = item.copy()
        shuffle_ties(indptr, listed, score, item, np.uint64(ties.draws(0)))
    return Rankings(frozen(listed, np.int32), frozen(indptr, np.int64), frozen(item, np.int32), frozen(score, np.float64))


def _in(train: Interactions, user: Int32, item: Int32) -> Bool:
    """Which pairs are training ratings."""
    width = train.n_items
    pairs = train.user.astype(np.int64) * width + train.item
    wanted = user.astype(np.int64) * width + item
    at = np.searchsorted(pairs, wanted)
    at[at == len(pairs)] = 0
    return np.asarray(pairs[at] == wanted) if len(pairs) else np.zeros(len(wanted), bool)


class RunModel:
    """A run as a model: what it ranks has a score, whole numbers that fall where the run's scores do; the rest has none."""

    def __init__(self, rankings: Rankings, n_items: int) -> None:
        self.rankings, self.n_items = rankings, n_items
        of_list = expand(rankings.indptr)
        self.order = (rankings.indptr[of_list] - np.arange(len(of_list))).astype(np.float32)
        lower = np.zeros(len(rankings.item), np.int64)
        lower[1:] = (of_list[1:] == of_list[:-1]) & (rankings.score[1:] < rankings.score[:-1])
        total = np.cumsum(lower)
        self.place = (total[rankings.indptr[:-1].clip(max=max(len(total) - 1, 0))][of_list] - total).astype(np.float32)

    def score(self, users: Int32) -> Float32:
        """Scores of all items for these users; NaN for what their lists lack."""
        return self._spread(users, self.place)

    def places(self, users: Int32) -> Float32:
        """The same with scores that fall strictly in the order of the lists, so that no two are equal."""
        return self._spread(users, self.order)

    def _spread(self, users: Int32, of_entry: Float32) -> Float32:
        out = np.full((len(users), self.n_items), np.nan, np.float32)
        at = np.searchsorted(self.rankings.users, users).clip(max=max(len(self.rankings) - 1, 0))
        listed = np.flatnonzero(self.rankings.users[at] == users) if len(self.rankings) else np.empty(0, np.int64)
        indptr, entries = take_rows(self.rankings.indptr, at[listed])
        row, item = listed[expand(indptr)], self.rankings.item[entries]
        inside = item >= 0
        out[row[inside], item[inside]] = of_entry[entries][inside]
        return out


def rank_lists_of_run(
    rankings: Rankings,
    test: Interactions,
    train: Interactions | None,
    users: Int32,
    target: Target,
    ties: TieRule,
    *,
    relevances: tuple[RelevanceRule, ...],
    seed: int,
    depth: int = 0,
) -> tuple[RankPlan, Ranked]:
    """Ranks of a run under a target; NotApplicableError says what is not known of the training set."""
    form = target.form
    if train is None and (form.candidates == "training" or form.head or form.percentiles > 1):
        what = "which items have a training rating" if form.candidates == "training" else "how popular items are"
        raise NotApplicableError(f"{target} needs to know {what}", where="target", hint="pass the training set: train=…")
    split = Split(train=train if train is not None else test.select(np.zeros(len(test), bool)), test=test)
    plan = RankPlan(
        split=split,
        users=users,
        targets=(target,),
        fallbacks={"none": None},
        ties=(ties,),
        seed=seed,
        relevances=relevances,
        depth=depth,
        count_ties=True,
    )
    ranked = rank(RunModel(rankings, test.n_items), plan)
    score = scores_of_rows(rankings, plan)
    kept = plan.kept_rows(target)
    own = score if kept is None else score[kept]
    return plan, Ranked({key: replace(ranks, score=own) for key, ranks in ranked})


def scores_of_rows(rankings: Rankings, plan: RankPlan) -> Float64:
    """The run's own score of every test rating; NaN if its lists lack the item."""
    indptr, item = plan.rows
    width = plan.split.test.n_items + 1
    user = plan.users[expand(indptr)].astype(np.int64)
    listed = rankings.users[expand(rankings.indptr)].astype(np.int64) * width + rankings.item + 1
    order = np.argsort(listed)
    at = np.searchsorted(listed, user * width + item + 1, sorter=order).clip(max=max(len(listed) - 1, 0))
    out = np.full(len(item), np.nan)
    if len(listed):
        met = listed[order[at]] == user * width + item + 1
        out[met] = rankings.score[order[at[met]]]
    return out


def refuse_lacking(ranks: Ranks, plan: RankPlan, relevant: Bool, rankings: Rankings, name: str) -> None:
    """Raise NotApplicableError if a run lacks items whose order a target needs, with the first of them."""
    form = ranks.target.form
    if not (form.own or form.sample is not None):
        return
    test = plan.split.test
    kept = plan.kept_rows(ranks.target)
    item = plan.rows[1] if kept is None else plan.rows[1][kept]
    owner = expand(ranks.indptr)
    needed = ranks.candidate if form.own or not form.single else ranks.candidate & relevant
    missing = np.flatnonzero(needed & ~ranks.scored)
    length = int(rankings.length.max(initial=0))
    cut = f"a run of at most {length:,} items per user cannot show where"
    if len(missing):
        user, first_item = test.users.ids[plan.users[owner[missing[0]]]], test.items.ids[item[missing[0]]]
        others = "the user's test items" if form.own else "sampled items"
        raise NotApplicableError(
            f"the run {name} lacks {len(missing):,} of the {int(needed.sum()):,} test items that {ranks.target} ranks: "
            f"{cut} an item ranks among {others}",
            where="target",
            found=f"no score of item {first_item} for user {user}",
            expected="scores of all test items",
            hint="write a run with scores of all items, or use AllItems",
        )
    lists = np.unique(ranks.unit[needed]) if form.single else np.arange(len(ranks.targets))
    short = lists[ranks.computed[lists] < ranks.targets[lists]]
    if len(short):
        first = short[0]
        user = test.users.ids[plan.users[first // form.percentiles]]
        computed, targets = int(ranks.computed[first]), int(ranks.targets[first])
        raise NotApplicableError(
            f"the run {name} lacks sampled items of {len(short):,} users: {cut} they rank",
            where="target",
            found=f"scores of {computed:,} of {targets:,} items for user {user}",
            expected="scores of all sampled items",
            hint="write a run with scores of all items, or use AllItems",
        )
