"""Lists made elsewhere: putting them in order and meeting them with the rated items."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import kernel
from heldout.kernels.ordering import sort_key, stable_order


@kernel
def _span(indptr: Any, k: int) -> Any:
    """Where list k begins and ends; unsigned, because every signed place is checked for counting from the end."""
    return np.uint64(indptr[k]), np.uint64(indptr[k + 1])


@kernel
def _in_order(score: Any, item: Any, tie: Any, low: Any, high: Any) -> Any:
    for p in range(low + np.uint64(1), high):
        q = p - np.uint64(1)
        if score[p] > score[q] or (score[p] == score[q] and tie[item[p]] < tie[item[q]]):
            return False
    return True


@kernel
def in_order(indptr: Any, score: Any, item: Any, tie: Any) -> Any:
    """Whether each list is by descending score, equal ones by ascending tie key of the item: most runs come so."""
    for k in range(indptr.shape[0] - 1):
        low, high = _span(indptr, k)
        if not _in_order(score, item, tie, low, high):
            return False
    return True


_SHORT = 64
"""Items up to which a list is put in order by counting: the places that are taken are the bits of one word."""


@kernel
def sort_lists(indptr: Any, score: Any, item: Any, tie: Any) -> None:
    """Put each list, in place, by descending score, equal ones by ascending tie key of the item.

    In a short list the place of an item is the number of higher scores, a loop that compiles to vector instructions and is
    nine times as fast as sorting 20 items. Where two items come to one place, scores are equal, and the list is sorted.
    """
    scores, items = np.empty(_SHORT, score.dtype), np.empty(_SHORT, item.dtype)
    places = np.empty(_SHORT, np.uint64)
    one = np.uint64(1)
    for k in range(indptr.shape[0] - 1):
        low, high = _span(indptr, k)
        if _in_order(score, item, tie, low, high):
            continue
        n = np.int64(high - low)
        if n <= _SHORT:
            for p in range(n):
                scores[p], items[p] = score[low + np.uint64(p)], item[low + np.uint64(p)]
            taken = np.uint64(0)
            for p in range(n):
                own, above = scores[p], 0
                for q in range(n):
                    above += scores[q] > own
                places[p] = above
                taken |= one << np.uint64(above)
            if taken == ~np.uint64(0) >> np.uint64(_SHORT - n):
                for p in range(n):
                    score[low + places[p]], item[low + places[p]] = scores[p], items[p]
                continue
        keys = np.empty(n, np.uint64)
        for p in range(n):
            keys[p] = sort_key(tie[item[low + np.uint64(p)]])
        by_tie = stable_order(keys)
        for p in range(n):
            keys[p] = sort_key(-score[low + np.uint64(by_tie[p])])
        by_score = stable_order(keys)
        own_items, own_scores = item[low:high].copy(), score[low:high].copy()
        for p in range(n):
            q = by_tie[by_score[p]]
            item[low + np.uint64(p)], score[low + np.uint64(p)] = own_items[q], own_scores[q]


@kernel
def first_repeat(indptr: Any, item: Any, n_items: int) -> Any:
    """The first position whose item stands earlier in the same list, or −1."""
    seen = np.full(n_items + 1, -1, np.int64)
    for k in range(indptr.shape[0] - 1):
        low, high = _span(indptr, k)
        for p in range(low, high):
            place = np.uint32(item[p] + 1)  # 0 for items of code −1, which may repeat
            if seen[place] == k and place > 0:
                return np.int64(p)
            seen[place] = k
    return np.int64(-1)


@kernel
def meet(
    indptr: Any, item: Any, list_of: Any, rel_indptr: Any, rel_item: Any, n_items: int, out_indptr: Any, row: Any, rank: Any
) -> Any:
    """The rated items met in each list, by rank; `list_of[u]` is the list of relevance user u, or −1.

    Writes entries of user u at `out_indptr[u]:out_indptr[u + 1]` and returns their number; `row` and `rank` hold one
    entry more than there can be.
    """
    # Place 0 stands for items of code −1. Rows ascend with users, so that what earlier users left is below `first`.
    slot = np.full(n_items + 1, -1, np.int64)
    n = np.uint64(0)
    out_indptr[0] = 0
    for u in range(rel_indptr.shape[0] - 1):
        k = list_of[u]
        if k >= 0:
            first = rel_indptr[u]
            for r in range(first, rel_indptr[u + 1]):
                slot[np.uint32(rel_item[r] + 1)] = r
            low, high = _span(indptr, k)
            # Every item is written and the next one overwrites it unless it was met: a branch would be mispredicted.
            for p in range(low, high):
                entry = slot[np.uint32(item[p] + 1)]
                row[n] = entry
                rank[n] = p - low + np.uint64(1)
                n += np.uint64(entry >= first)
        out_indptr[u + 1] = n
    return n


@kernel
def count_ties(
    indptr: Any, score: Any, list_of: Any, met_indptr: Any, rank: Any, above: Any, tied: Any, own_score: Any
) -> None:
    """For the entries that `meet` found: items of their list with a higher score, others with an equal one, the score."""
    one = np.uint64(1)
    for u in range(met_indptr.shape[0] - 1):
        k = list_of[u]
        if k < 0:
            continue
        low, high = _span(indptr, k)
        begin, end = low, low
        first, last = _span(met_indptr, u)
        for e in range(first, last):
            p = low + np.uint64(rank[e]) - one
            if p >= end:
                begin, end = p, p + one
                while begin > low and score[begin - one] == score[p]:
                    begin -= one
                while end < high and score[end] == score[p]:
                    end += one
            above[e] = begin - low
            tied[e] = end - begin - one
            own_score[e] = score[p]


@kernel
def keep_relevant(indptr: Any, row: Any, rank: Any, relevant: Any, out_indptr: Any, hit: Any, met: Any, worse: Any) -> Any:
    """The relevant entries of each list: their ranks, and how many relevant and other entries stand up to each.

    Writes the entries of list k at `out_indptr[k]:out_indptr[k + 1]` and returns their number; `hit`, `met` and `worse`
    hold one entry more than there can be.
    """
    n = np.uint64(0)
    out_indptr[0] = 0
    for k in range(indptr.shape[0] - 1):
        low, high = _span(indptr, k)
        good = 0
        # As in `meet`, what is not relevant is overwritten by the next.
        for p in range(low, high):
            flag = relevant[np.uint64(row[p])]
            good += flag
            hit[n] = rank[p]
            met[n] = good
            worse[n] = np.int64(p - low) + 1 - good
            n += np.uint64(flag)
        out_indptr[k + 1] = n
    return n


@kernel
def sum_top(indptr: Any, rank: Any, values: Any, n: int, out: Any) -> None:
    """The sum of each list's values up to rank n, added from the first to the last."""
    for k in range(indptr.shape[0] - 1):
        low, high = _span(indptr, k)
        total = 0.0
        for p in range(low, high):
            if rank[p] > n:
                break
            total += values[p]
        out[k] = total


