"""Rankings × relevance → Judged: the one place where lists meet what is known of the users' taste."""

from __future__ import annotations

import numpy as np

from heldout.tables import Judged, Rankings, Relevance
from heldout.tables.arrays import Int32, Int64, frozen
from heldout.target.ranker import Ranks


def judge_ranks(ranks: Ranks, relevance: Relevance) -> Judged:
    """Judge ranks found by counting; `relevance` holds the same rows as the ranks."""
    return _judge_single(ranks, relevance) if ranks.target.single else _judge_lists(ranks, relevance)


def _judge_lists(ranks: Ranks, relevance: Relevance) -> Judged:
    ranked = np.flatnonzero(ranks.rank > 0)
    counts = np.bincount(relevance.owner[ranked], minlength=len(relevance))
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    rows = ranked[entries_by_rank(indptr, ranks.rank[ranked])]
    among = np.bincount(relevance.owner, relevance.relevant & ranks.candidate, len(relevance))
    return Judged(
        relevance,
        np.arange(len(relevance), dtype=np.int32),
        frozen(indptr, np.int64),
        frozen(rows, np.int64),
        frozen(ranks.rank[rows], np.int32),
        frozen(ranks.above[rows], np.int32),
        frozen(ranks.tied[rows], np.int32),
        ranks.length,
        ranks.computed,
        ranks.targets,
        frozen(among, np.int32),
    )


def _judge_single(ranks: Ranks, relevance: Relevance) -> Judged:
    only = np.flatnonzero(relevance.relevant & ranks.candidate)
    owner = relevance.owner[only]
    ranked = ranks.rank[only] > 0
    rows = only[ranked]
    indptr = np.concatenate([[0], np.cumsum(ranked)]).astype(np.int64)
    return Judged(
        relevance,
        frozen(owner, np.int32),
        frozen(indptr, np.int64),
        frozen(rows, np.int64),
        frozen(ranks.rank[rows], np.int32),
        frozen(ranks.above[rows], np.int32),
        frozen(ranks.tied[rows], np.int32),
        frozen(ranks.length[owner] + ranked, np.int32),
        frozen(ranks.computed[owner] + ranks.scored[only], np.int32),
        frozen(ranks.targets[owner] + 1, np.int32),
        np.ones(len(only), np.int32),
        frozen(only, np.int64),
    )


def judge_rankings(rankings: Rankings, relevance: Relevance, *, n_items: int, targets: Int32) -> Judged:
    """Judge lists that any system produced; `targets` is |T_u| of each evaluated user.

    Users without a list have one of length 0: the coverage shortfall.
    """
    from heldout.kernels.lists import count_ties, meet

    list_of = np.full(len(relevance), -1, np.int64)
    at = np.searchsorted(relevance.users, rankings.users)
    at[at == len(relevance)] = 0
    known = relevance.users[at] == rankings.users
    list_of[at[known]] = np.flatnonzero(known)
    most = min(len(rankings.item), len(relevance.item)) + 1
    row, rank = np.empty(most, np.int64), np.empty(most, np.int32)
    indptr = np.empty(len(relevance) + 1, np.int64)
    n = meet(rankings.indptr, rankings.item, list_of, relevance.indptr, relevance.item, n_items, indptr, row, rank)
    above, tied = np.empty(n, np.int32), np.empty(n, np.int32)
    count_ties(rankings.indptr, rankings.score, list_of, indptr, rank, above, tied)
    length = np.zeros(len(relevance), np.int32)
    length[list_of >= 0] = rankings.length[list_of[list_of >= 0]]
    return Judged(
        relevance,
        np.arange(len(relevance), dtype=np.int32),
        frozen(indptr, np.int64),
        frozen(row[:n], np.int64),
        frozen(rank[:n], np.int32),
        frozen(above, np.int32),
        frozen(tied, np.int32),
        length,
        length,
        targets,
        frozen(relevance.total(None), np.int32),
    )


def entries_by_rank(indptr: Int64, rank: Int32) -> Int64:
    """Positions of entries, each list's by ascending rank."""
    from heldout.kernels.lists import order_entries

    order = np.empty(len(rank), np.int64)
    order_entries(indptr, rank, order)
    return order
