"""Lists made elsewhere: putting them in order and meeting them with the rated items."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import kernel


@kernel
def sort_lists(indptr: Any, score: Any, tie: Any, order: Any) -> Any:
    """Write to `order` the positions of each list by descending score, equal ones by ascending tie key.

    Returns whether anything moved: most runs come in order, and then nothing is sorted.
    """
    moved = False
    for k in range(indptr.shape[0] - 1):
        low, high = indptr[k], indptr[k + 1]
        sorted_already = True
        for p in range(low, high):
            order[p] = p
            if p > low and (score[p] > score[p - 1] or (score[p] == score[p - 1] and tie[p] < tie[p - 1])):
                sorted_already = False
        if not sorted_already:
            moved = True
            by_tie = np.argsort(tie[low:high], kind="mergesort")
            by_score = np.argsort(-score[low:high][by_tie], kind="mergesort")
            for p in range(high - low):
                order[low + p] = low + by_tie[by_score[p]]
    return moved


@kernel
def first_repeat(indptr: Any, item: Any, n_items: int) -> Any:
    """The first position whose item stands earlier in the same list, or −1."""
    seen = np.full(n_items, -1, np.int64)
    for k in range(indptr.shape[0] - 1):
        for p in range(indptr[k], indptr[k + 1]):
            code = item[p]
            if code >= 0:
                if seen[code] == k:
                    return p
                seen[code] = k
    return -1


@kernel
def meet(
    indptr: Any,
    item: Any,
    score: Any,
    list_of: Any,
    rel_indptr: Any,
    rel_item: Any,
    n_items: int,
    out_indptr: Any,
    row: Any,
    rank: Any,
    above: Any,
    tied: Any,
) -> Any:
    """The rated items met in each list, by rank; `list_of[u]` is the list of relevance user u, or −1.

    Writes entries of user u at `out_indptr[u]:out_indptr[u + 1]` and returns their number.
    """
    slot = np.full(n_items, -1, np.int64)
    n = 0
    out_indptr[0] = 0
    for u in range(rel_indptr.shape[0] - 1):
        k = list_of[u]
        if k >= 0:
            for r in range(rel_indptr[u], rel_indptr[u + 1]):
                slot[rel_item[r]] = r
            low, high = indptr[k], indptr[k + 1]
            group = low
            for p in range(low, high):
                if score[p] != score[group]:
                    group = p
                code = item[p]
                if code >= 0 and slot[code] >= 0:
                    end = p + 1
                    while end < high and score[end] == score[p]:
                        end += 1
                    row[n] = slot[code]
                    rank[n] = p - low + 1
                    above[n] = group - low
                    tied[n] = end - group - 1
                    n += 1
            for r in range(rel_indptr[u], rel_indptr[u + 1]):
                slot[rel_item[r]] = -1
        out_indptr[u + 1] = n
    return n


@kernel
def order_entries(indptr: Any, rank: Any, order: Any) -> None:
    """Positions of each list's entries by ascending rank (insertion for short lists, merge sort for long ones)."""
    for k in range(indptr.shape[0] - 1):
        low, high = indptr[k], indptr[k + 1]
        if high - low > 64:
            by_rank = np.argsort(rank[low:high], kind="mergesort")
            for p in range(high - low):
                order[low + p] = low + by_rank[p]
            continue
        for p in range(low, high):
            q = p
            while q > low and rank[order[q - 1]] > rank[p]:
                order[q] = order[q - 1]
                q -= 1
            order[q] = p
