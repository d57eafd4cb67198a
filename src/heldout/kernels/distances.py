"""Cosine distances of items, from sparse rows of features or ratings."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import entries_of, kernel


@kernel
def _dot(indptr: Any, column: Any, value: Any, a: int, b: int) -> float:
    """The product of two sparse rows whose columns ascend."""
    p, q = indptr[a], indptr[b]
    end_p, end_q = indptr[a + 1], indptr[b + 1]
    total = 0.0
    while p < end_p and q < end_q:
        if column[p] < column[q]:
            p += 1
        elif column[p] > column[q]:
            q += 1
        else:
            total += value[p] * value[q]
            p += 1
            q += 1
    return total


def _steps(pairs: int, item: Any, indptr: Any) -> int:
    """Of so many pairs, whose rows are as long as those of the items on average."""
    return int(pairs * (1 + 4 * entries_of(indptr, item) / max(item.size, 1)))


@kernel(steps=lambda *, list_indptr, item, indptr, **_: _steps(item.size + (np.diff(list_indptr) ** 2).sum(), item, indptr))
def distances_within(
    list_indptr: Any, item: Any, n_items: int, indptr: Any, column: Any, value: Any, norm: Any, out: Any
) -> None:
    """The mean of 1 − cosine over the pairs of each list; NaN for lists of fewer than two. No row, no likeness.

    Lists share many pairs: those of the 2,048 most recently met items are kept.
    """
    slots = 2048
    slot_of = np.full(n_items, -1, np.int64)
    held = np.full(slots, -1, np.int64)
    kept = np.full((slots, slots), np.nan)
    fresh = 0
    for k in range(list_indptr.shape[0] - 1):
        low, high = list_indptr[k], list_indptr[k + 1]
        size = high - low
        if size < 2:
            out[k] = np.nan
            continue
        total = 0.0
        for p in range(low, high):
            i = item[p]
            if size <= slots and slot_of[i] < 0:
                if held[fresh] >= 0:
                    slot_of[held[fresh]] = -1
                held[fresh] = i
                slot_of[i] = fresh
                kept[fresh, :] = np.nan
                kept[:, fresh] = np.nan
                fresh = (fresh + 1) % slots
        for p in range(low, high):
            i = item[p]
            for q in range(low, p):
                j = item[q]
                s, t = slot_of[i], slot_of[j]
                alike = np.nan
                if s >= 0 and t >= 0:
                    alike = kept[s, t]
                if alike != alike:
                    alike = 0.0
                    if norm[i] > 0 and norm[j] > 0:
                        alike = _dot(indptr, column, value, i, j) / (norm[i] * norm[j])
                    if s >= 0 and t >= 0:
                        kept[s, t] = alike
                        kept[t, s] = alike
                total += 1.0 - alike
        out[k] = total / (size * (size - 1) / 2)


@kernel(steps=lambda *, item, user, own_indptr, indptr, **_: _steps(item.size + entries_of(own_indptr, user), item, indptr))
def distances_to_profiles(
    item: Any, user: Any, own_indptr: Any, own_item: Any, indptr: Any, column: Any, value: Any, norm: Any, out: Any
) -> None:
    """For pairs of an item and a user, the mean of 1 − cosine between the item and what the user rated; 1 without any."""
    for e in range(item.shape[0]):
        i = item[e]
        low, high = own_indptr[user[e]], own_indptr[user[e] + 1]
        total = 0.0
        for p in range(low, high):
            j = own_item[p]
            alike = 0.0
            if norm[i] > 0 and norm[j] > 0:
                alike = _dot(indptr, column, value, i, j) / (norm[i] * norm[j])
            total += 1.0 - alike
        out[e] = total / (high - low) if high > low else 1.0
