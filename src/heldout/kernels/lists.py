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
    indptr: Any, item: Any, list_of: Any, rel_indptr: Any, rel_item: Any, n_items: int, out_indptr: Any, row: Any, rank: Any
) -> Any:
    """The rated items met in each list, by rank; `list_of[u]` is the list of relevance user u, or −1.

    Writes entries of user u at `out_indptr[u]:out_indptr[u + 1]` and returns their number; `row` and `rank` hold one
    entry more than there can be.
    """
    # Place 0 stands for items of code −1. Rows ascend with users, so that what earlier users left is below `first`.
    slot = np.full(n_items + 1, -1, np.int64)
    n = 0
    out_indptr[0] = 0
    for u in range(rel_indptr.shape[0] - 1):
        k = list_of[u]
        if k >= 0:
            first = rel_indptr[u]
            for r in range(first, rel_indptr[u + 1]):
                slot[np.uint32(rel_item[r] + 1)] = r
            low = indptr[k]
            # Every item is written and the next one overwrites it unless it was met: a branch would be mispredicted.
            for p in range(low, indptr[k + 1]):
                found = slot[np.uint32(item[p] + 1)]
                row[n] = found
                rank[n] = p - low + 1
                n += found >= first
        out_indptr[u + 1] = n
    return n


@kernel
def count_ties(indptr: Any, score: Any, list_of: Any, met_indptr: Any, rank: Any, above: Any, tied: Any) -> None:
    """For the entries that `meet` found: items of their list with a higher score, and other items with an equal one."""
    for u in range(met_indptr.shape[0] - 1):
        k = list_of[u]
        if k < 0:
            continue
        low, high = indptr[k], indptr[k + 1]
        begin, end = low, low
        for e in range(met_indptr[u], met_indptr[u + 1]):
            p = low + rank[e] - 1
            if p >= end:
                begin, last = p, end
                while begin > last and score[begin - 1] == score[p]:
                    begin -= 1
                end = p + 1
                while end < high and score[end] == score[p]:
                    end += 1
            above[e] = begin - low
            tied[e] = end - begin - 1


@kernel
def sum_lists(indptr: Any, values: Any, out: Any) -> None:
    """The sum of each list's values, added from the first to the last."""
    for k in range(indptr.shape[0] - 1):
        total = 0.0
        for p in range(indptr[k], indptr[k + 1]):
            total += values[p]
        out[k] = total


@kernel
def count_up(indptr: Any, flags: Any, out: Any) -> None:
    """For every entry, how many of its list's flags are set up to and with it."""
    for k in range(indptr.shape[0] - 1):
        count = 0
        for p in range(indptr[k], indptr[k + 1]):
            count += flags[p]
            out[p] = count


@kernel
def count_lists(indptr: Any, flags: Any, out: Any) -> None:
    """How many of each list's flags are set."""
    for k in range(indptr.shape[0] - 1):
        count = 0
        for p in range(indptr[k], indptr[k + 1]):
            count += flags[p]
        out[k] = count


@kernel
def sort_levels(indptr: Any, level: Any, values: Any, out: Any) -> None:
    """Each list's values in descending order by counting; `values` are the distinct ones, ascending, `level` says which."""
    counts = np.zeros(values.shape[0], np.int64)
    for k in range(indptr.shape[0] - 1):
        for p in range(indptr[k], indptr[k + 1]):
            counts[level[p]] += 1
        p = indptr[k]
        for v in range(values.shape[0] - 1, -1, -1):
            for _ in range(counts[v]):
                out[p] = values[v]
                p += 1
            counts[v] = 0


@kernel
def find_levels(bits: Any, level: Any, values: Any) -> Any:
    """Number distinct values by first occurrence: fills `level` and `values`; their number, −1 where `values` is too short.

    `bits` are floats seen as int64, which a hash table of 1024 places holds; `values` has room for at most 256.
    """
    number = np.full(1024, -1, np.int32)
    n = 0
    for p in range(bits.shape[0]):
        # Floats of few digits differ in their leading bits only: a product carries them up, its 10 highest are taken.
        at = (np.uint64(bits[p]) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(54)
        while number[at] >= 0 and values[number[at]] != bits[p]:
            at = (at + np.uint64(1)) & np.uint64(1023)
        if number[at] < 0:
            if n == values.shape[0]:
                return -1
            values[n] = bits[p]
            number[at] = n
            n += 1
        level[p] = number[at]
    return n


@kernel
def discounted_sums(indptr: Any, values: Any, discount: Any, depth: int, out: Any) -> None:
    """The sum of each list's first `depth` values, the k-th divided by `discount[k]`."""
    for k in range(indptr.shape[0] - 1):
        low = indptr[k]
        total = 0.0
        for p in range(low, min(indptr[k + 1], low + depth)):
            total += values[p] / discount[p - low + 1]
        out[k] = total


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