@kernel
def last_of(indptr: Any, count: Any, cumulated: Any, out: Any) -> None:
    """The cumulated value of each list's `count`-th entry, 0 where that is none."""
    for k in range(indptr.shape[0] - 1):
        n = np.int64(count[k])
        out[k] = cumulated[np.uint64(indptr[k] + n - 1)] if n > 0 else 0.0


@kernel
def count_top(indptr: Any, rank: Any, n: int, out: Any) -> None:
    """How many of each list's entries have a rank of at most n."""
    for k in range(indptr.shape[0] - 1):
        low, high = _span(indptr, k)
        end = low
        while end < high and rank[end] <= n:
            end += np.uint64(1)
        out[k] = end - low


@kernel
def count_up(indptr: Any, flags: Any, out: Any) -> None:
    """For every entry, how many of its list's flags are set up to and with it."""
    for k in range(indptr.shape[0] - 1):
        low, high = _span(indptr, k)
        count = 0
        for p in range(low, high):
            count += flags[p]
            out[p] = count


@kernel
def count_lists(indptr: Any, flags: Any, out: Any) -> None:
    """How many of each list's flags are set."""
    for k in range(indptr.shape[0] - 1):
        low, high = _span(indptr, k)
        count = 0
        for p in range(low, high):
            count += flags[p]
        out[k] = count


_BIT = np.zeros(64, dtype=np.int64)
"""Which bit a power of 2 is, by the upper six bits of its product with `_BRUIJN`."""
_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
for _k in range(64):
    _BIT[((0x03F79D71B4CB0A89 << _k) & 0xFFFFFFFFFFFFFFFF) >> 58] = _k


