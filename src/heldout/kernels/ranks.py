"""Ranks by counting: how many targets stand before an item, without sorting anything.

A rated item's rank is one plus the number of targets that score higher, plus the equal ones that the tie rule puts first.
NaN compares false with everything, so what a system could not score never stands before anything. Columns are ordered by
atom (items that belong to the same candidate sets) and, within an atom, by tie key; a candidate set is a union of atoms.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import kernel


@kernel
def _before(values: Any, low: int, middle: int, high: int, score: Any) -> Any:
    """Columns before an item: equal ones count only left of its own place."""
    count = np.int32(0)
    for c in range(low, middle):
        count = np.int32(count + np.int32(values[c] >= score))
    for c in range(middle, high):
        count = np.int32(count + np.int32(values[c] > score))
    return count


@kernel
def _above_and_equal(values: Any, low: int, high: int, score: Any) -> Any:
    above = np.int32(0)
    equal = np.int32(0)
    for c in range(low, high):
        above = np.int32(above + np.int32(values[c] > score))
        equal = np.int32(equal + np.int32(values[c] == score))
    return above, equal


@kernel
def _place(tie_of_column: Any, low: int, high: int, tie: Any) -> int:
    """The first column of an atom whose tie key is above `tie`."""
    while low < high:
        middle = (low + high) // 2
        if tie_of_column[middle] <= tie:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _count_sets(
    values: Any,
    start: Any,
    sets: Any,
    tie_of_column: Any,
    score: Any,
    tie: Any,
    base: Any,
    at: int,
    rank: Any,
    above: Any,
    tied: Any,
) -> None:
    """Rank of one item in every candidate set; `base[g]` targets of set g stand before all of `values`."""
    for g in range(sets.shape[0]):
        rank[g, at] = base[g] + 1
        above[g, at] = base[g]
        tied[g, at] = 0
    for a in range(start.shape[0] - 1):
        low, high = start[a], start[a + 1]
        middle = _place(tie_of_column, low, high, tie)
        # an item's own column has its own tie key and would count as equal; within its atom it sits just left of `middle`
        own = middle > low and tie_of_column[middle - 1] == tie
        if own:
            middle -= 1
        higher, equal = _above_and_equal(values, low, high, score)
        if own:
            equal -= 1
        before = higher
        if equal > 0:
            before = _before(values, low, middle, high, score)
        for g in range(sets.shape[0]):
            if sets[g, a]:
                rank[g, at] += before
                above[g, at] += higher
                tied[g, at] += equal


@kernel
def count_candidates(
    scores: Any,
    users: Any,
    order: Any,
    start: Any,
    sets: Any,
    tie: Any,
    train_indptr: Any,
    train_item: Any,
    row_indptr: Any,
    row_item: Any,
    fallback: Any,
    rank: Any,
    above: Any,
    tied: Any,
    computed: Any,
) -> None:
    """Ranks of the rated items of a tile of users in every candidate set, under every fallback.

    `scores` tile × items; `order` the item of each column, `start` the atoms; `sets` candidate sets × atoms; `fallback`
    orders × items, the first of which is always "leave out". Rows of user k are `row_indptr[k]:row_indptr[k + 1]`. Writes
    `rank`, `above`, `tied` (fallbacks × sets × rows; rank 0 = not ranked) and `computed` (sets × users).
    """
    n = order.shape[0]
    n_sets = sets.shape[0]
    values = np.empty(n, np.float32)
    filled = np.empty(n, np.float64)
    column_of = np.empty(n, np.int32)
    tie_of_column = np.empty(n, np.int32)
    none = np.zeros(n_sets, np.int32)
    for c in range(n):
        column_of[order[c]] = c
        tie_of_column[c] = tie[order[c]]
    for k in range(users.shape[0]):
        user = users[k]
        for c in range(n):
            values[c] = scores[k, order[c]]
        for t in range(train_indptr[user], train_indptr[user + 1]):
            values[column_of[train_item[t]]] = np.nan
        for g in range(n_sets):
            computed[g, k] = 0
        for a in range(start.shape[0] - 1):
            found = np.int32(0)
            for c in range(start[a], start[a + 1]):
                found = np.int32(found + np.int32(values[c] == values[c]))
            for g in range(n_sets):
                if sets[g, a]:
                    computed[g, k] += found
        missing = False
        for e in range(row_indptr[k], row_indptr[k + 1]):
            item = row_item[e]
            score = scores[k, item]
            if score == score:
                _count_sets(values, start, sets, tie_of_column, score, tie[item], none, e, rank[0], above[0], tied[0])
                for f in range(1, fallback.shape[0]):
                    rank[f, :, e] = rank[0, :, e]
                    above[f, :, e] = above[0, :, e]
                    tied[f, :, e] = tied[0, :, e]
            else:
                missing = True
                rank[0, :, e] = 0
        if not missing:
            continue
        for f in range(1, fallback.shape[0]):
            for c in range(n):
                item = order[c]
                filled[c] = fallback[f, item] if scores[k, item] != scores[k, item] else np.nan
            for t in range(train_indptr[user], train_indptr[user + 1]):
                filled[column_of[train_item[t]]] = np.nan
            for e in range(row_indptr[k], row_indptr[k + 1]):
                item = row_item[e]
                if scores[k, item] != scores[k, item]:
                    _count_sets(
                        filled,
                        start,
                        sets,
                        tie_of_column,
                        fallback[f, item],
                        tie[item],
                        computed[:, k],
                        e,
                        rank[f],
                        above[f],
                        tied[f],
                    )
    # an item outside a candidate set is no target there
    for k in range(users.shape[0]):
        for e in range(row_indptr[k], row_indptr[k + 1]):
            column = column_of[row_item[e]]
            a = 0
            while start[a + 1] <= column:
                a += 1
            for g in range(n_sets):
                if not sets[g, a]:
                    rank[:, g, e] = 0


@kernel
def _count_few(values: Any, ties: Any, n: int, skip: int, score: Any, tie: Any) -> Any:
    """Rank, higher and equal ones of an item among a few gathered values, one of which may be itself."""
    higher, equal, first = 0, 0, 0
    for c in range(n):
        if c == skip:
            continue
        if values[c] > score:
            higher += 1
        elif values[c] == score:
            equal += 1
            if ties[c] < tie:
                first += 1
    return 1 + higher + first, higher, equal


@kernel
def count_own(
    scores: Any,
    n_users: int,
    tie: Any,
    row_indptr: Any,
    row_item: Any,
    fallback: Any,
    rank: Any,
    above: Any,
    tied: Any,
    computed: Any,
) -> None:
    """Ranks of each user's rated items among themselves: the condensed ranking. Arrays as in `count_candidates`."""
    longest = 0
    for k in range(n_users):
        longest = max(longest, row_indptr[k + 1] - row_indptr[k])
    values = np.empty(longest, np.float64)
    ties = np.empty(longest, np.int32)
    for k in range(n_users):
        low, high = row_indptr[k], row_indptr[k + 1]
        size = high - low
        found = 0
        for f in range(fallback.shape[0]):
            for e in range(low, high):
                item = row_item[e]
                ties[e - low] = tie[item]
                scored = scores[k, item] == scores[k, item]
                if f == 0:
                    values[e - low] = scores[k, item]
                    found += scored
                else:
                    values[e - low] = np.nan if scored else fallback[f, item]
            for e in range(low, high):
                scored = scores[k, row_item[e]] == scores[k, row_item[e]]
                if scored and f > 0:
                    rank[f, e], above[f, e], tied[f, e] = rank[0, e], above[0, e], tied[0, e]
                elif scored or f > 0:
                    r, h, q = _count_few(values, ties, size, e - low, values[e - low], ties[e - low])
                    base = 0 if scored else found
                    rank[f, e], above[f, e], tied[f, e] = base + r, base + h, q
                else:
                    rank[f, e] = 0
        computed[k] = found


