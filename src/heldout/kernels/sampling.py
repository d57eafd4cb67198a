"""Sampling items without replacement, keyed by user, so that every system meets the same sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import kernel


@kernel
def mixed(state: Any) -> Any:
    """The finaliser of splitmix64."""
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


@kernel
def _below(state: Any, n: int) -> Any:
    """A number in 0…n−1 from 64 random bits (multiply and shift)."""
    return np.int64(((state >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@kernel
def _draw(state: Any, pool: Any, excluded: Any, mark: Any, free: Any, picked: Any, stamp: Any, left: Any, out: Any) -> Any:
    """Items of a pool that are not excluded, without replacement: as many as `out` holds, or all where they are fewer."""
    golden = np.uint64(0x9E3779B97F4A7C15)
    wanted = min(out.shape[0], free)
    if 2 * wanted <= free and 2 * free >= pool.shape[0]:
        # most draws succeed: draw again where an item is excluded or has been drawn
        c = 0
        while c < wanted:
            state += golden
            item = pool[_below(mixed(state), pool.shape[0])]
            if excluded[item] != mark and picked[item] != stamp:
                picked[item] = stamp
                out[c] = item
                c += 1
        return wanted
    n = 0
    for item in pool:
        if excluded[item] != mark:
            left[n] = item
            n += 1
    for c in range(wanted):
        state += golden
        other = c + _below(mixed(state), n - c)
        left[c], left[other] = left[other], left[c]
        out[c] = left[c]
        picked[out[c]] = stamp
    return wanted


@kernel(steps=lambda *, users, pool, wanted, row_item, **_: len(users) * (len(pool) + 5 * wanted) + 5 * len(row_item))
def sample_lists(
    key: Any,
    users: Any,
    pool_indptr: Any,
    pool: Any,
    class_of: Any,
    train_indptr: Any,
    train_item: Any,
    row_indptr: Any,
    row_item: Any,
    leaves: Any,
    joins: Any,
    wanted: int,
    indptr: Any,
    item: Any,
    sampled: Any,
    pools: Any,
    row_list: Any,
    inside: Any,
) -> None:
    """For every user of a tile and every class, a list of sampled items, and of rated ones that join it.

    `pool[pool_indptr[c]:pool_indptr[c + 1]]` are the items of class c to sample from, `class_of` the class of each item (−1:
    none). Training items and rows that `leaves` marks are not sampled; rows that `joins` marks stand in the list as well.
    Writes the lists (`indptr`, `item`), how many of their items were `sampled` and from how many (`pools`), each row's list
    (`row_list`, −1 where its item has no class) and whether it is `inside`. Nothing is drawn for classes without a row.
    """
    n_classes = pool_indptr.shape[0] - 1
    excluded = np.zeros(class_of.shape[0], np.int32)
    picked = np.zeros(class_of.shape[0], np.int32)
    left = np.empty(pool.shape[0], np.int32)
    size = np.empty(n_classes, np.int64)
    wanted_class = np.empty(n_classes, np.bool_)
    golden = np.uint64(0x9E3779B97F4A7C15)
    indptr[0] = 0
    for k in range(users.shape[0]):
        user = users[k]
        mark = np.int32(k + 1)
        for c in range(n_classes):
            size[c] = pool_indptr[c + 1] - pool_indptr[c]
            wanted_class[c] = False
        for t in range(train_indptr[user], train_indptr[user + 1]):
            excluded[train_item[t]] = mark
            if class_of[train_item[t]] >= 0:
                size[class_of[train_item[t]]] -= 1
        for e in range(row_indptr[k], row_indptr[k + 1]):
            c = class_of[row_item[e]]
            row_list[e] = -1
            if c < 0:
                continue
            row_list[e] = k * n_classes + c
            wanted_class[c] = True
            if leaves[e]:
                excluded[row_item[e]] = mark
                size[c] -= 1
        for c in range(n_classes):
            at = k * n_classes + c
            begin = indptr[at]
            end = begin
            if wanted_class[c]:
                state = mixed(np.uint64(key) + np.uint64(user + 1) * golden) + np.uint64(c) * np.uint64(0xD1B54A32D192ED03)
                of_class = pool[pool_indptr[c] : pool_indptr[c + 1]]
                room = item[begin : begin + wanted]
                end += _draw(mixed(state), of_class, excluded, mark, size[c], picked, np.int32(at + 1), left, room)
            sampled[at] = end - begin
            pools[at] = size[c]
            for e in range(row_indptr[k], row_indptr[k + 1]):
                if row_list[e] == at:
                    inside[e] = picked[row_item[e]] == at + 1
                    if joins[e] and not inside[e]:
                        item[end] = row_item[e]
                        end += 1
                        inside[e] = True
            indptr[at + 1] = end
