"""Ranks in short lists of gathered items: samples, and a user's own test items."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import kernel
from heldout.kernels.ordering import stable_order
from heldout.kernels.ranks import draw_of


@kernel
def scores_of_rows(scores: Any, row_indptr: Any, row_item: Any, out: Any) -> None:
    """The score of every row; rows `row_indptr[k]:row_indptr[k + 1]` are those of the k-th user of a tile."""
    for k in range(row_indptr.shape[0] - 1):
        of_user = scores[k]
        for e in range(row_indptr[k], row_indptr[k + 1]):
            out[e] = of_user[row_item[e]]


def _steps(*, users: Any, indptr: Any, row_indptr: Any, fallback: Any, **_: Any) -> Any:
    """Each row of a user looks at its list, which is one of the user's, and each list at all rows of the user."""
    n_lists = max((len(indptr) - 1) // max(len(users), 1), 1)
    items, rows = np.diff(indptr[: len(users) * n_lists + 1 : n_lists]), np.diff(row_indptr[: len(users) + 1])
    return len(fallback) * int((items + rows * (n_lists + 2 * items)).sum())


@kernel(steps=_steps)
def rank_lists(
    scores: Any,
    users: Any,
    tie: Any,
    key: Any,
    indptr: Any,
    item: Any,
    row_indptr: Any,
    row_item: Any,
    row_list: Any,
    inside: Any,
    fallback: Any,
    start: int,
    rank: Any,
    above: Any,
    tied: Any,
    computed: Any,
) -> None:
    """Ranks of rated items in short lists: each in its own, or beside it where it is not `inside`.

    Arrays as in `rank_candidates`; the rows of the tile begin at `start` in `rank`, `above` and `tied`. `computed` counts
    the scored items of each list. Where `key` is not 0, equal scores are ordered by draws instead of `tie`.
    """
    longest = 0
    for at in range(indptr.shape[0] - 1):
        longest = max(longest, indptr[at + 1] - indptr[at])
    values = np.empty(longest, scores.dtype)
    n_lists = (indptr.shape[0] - 1) // max(users.shape[0], 1)
    for k in range(users.shape[0]):
        for at in range(k * n_lists, (k + 1) * n_lists):
            low, size = indptr[at], indptr[at + 1] - indptr[at]
            for f in range(fallback.shape[0]):
                if f == 0:
                    computed[at] = 0
                for c in range(size):
                    score = scores[k, item[low + c]]
                    if f == 0:
                        values[c] = score
                        computed[at] += score == score
                    else:
                        values[c] = np.nan if score == score else fallback[f, item[low + c]]
                for e in range(row_indptr[k], row_indptr[k + 1]):
                    if row_list[e] != at:
                        continue
                    own, r = scores[k, row_item[e]], start + e
                    if own == own and f > 0:
                        rank[f, r], above[f, r], tied[f, r] = rank[0, r], above[0, r], tied[0, r]
                        continue
                    if own != own and f == 0:
                        rank[0, r] = 0
                        continue
                    base = 0
                    if own != own:
                        own, base = fallback[f, row_item[e]], computed[at]
                    higher, upto = np.int32(0), np.int32(0)
                    for c in range(size):
                        higher = np.int32(higher + np.int32(values[c] > own))
                        upto = np.int32(upto + np.int32(values[c] >= own))
                    equal = upto - higher - np.int32(inside[e])
                    first = 0
                    if equal > 0:
                        for c in range(size):
                            other = item[low + c]
                            if values[c] == own and other != row_item[e]:
                                if key == np.uint64(0):
                                    first += tie[other] < tie[row_item[e]]
                                else:
                                    drawn, mine = draw_of(key, users[k], other), draw_of(key, users[k], row_item[e])
                                    first += drawn < mine or (drawn == mine and other < row_item[e])
                    rank[f, r], above[f, r], tied[f, r] = base + higher + first + 1, base + higher, equal


@kernel
def shuffle_ties(indptr: Any, users: Any, score: Any, item: Any, key: Any) -> None:
    """Put equal scores of lists that are by descending score in the order of draws; changes `item`."""
    for k in range(indptr.shape[0] - 1):
        low = indptr[k]
        while low < indptr[k + 1]:
            high = low + 1
            while high < indptr[k + 1] and score[high] == score[low]:
                high += 1
            if high - low > 1:
                tied = np.sort(item[low:high])
                draws = np.empty(high - low, np.uint64)
                for p in range(high - low):
                    draws[p] = draw_of(key, users[k], tied[p])
                order = stable_order(draws)
                for p in range(high - low):
                    item[low + p] = tied[order[p]]
            low = high
