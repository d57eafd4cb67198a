"""The first n items of a ranking, without sorting the others.

The n-th highest score is found by halving the range of floats, with one count of all columns in each step; what is not below
it is gathered and sorted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import kernel
from heldout.kernels.ranks import draw_of

SIGN = np.uint32(0x80000000)
BLOCK = 64


@kernel
def _number(bits: Any) -> Any:
    """The bits of a float32 as a number that rises with the float; the two zeros are one."""
    if bits == SIGN:
        return SIGN
    return ~bits if bits & SIGN else bits | SIGN


@kernel
def _float(number: Any, room: Any) -> Any:
    """The float of such a number; `room` is one place of float32."""
    room.view(np.uint32)[0] = number ^ SIGN if number & SIGN else ~number
    return room[0]


@kernel
def _at_least(values: Any, least: Any) -> Any:
    count = np.int32(0)
    for p in range(values.shape[0]):
        count = np.int32(count + np.int32(values[p] >= least))
    return count


@kernel
def _threshold(values: Any, n: int, room: Any) -> Any:
    """The highest float, or one near it, that at least n values reach; exact where near ones would let too many pass."""
    room[0] = -np.inf
    low = _number(room.view(np.uint32)[0])
    room[0] = np.inf
    high = _number(room.view(np.uint32)[0])
    # n or more values reach `low`; fewer reach any number above `high`
    while low < high:
        middle = low + (high - low) // np.uint32(2) + np.uint32(1)
        count = _at_least(values, _float(middle, room))
        if count >= n:
            low = middle
            if count <= n + n // 2 + 8:
                break
        else:
            high = middle - np.uint32(1)
    return _float(low, room)


@kernel
def _gather(values: Any, least: Any, most_equal: int, packed: Any, room: Any) -> int:
    """Values from `least` on with their places, as numbers that fall as the value rises and rise with the place.

    Of those equal to `least`, only the first `most_equal`.
    """
    bits = values.view(np.uint32)
    m, equal = 0, 0
    for low in range(0, values.shape[0], BLOCK):
        high = min(low + BLOCK, values.shape[0])
        found = np.int32(0)
        for p in range(np.uint64(low), np.uint64(high)):
            found = np.int32(found + np.int32(values[p] >= least))
        if found == 0:
            continue
        for p in range(np.uint64(low), np.uint64(high)):
            if values[p] >= least:
                if values[p] == least:
                    if equal >= most_equal:
                        continue
                    equal += 1
                packed[m] = (np.uint64(~_number(bits[p])) << np.uint64(32)) | p
                m += 1
    return m


@kernel
def top_items(values: Any, n: int, place: Any, packed: Any, room: Any) -> Any:
    """Places of the n highest values, equal ones by ascending place; their number, which is lower where values are fewer.

    `packed` has room for all values, `room` for one.
    """
    lowest = np.float32(-np.inf)
    scored = _at_least(values, lowest)
    wanted = min(n, scored)
    if wanted == 0:
        return 0
    least = _threshold(values, wanted, room) if wanted < scored else lowest
    room[0] = least
    over = _at_least(values, _float(_number(room.view(np.uint32)[0]) + np.uint32(1), room)) if least < np.inf else 0
    # where many equal the n-th, only the first of these are wanted, and they stand in order
    most_equal = wanted - over if over < wanted else scored
    m = _gather(values, least, most_equal, packed, room)
    best = np.sort(packed[:m])
    for q in range(wanted):
        place[q] = np.int32(best[q] & np.uint64(0xFFFFFFFF))
    return wanted


@kernel
def top_rows(values: Any, best: Any) -> None:
    """The places of each row's highest values, best first; rows hold as many values as `best` has columns, at least."""
    packed = np.empty(values.shape[1], np.uint64)
    room = np.empty(1, np.float32)
    for k in range(values.shape[0]):
        top_items(values[k], best.shape[1], best[k], packed, room)


@kernel
def top_candidates(
    scores: Any,
    users: Any,
    candidates: Any,
    train_indptr: Any,
    train_item: Any,
    by_tie: Any,
    key: Any,
    fallback: Any,
    length: Any,
    item: Any,
    score: Any,
) -> None:
    """The first items of each user's ranking of the candidates, under one fallback (its first number NaN: none).

    `candidates` marks items; `by_tie` are the items by tie key. Writes `length`, `item` and `score` (users × depth; NaN
    where the fallback ranks). Where `key` is not 0, equal scores are ordered by draws.
    """
    n, depth = by_tie.shape[0], item.shape[1]
    values = np.empty(n, np.float32)
    filled = np.empty(n, np.float32)
    place = np.empty(depth, np.int32)
    order = by_tie.copy()
    draws = np.empty(n if key != np.uint64(0) else 0, np.uint64)
    mine = np.zeros(n, np.bool_)
    packed = np.empty(n, np.uint64)
    room = np.empty(1, np.float32)
    for k in range(users.shape[0]):
        user = users[k]
        if key != np.uint64(0):
            for i in range(n):
                draws[i] = draw_of(key, user, i)
            order[:] = np.argsort(draws, kind="mergesort").astype(np.int32)
        for t in range(train_indptr[user], train_indptr[user + 1]):
            mine[train_item[t]] = True
        for p in range(n):
            i = order[p]
            values[p] = scores[k, i] if candidates[i] and not mine[i] else np.nan
        found = top_items(values, depth, place, packed, room)
        for q in range(found):
            item[k, q], score[k, q] = order[place[q]], values[place[q]]
        if found < depth and fallback.shape[0] > 0:
            for p in range(n):
                i = order[p]
                missing = candidates[i] and not mine[i] and scores[k, i] != scores[k, i]
                filled[p] = fallback[i] if missing else np.nan
            more = top_items(filled, depth - found, place, packed, room)
            for q in range(more):
                item[k, found + q], score[k, found + q] = order[place[q]], np.nan
            found += more
        length[k] = found
        for t in range(train_indptr[user], train_indptr[user + 1]):
            mine[train_item[t]] = False


@kernel
def top_lists(
    scores: Any, users: Any, indptr: Any, item: Any, tie: Any, key: Any, fallback: Any, length: Any, best: Any, score: Any
) -> None:
    """The first items of gathered lists, one for each user; arguments as in `top_candidates`."""
    longest = 1
    for k in range(users.shape[0]):
        longest = max(longest, indptr[k + 1] - indptr[k])
    values = np.empty(longest, np.float32)
    packed = np.empty(longest, np.uint64)
    place = np.empty(best.shape[1], np.int32)
    room = np.empty(1, np.float32)
    for k in range(users.shape[0]):
        own = item[indptr[k] : indptr[k + 1]]
        keys = np.empty(own.shape[0], np.uint64)
        for p in range(own.shape[0]):
            keys[p] = draw_of(key, users[k], own[p]) if key != np.uint64(0) else np.uint64(np.int64(tie[own[p]]) + 2**31)
        order = np.argsort(keys, kind="mergesort")
        found = 0
        for part in range(1 if fallback.shape[0] == 0 else 2):
            for p in range(own.shape[0]):
                i = own[order[p]]
                missing = scores[k, i] != scores[k, i]
                if part == 0:
                    values[p] = scores[k, i]
                else:
                    values[p] = fallback[i] if missing else np.nan
            more = top_items(values[: own.shape[0]], best.shape[1] - found, place, packed, room)
            for q in range(more):
                best[k, found + q] = own[order[place[q]]]
                score[k, found + q] = values[place[q]] if part == 0 else np.nan
            found += more
        length[k] = found