@kernel
def order_entries(indptr: Any, rank: Any, order: Any) -> None:
    """Positions of each list's entries by ascending rank: insertion for short lists, a set of bits for long ones.

    Ranks of a list differ as a rule, so that each is a bit, and bits are read in order; where two are equal, the entries are
    sorted instead, equal ones in the order they come in.
    """
    deepest = 0
    for p in range(rank.shape[0]):
        deepest = max(deepest, rank[p])
    bits = np.zeros(deepest // 64 + 1, dtype=np.uint64)
    at = np.empty(deepest + 1, dtype=np.int64)
    one = np.uint64(1)
    for k in range(indptr.shape[0] - 1):
        low, high = indptr[k], indptr[k + 1]
        if high - low > 16:
            last, equal = 0, False
            for p in range(low, high):
                word, mask = rank[p] >> 6, one << np.uint64(rank[p] & 63)
                equal = equal or (bits[word] & mask) != 0
                bits[word] |= mask
                at[rank[p]] = p
                last = max(last, word)
            q = low
            for word in range(last + 1):
                left = bits[word]
                bits[word] = 0
                while left != 0 and not equal:
                    lowest = left & (~left + one)
                    order[q] = at[word * 64 + _BIT[(lowest * _BRUIJN) >> np.uint64(58)]]
                    q += 1
                    left ^= lowest
            if not equal:
                continue
            keys = np.empty(high - low, np.uint64)
            for p in range(high - low):
                keys[p] = sort_key(rank[low + p])
            by_rank = stable_order(keys)
            for p in range(high - low):
                order[low + p] = low + by_rank[p]
            continue
        for p in range(low, high):
            q = p
            while q > low and rank[order[q - 1]] > rank[p]:
                order[q] = order[q - 1]
                q -= 1
            order[q] = p


@kernel
def mean_by_owner(owner: Any, values: Any, weight: Any, total: Any, count: Any) -> None:
    """In `total`, the weighted mean of each owner's values that are numbers; NaN where there is none. Without weights,
    `weight` is empty; `count` is room for one number per owner."""
    weighed = weight.shape[0] > 0
    total[:] = 0.0
    count[:] = 0.0
    for k in range(owner.shape[0]):
        if not np.isnan(values[k]):
            each = weight[k] if weighed else 1.0
            total[owner[k]] += each * values[k]
            count[owner[k]] += each
    for u in range(total.shape[0]):
        total[u] = total[u] / count[u] if count[u] > 0 else np.nan


@kernel
def mean_of_kinds(owner: Any, kind: Any, weight: Any, values: Any, total: Any, count: Any) -> None:
    """In `total` (owners × columns), the mean of each owner's values, where a list of some kind has that row of `values`.

    As `mean_by_owner` for every column at once; `count` is room for as many numbers as `total`.
    """
    weighed = weight.shape[0] > 0
    total[:] = 0.0
    count[:] = 0.0
    for k in range(owner.shape[0]):
        each = weight[k] if weighed else 1.0
        u, row = owner[k], values[kind[k]]
        for m in range(row.shape[0]):
            defined = not np.isnan(row[m])
            total[u, m] += each * row[m] if defined else 0.0
            count[u, m] += each if defined else 0.0
    for u in range(total.shape[0]):
        for m in range(total.shape[1]):
            total[u, m] = total[u, m] / count[u, m] if count[u, m] > 0 else np.nan


@kernel
def scan_cells(matrix: Any, length: Any, listed: Any) -> Any:
    """Count the scores of each row and mark columns that have one; NaN and −∞ are none. Return whether a cell is +∞."""
    endless = False
    for r in range(matrix.shape[0]):
        n = 0
        for c in range(matrix.shape[1]):
            scored = matrix[r, c] > -np.inf
            n += scored
            listed[c] |= scored
            endless |= matrix[r, c] == np.inf
        length[r] = n
    return endless


@kernel(steps=lambda *, matrix, indptr, column_of, **_: matrix.shape[1] * (len(indptr) + 2 * len(column_of)))
def count_cells(
    matrix: Any, tie: Any, row_of: Any, indptr: Any, column_of: Any, rank: Any, above: Any, tied: Any, length: Any
) -> None:
    """Ranks of rated items in the rows of a matrix, and the scores of each row: what `meet` and `count_ties` find in lists.

    Row `row_of[u]` is that of user u, or −1, and column `column_of[e]` that of rated item e. NaN and −∞ are no scores: an
    item without one has rank 0.
    """
    for u in range(indptr.shape[0] - 1):
        r = row_of[u]
        n = 0
        if r >= 0:
            for c in range(matrix.shape[1]):
                n += matrix[r, c] > -np.inf
        length[u] = n
        for e in range(indptr[u], indptr[u + 1]):
            rank[e] = 0
            own = column_of[e]
            if r < 0 or own < 0 or not matrix[r, own] > -np.inf:
                continue
            score, higher, equal, before = matrix[r, own], 0, 0, 0
            for c in range(matrix.shape[1]):
                higher += matrix[r, c] > score
                equal += matrix[r, c] == score
            if equal > 1:
                for c in range(matrix.shape[1]):
                    before += matrix[r, c] == score and tie[c] < tie[own]
            rank[e] = higher + before + 1
            above[e] = higher
            tied[e] = equal - 1
