"""Rankings × relevance → Judged: the one place where lists meet what is known of the users' taste."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.tables import Judged, Rankings, Relevance
from heldout.tables.arrays import Bool, Float64, Int32, Int64, expand, frozen, take_rows
from heldout.targets.ranker import Ranks


def judge_ranks(ranks: Ranks, relevance: Relevance) -> Judged:
    """Judge ranks found by counting; `relevance` holds the same rows as the ranks."""
    form = ranks.target.form
    if form.sample is None and not form.own and (form.single or form.pool == "unrated"):
        ranks = _competing(ranks, relevance)
    return _judge_single(ranks, relevance) if form.single else _judge_lists(ranks, relevance)


def _competing(ranks: Ranks, relevance: Relevance) -> Ranks:
    """Ranks among all candidates, made ranks among those that compete: a user's other rated items leave the list.

    In single lists these are the other relevant items, or all rated ones where the pool is of unrated items; what stays of
    `computed`, `length` and `targets` is then without any of the user's relevant items.
    """
    from heldout.kernels.ranks import leave_out

    form = ranks.target.form
    leaves = ranks.candidate & (relevance.relevant if form.single else ~relevance.relevant)
    if form.single and form.pool == "unrated":
        leaves = ranks.candidate
    rank, above, tied = (np.empty(len(leaves), np.int32) for _ in range(3))
    leave_out(
        frozen(ranks.unit, np.int64), ranks.indptr, ranks.rank, ranks.above, ranks.tied, frozen(leaves, np.bool_), rank,
        above, tied,
    )  # fmt: skip
    if not form.single:
        rank[leaves] = 0

    def less(of_unit: Int32, gone: Bool) -> Int32:
        return (of_unit - np.bincount(ranks.unit[gone], minlength=len(of_unit))).astype(np.int32)

    return replace(
        ranks,
        rank=rank,
        above=above,
        tied=tied,
        computed=less(ranks.computed, leaves & ranks.scored),
        length=less(ranks.length, leaves & (ranks.rank > 0)),
        targets=less(ranks.targets, leaves),
        candidate=ranks.candidate if form.single else ranks.candidate & ~leaves,
        lists=None,
    )


def _judge_lists(ranks: Ranks, relevance: Relevance) -> Judged:
    ranked = ranks.rank > 0
    indptr = np.concatenate([[0], np.cumsum(relevance.count(ranked))]).astype(np.int64)
    if ranked.all():
        rows = entries_by_rank(indptr, ranks.rank)
    else:
        places = np.flatnonzero(ranked)
        rows = places[entries_by_rank(indptr, ranks.rank[places])]
    among = relevance.count(relevance.relevant & ranks.candidate)
    return Judged(
        relevance=relevance,
        owner=np.arange(len(relevance), dtype=np.int32),
        indptr=frozen(indptr, np.int64),
        row=frozen(rows, np.int64),
        rank=frozen(ranks.rank[rows], np.int32),
        above=frozen(ranks.above[rows], np.int32),
        tied=frozen(ranks.tied[rows], np.int32),
        length=ranks.length,
        computed=ranks.computed,
        targets=ranks.targets,
        relevant_targets=frozen(among, np.int32),
        score=frozen(ranks.score[rows], np.float64) if ranks.score is not None else None,
        lists=ranks.lists,
        expected=ranks.expected,
        target_rows=None if ranks.candidate.all() else frozen(ranks.candidate, np.bool_),
        pool=ranks.pool,
    )


def _judge_single(ranks: Ranks, relevance: Relevance) -> Judged:
    only = np.flatnonzero(relevance.relevant & ranks.candidate)
    unit = ranks.unit[only]
    ranked = ranks.rank[only] > 0
    rows = only[ranked]
    indptr = np.concatenate([[0], np.cumsum(ranked)]).astype(np.int64)
    return Judged(
        relevance=relevance,
        owner=frozen(relevance.owner[only], np.int32),
        indptr=frozen(indptr, np.int64),
        row=frozen(rows, np.int64),
        rank=frozen(ranks.rank[rows], np.int32),
        above=frozen(ranks.above[rows], np.int32),
        tied=frozen(ranks.tied[rows], np.int32),
        length=frozen(ranks.length[unit] + ranked, np.int32),
        computed=frozen(ranks.computed[unit] + ranks.scored[only], np.int32),
        targets=frozen(ranks.targets[unit] + 1, np.int32),
        relevant_targets=np.ones(len(only), np.int32),
        only=frozen(only, np.int64),
        score=frozen(ranks.score[rows], np.float64) if ranks.score is not None else None,
        expected=ranks.expected,
        stratum=frozen(ranks.stratum[only], np.int32) if ranks.stratum is not None else None,
        pool=frozen(ranks.pool[unit], np.int64) if ranks.pool is not None else None,
    )


def judge_rankings(
    rankings: Rankings,
    relevance: Relevance,
    *,
    n_items: int,
    targets: Int32,
    keep_lists: bool = False,
    expected: bool = False,
    scored: bool = True,
) -> Judged:
    """Judge lists that any system produced; `targets` is |T_u| of each evaluated user.

    Users without a list have one of length 0: the coverage shortfall. `keep_lists` hands on the lists themselves, for
    metrics that need them; without `scored`, ties are not counted and scores not handed on, which metrics of ranks and
    grades never look at.
    """
    from heldout.kernels.lists import count_ties, meet

    list_of = _lists_of(rankings, relevance)
    most = min(len(rankings.item), len(relevance.item)) + 1
    row, rank = np.empty(most, np.int64), np.empty(most, np.int32)
    indptr = np.empty(len(relevance) + 1, np.int64)
    n = meet(rankings.indptr, rankings.item, list_of, relevance.indptr, relevance.item, n_items, indptr, row, rank)
    score = np.empty(n) if scored else None
    if score is not None:
        above, tied = np.empty(n, np.int32), np.empty(n, np.int32)
        count_ties(rankings.indptr, rankings.score, list_of, indptr, rank, above, tied, score)
    else:
        above, tied = rank[:n] - np.int32(1), np.full(n, -1, np.int32)
    length = np.zeros(len(relevance), np.int32)
    length[list_of >= 0] = rankings.length[list_of[list_of >= 0]]
    return Judged(
        relevance=relevance,
        owner=np.arange(len(relevance), dtype=np.int32),
        indptr=frozen(indptr, np.int64),
        row=frozen(row[:n], np.int64),
        rank=frozen(rank[:n], np.int32),
        above=frozen(above, np.int32),
        tied=frozen(tied, np.int32),
        length=length,
        computed=length,
        targets=targets,
        relevant_targets=frozen(relevance.total(None), np.int32),
        score=None if score is None else frozen(score, np.float64),
        lists=_aligned(rankings, relevance, list_of) if keep_lists else None,
        expected=expected,
    )


def judge_matrix(
    matrix: Float64,
    relevance: Relevance,
    *,
    row_of: Int32,
    column_of: Int32,
    tie: Int32,
    targets: Int32,
    expected: bool = False,
) -> Judged:
    """As `judge_rankings`, of a matrix of scores: ranks of rated items are counted in its rows, which are not sorted.

    `row_of` is the row of each evaluated user and `column_of` the column of each item, or −1. Of equal scores the column
    of the lower `tie` comes first.
    """
    from heldout.kernels.lists import count_cells

    column = column_of[relevance.item]
    rank, above, tied = (np.zeros(len(column), np.int32) for _ in range(3))
    length = np.empty(len(relevance), np.int32)
    count_cells(matrix, tie, row_of, relevance.indptr, column, rank, above, tied, length)
    indptr = np.concatenate([[0], np.cumsum(relevance.count(rank > 0))]).astype(np.int64)
    ranked = np.flatnonzero(rank)
    rows = ranked[entries_by_rank(indptr, rank[ranked])]
    score = matrix[row_of[expand(indptr)], column[rows]]
    return Judged(
        relevance=relevance,
        owner=np.arange(len(relevance), dtype=np.int32),
        indptr=frozen(indptr, np.int64),
        row=frozen(rows, np.int64),
        rank=frozen(rank[rows], np.int32),
        above=frozen(above[rows], np.int32),
        tied=frozen(tied[rows], np.int32),
        length=length,
        computed=length,
        targets=targets,
        relevant_targets=frozen(relevance.total(None), np.int32),
        score=frozen(score, np.float64),
        lists=None,
        expected=expected,
    )


def _aligned(rankings: Rankings, relevance: Relevance, list_of: Int64) -> Rankings:
    """One list for each evaluated user, empty where there is none."""
    if len(rankings) == len(relevance) and (list_of >= 0).all():
        return rankings
    every = np.append(rankings.indptr, rankings.indptr[-1])
    indptr, positions = take_rows(every, np.where(list_of >= 0, list_of, len(rankings)))
    return Rankings(
        relevance.users,
        frozen(indptr, np.int64),
        frozen(rankings.item[positions], np.int32),
        frozen(rankings.score[positions], np.float64),
    )


def _lists_of(rankings: Rankings, relevance: Relevance) -> Int64:
    """The list of each evaluated user, −1 where there is none."""
    if np.array_equal(rankings.users, relevance.users):
        return np.arange(len(relevance))
    list_of = np.full(len(relevance), -1, np.int64)
    at = np.searchsorted(relevance.users, rankings.users)
    at[at == len(relevance)] = 0
    tested = relevance.users[at] == rankings.users
    list_of[at[tested]] = np.flatnonzero(tested)
    return list_of


def entries_by_rank(indptr: Int64, rank: Int32) -> Int64:
    """Positions of entries, each list's by ascending rank."""
    from heldout.kernels.lists import order_entries

    order = np.empty(len(rank), np.int64)
    order_entries(indptr, rank, order)
    return order
