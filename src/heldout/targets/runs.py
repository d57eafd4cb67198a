"""Runs that any system produced, put in order: external ids and scores → Rankings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from heldout.errors import InputError
from heldout.tables import Interactions, Rankings, Vocabulary
from heldout.tables.arrays import Bool, Float64, Int32, Int64, frozen, pointers
from heldout.tables.ordering import order_of
from heldout.targets.tie_rule import TieRule


@dataclass(frozen=True)
class RunCounts:
    """What of a run could not be used."""

    unknown_users: int
    """Users of the run who are not tested."""
    training: int
    """Ranked items that the user rated in training: dropped."""


def rank_run(
    user_id: pl.Series,
    item_id: pl.Series,
    score: Float64,
    *,
    users: Vocabulary,
    items: Vocabulary,
    ties: TieRule,
    train: Interactions | None = None,
    tested: Bool | None = None,
    name: str = "run",
) -> tuple[Rankings, RunCounts]:
    """Lists by descending score under the tie rule.

    `items` must know every item of the run; users who are unknown or not `tested` are left out and counted. A
    pair with two scores is an error, as is a run none of whose users is tested.
    """
    if len(score) == 0:
        raise InputError("contains no recommendations", file=name)
    rankings, counts = rank_some(
        user_id, items.encode(item_id), score, users=users, items=items, ties=ties, train=train, tested=tested, name=name
    )
    if not len(rankings.users) and not counts.training:
        raise none_tested(counts.unknown_users, user_id[0], name)
    return rankings, counts


def none_tested(users: int, first: object, name: str) -> InputError:
    """The error for a run without a tested user."""
    return InputError(
        f"none of its {users:,} users is in the test set",
        file=name,
        found=str(first),
        expected="users of the test set",
        hint="check that the run and the test set use the same user ids",
    )


def rank_some(
    user_id: pl.Series,
    item: Int32,
    score: Float64,
    *,
    users: Vocabulary,
    items: Vocabulary,
    ties: TieRule,
    train: Interactions | None = None,
    tested: Bool | None = None,
    name: str = "run",
) -> tuple[Rankings, RunCounts]:
    """As `rank_run`, of items in codes and of lists among which there may be none of a tested user."""
    user = users.encode(user_id)
    if tested is not None and not tested.all():
        user = np.where((user >= 0) & tested[user], user, np.int32(-1))
    unknown = 0
    if len(user) and user.min() < 0:
        is_tested = user >= 0
        unknown = int(user_id.filter(pl.Series(~is_tested)).n_unique())
        user, item, score = user[is_tested], item[is_tested], score[is_tested]
    if (user[1:] < user[:-1]).any():
        order = order_of(user, pointers(user, len(users)))
        user, item, score = user[order], item[order], score[order]
    training = 0
    if train is not None:
        seen = _in(train, user, item)
        training = int(seen.sum())
        if training:
            user, item, score = user[~seen], item[~seen], score[~seen]
    return _ordered(user, item, score, users, items, ties, name), RunCounts(unknown, training)


def _ordered(
    user: Int32, item: Int32, score: Float64, users: Vocabulary, items: Vocabulary, ties: TieRule, name: str
) -> Rankings:
    from heldout.kernels.lists import first_repeat, in_order, sort_lists

    if ties.casts:
        score = score.astype(np.float32).astype(np.float64)
    every = pointers(user, len(users))
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
