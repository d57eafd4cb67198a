"""Two orders of the same items: how many pairs agree, and how much their beginnings overlap."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import kernel


@kernel
def _levels(grade: Any, level: Any) -> int:
    """The place, from 1, of every grade among the different ones, ascending; how many there are."""
    order = np.argsort(grade)
    n = 0
    for p in range(order.shape[0]):
        n += p == 0 or grade[order[p]] != grade[order[p - 1]]
        level[order[p]] = n
    return n


@kernel
def _upto(counts: Any, level: int) -> int:
    """How many were added at a level or below: `counts` is a binary indexed tree."""
    total = 0
    while level > 0:
        total += counts[level]
        level -= level & -level
    return total


@kernel
def _add(counts: Any, level: int) -> None:
    while level < counts.shape[0]:
        counts[level] += 1
        level += level & -level


@kernel
def count_pairs(indptr: Any, above: Any, grade: Any, out: Any) -> None:
    """For every list the pairs that agree, contradict, and are tied in score alone, grade alone, and both.

    Entries are by rank, so that `above` ascends, and equal ones are equal scores. `out` is lists × 5. A list of m entries
    takes m log m steps: what stands in the groups of higher score is counted in a tree of grades.
    """
    for k in range(indptr.shape[0] - 1):
        low, high = indptr[k], indptr[k + 1]
        level = np.empty(high - low, np.int64)
        n = _levels(grade[low:high], level)
        higher, group = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
        agree = contrary = tied_score = tied_grade = both = 0
        begin = 0
        while begin < high - low:
            end = begin
            while end < high - low and above[low + end] == above[low + begin]:
                mine = _upto(higher, level[end])
                worse = _upto(higher, level[end] - 1)
                agree += begin - mine
                contrary += worse
                tied_grade += mine - worse
                both += group[level[end]]
                tied_score += end - begin - group[level[end]]
                group[level[end]] += 1
                end += 1
            for p in range(begin, end):
                _add(higher, level[p])
                group[level[p]] = 0
            begin = end
        out[k, 0] = agree
        out[k, 1] = contrary
        out[k, 2] = tied_score
        out[k, 3] = tied_grade
        out[k, 4] = both


@kernel
def tau_ap_lists(indptr: Any, above: Any, grade: Any, out: Any) -> None:
    """τ_AP of each list with the grades as reference: the mean, over items with a comparable one above, of the share of
    those that belong there, scaled to −1…1. NaN where no two can be compared."""
    for k in range(indptr.shape[0] - 1):
        low, high = indptr[k], indptr[k + 1]
        level = np.empty(high - low, np.int64)
        higher = np.zeros(_levels(grade[low:high], level) + 1, np.int64)
        total = 0.0
        items = 0
        begin = 0
        while begin < high - low:
            end = begin
            while end < high - low and above[low + end] == above[low + begin]:
                right = begin - _upto(higher, level[end])
                compared = right + _upto(higher, level[end] - 1)
                if compared > 0:
                    total += right / compared
                    items += 1
                end += 1
            for p in range(begin, end):
                _add(higher, level[p])
            begin = end
        out[k] = 2.0 * total / items - 1.0 if items > 0 else np.nan


@kernel
def average_ranks(indptr: Any, value: Any, out: Any) -> None:
    """Each entry's rank among its list's by ascending value, equal ones sharing the mean of their ranks."""
    for k in range(indptr.shape[0] - 1):
        low, high = indptr[k], indptr[k + 1]
        order = np.argsort(value[low:high])
        p = 0
        while p < high - low:
            q = p
            while q + 1 < high - low and value[low + order[q + 1]] == value[low + order[p]]:
                q += 1
            for t in range(p, q + 1):
                out[low + order[t]] = (p + q) / 2.0 + 1.0
            p = q + 1


@kernel
def overlaps(indptr: Any, second: Any, out: Any) -> None:
    """How many items the first d places of two orders share, for every d: the first order is that of the entries, and
    `second[p]` is the entry of list k that stands at place p − indptr[k] of the second, counted from its beginning."""
    for k in range(indptr.shape[0] - 1):
        low, high = indptr[k], indptr[k + 1]
        met = np.zeros(high - low, np.bool_)
        shared = 0
        for p in range(high - low):
            # the p-th of each order: an item met once before is met for the second time now
            shared += met[p]
            met[p] = True
            shared += met[second[low + p]]
            met[second[low + p]] = True
            out[low + p] = shared