@kernel
def count_sample(
    scores: Any,
    n_users: int,
    tie: Any,
    sample: Any,
    sampled: Any,
    row_indptr: Any,
    row_item: Any,
    fallback: Any,
    rank: Any,
    above: Any,
    tied: Any,
    computed: Any,
) -> None:
    """Rank of each rated item alone among the sampled items of its user; `computed` counts the sampled ones scored."""
    values = np.empty(sample.shape[1], np.float64)
    ties = np.empty(sample.shape[1], np.int32)
    for k in range(n_users):
        size = sampled[k]
        found = 0
        for f in range(fallback.shape[0]):
            for c in range(size):
                item = sample[k, c]
                ties[c] = tie[item]
                scored = scores[k, item] == scores[k, item]
                if f == 0:
                    values[c] = scores[k, item]
                    found += scored
                else:
                    values[c] = np.nan if scored else fallback[f, item]
            for e in range(row_indptr[k], row_indptr[k + 1]):
                item = row_item[e]
                scored = scores[k, item] == scores[k, item]
                if scored and f > 0:
                    rank[f, e], above[f, e], tied[f, e] = rank[0, e], above[0, e], tied[0, e]
                elif scored or f > 0:
                    score = np.float64(scores[k, item]) if scored else fallback[f, item]
                    r, h, q = _count_few(values, ties, size, -1, score, tie[item])
                    base = 0 if scored else found
                    rank[f, e], above[f, e], tied[f, e] = base + r, base + h, q
                else:
                    rank[f, e] = 0
        computed[k] = found
