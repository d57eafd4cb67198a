"""The first n items of a ranking, without sorting the others.

The n-th highest score is found by narrowing a range of floats, with one count of all columns in each step; what is not below
it is gathered and sorted. The search begins where the row before ended, since users' scores are much alike; where it began
changes nothing but the time it takes. Scores of float64 are searched and gathered as float32; those that round to the same
number are put in order after that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import by_type, kernel
from heldout.kernels.ordering import sort_numbers, stable_order
from heldout.kernels.ranks import draw_of
from heldout.kernels.widths import is_double, order_group, single

SIGN = np.uint32(0x80000000)
LOWEST, HIGHEST = np.uint32(0x007FFFFF), np.uint32(0xFF800000)
"""The numbers of −∞ and ∞."""
NONE = np.uint32(0)
"""No number to begin with; none that a float other than NaN has."""
BLOCK = 64
STRIDE = np.uint32(1 << 17)
"""How far from where the last search ended the next one looks first: an eighth of a binary order of magnitude or less."""
MANY = 8
"""Where so many times n values reach a guess, many may be equal to it."""
COUNTS = 12
"""Counts after which the range is narrowed to values that occur, which costs four times as much: equal ones are many."""


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
def _either_side(values: Any, least: Any) -> Any:
    """How many values reach `least`, and the numbers of the lowest of these and of the highest of the others."""
    bits = values.view(np.uint32)
    count, lowest, highest = np.int32(0), np.uint32(0xFFFFFFFF), NONE
    for p in range(values.shape[0]):
        number = bits[p] ^ (np.uint32(np.int32(bits[p]) >> np.int32(31)) | SIGN)
        count = np.int32(count + np.int32(values[p] >= least))
        lowest = min(lowest, number if values[p] >= least else np.uint32(0xFFFFFFFF))
        highest = max(highest, number if values[p] < least else NONE)
    # −0 is one below 0 here
    return count, SIGN if lowest == ~SIGN else lowest, SIGN if highest == ~SIGN else highest


@kernel
def _threshold(values: Any, n: int, guess: Any, room: Any) -> Any:
    """The number of the highest float, or of one near it, that at least n values reach.

    Exact where near ones would let too many pass.
    """
    low, high = LOWEST, HIGHEST
    # n or more values reach `low`; fewer reach any number above `high`
    middle = guess if guess > low else low + (high - low) // np.uint32(2)
    stride = np.int64(STRIDE)
    counts, by_value = 0, False
    while low < high:
        if by_value:
            count, lowest, highest = _either_side(values, _float(middle, room))
        else:
            count = _at_least(values, _float(middle, room))
            lowest, highest = middle, middle - np.uint32(1)
        if count >= n:
            low = lowest
            if count <= n + n // 2 + 8:
                break
        else:
            high = highest
        counts += 1
        by_value = counts > COUNTS
        if counts == 1 and guess != NONE and count > MANY * n:
            middle, by_value = low + np.uint32(1), True  # many equal the guess, perhaps, and it is the one
        elif guess != NONE and high == HIGHEST:
            middle = np.uint32(min(np.int64(low) + stride, np.int64(high)))
            stride *= 8
        elif guess != NONE and low == LOWEST:
            middle = np.uint32(max(np.int64(high) - stride, np.int64(low) + 1))
            stride *= 8
        else:
            middle = low + (high - low) // np.uint32(2) + np.uint32(1)
    return np.uint32(low)


@kernel
def _gather(values: Any, least: Any, above: Any, most_equal: int, packed: Any) -> int:
    """Values from `least` on with their places, as numbers that fall as the value rises and rise with the place.

    Of those equal to `least`, only the first `most_equal`; `above` is the next float.
    """
    bits = values.view(np.uint32)
    m, equal, wanted = 0, 0, least
    for low in range(0, values.shape[0], BLOCK):
        high = min(low + BLOCK, values.shape[0])
        n_above = np.int32(0)
        for p in range(np.uint64(low), np.uint64(high)):
            n_above = np.int32(n_above + np.int32(values[p] >= wanted))
        if n_above == 0:
            continue
        for p in range(np.uint64(low), np.uint64(high)):
            if values[p] >= wanted:
                if values[p] == least:
                    equal += 1
                    wanted = above if equal == most_equal else least
                packed[m] = (np.uint64(~_number(bits[p])) << np.uint64(32)) | p
                m += 1
    return m


def _top_small(values: Any, n: int, guess: Any, place: Any, packed: Any, room: Any) -> Any:
    order = np.argsort(-values, kind="stable")  # NaN comes last
    wanted = min(n, np.count_nonzero(values == values))
    place[:wanted] = order[:wanted]
    return wanted, guess


@kernel(small=_top_small)
def top_items(values: Any, n: int, guess: Any, place: Any, packed: Any, room: Any) -> Any:
    """Places of the n highest values, equal ones by ascending place; their number, which is lower where values are fewer.

    `guess` is where the search begins (NONE: anywhere); where it ended is returned too. `packed` has room for all values,
    `room` for one.
    """
    rounded = single(values)
    lowest = np.float32(-np.inf)
    scored = _at_least(rounded, lowest)
    wanted = min(n, scored)
    if wanted == 0:
        return wanted, np.uint32(guess)
    threshold = _threshold(rounded, wanted, guess, room) if wanted < scored else LOWEST
    least = _float(threshold, room)
    above = _float(threshold + np.uint32(1), room) if least < np.inf else np.float32(np.nan)
    most_equal = scored
    if not is_double(values):
        over = _at_least(rounded, above)
        # where many equal the n-th, only the first of these are wanted, and they stand in order
        most_equal = wanted - over if over < wanted else scored
    m = _gather(rounded, least, above, most_equal, packed)
    best = sort_numbers(packed, m, np.empty(m, np.uint64))
    order_rounded(values, best, m)
    for q in range(wanted):
        place[q] = np.int32(best[q] & np.uint64(0xFFFFFFFF))
    return wanted, threshold if wanted < scored else np.uint32(guess)  # one type, or callers are compiled for two


def order_rounded(values: Any, best: Any, m: int) -> None:
    """Put packed places of equal values in order if the values were rounded: those of float32 are exact."""
    if is_double(values):
        _order_rounded(values, best, m)


@by_type(order_rounded)
def _order_of_width(values: Any, best: Any, m: int) -> Any:
    if str(values.dtype) == "float64":
        return lambda values, best, m: _order_rounded(values, best, m)
    return lambda values, best, m: None


@kernel
def _order_rounded(values: Any, best: Any, m: int) -> None:
    """Put packed places whose rounded values are equal in the order of the values themselves."""
    place = np.empty(m, np.int64)
    for q in range(m):
        place[q] = best[q] & np.uint64(0xFFFFFFFF)
    low = np.int64(0)
    while low < m:
        high = low + 1
        while high < m and best[high] >> np.uint64(32) == best[low] >> np.uint64(32):
            high += 1
        order_group(values, place, low, high)
        low = high
    for q in range(m):
        best[q] = np.uint64(place[q])


@kernel(steps=lambda *, scores, **_: 20 * len(scores) + scores.size // 20)
def best_items(scores: Any, users: Any, indptr: Any, rated: Any, n: int) -> Any:
    """The at most n best items of each row, best first, lower code first among equals: (items, scores, how many).

    NaN is no score; the training items `rated[indptr[u]:indptr[u + 1]]` are left out (their scores are overwritten).
    """
    item, score = np.zeros((len(users), n), np.int32), np.zeros((len(users), n), scores.dtype)
    kept = np.zeros(len(users), np.int32)
    packed = np.empty(scores.shape[1], np.uint64)
    room = np.empty(1, np.float32)
    guess = NONE
    for k in range(len(users)):
        row, u = scores[k], users[k]
        for p in range(indptr[u], indptr[u + 1]):
            row[rated[p]] = np.nan
        kept[k], guess = top_items(row, n, guess, item[k], packed, room)
        for q in range(kept[k]):
            score[k, q] = row[item[k, q]]
    return item, score, kept


@kernel(steps=lambda *, scores, key, **_: scores.size * (2 if key == 0 else 30))
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
    values = np.empty(n, scores.dtype)
    filled = np.empty(n, np.float32)
    place = np.empty(depth, np.int32)
    order = by_tie.copy()
    draws = np.empty(n if key != np.uint64(0) else 0, np.uint64)
    mine = np.zeros(n, np.bool_)
    packed = np.empty(n, np.uint64)
    room = np.empty(1, np.float32)
    guess = NONE
    for k in range(users.shape[0]):
        user = users[k]
        if key != np.uint64(0):
            for i in range(n):
                draws[i] = draw_of(key, user, i)
            drawn = stable_order(draws)
            for p in range(n):
                order[p] = drawn[p]
        for t in range(train_indptr[user], train_indptr[user + 1]):
            mine[train_item[t]] = True
        for p in range(n):
            i = order[p]
            values[p] = scores[k, i] if candidates[i] and not mine[i] else np.nan
        filled_to, guess = top_items(values, depth, guess, place, packed, room)
        for q in range(filled_to):
            item[k, q], score[k, q] = order[place[q]], values[place[q]]
        if filled_to < depth and fallback.shape[0] > 0:
            for p in range(n):
                i = order[p]
                missing = candidates[i] and not mine[i] and scores[k, i] != scores[k, i]
                filled[p] = fallback[i] if missing else np.nan
            more, _ = top_items(filled, depth - filled_to, NONE, place, packed, room)
            for q in range(more):
                item[k, filled_to + q], score[k, filled_to + q] = order[place[q]], np.nan
            filled_to += more
        length[k] = filled_to
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
    values = np.empty(longest, scores.dtype)
    packed = np.empty(longest, np.uint64)
    place = np.empty(best.shape[1], np.int32)
    room = np.empty(1, np.float32)
    for k in range(users.shape[0]):
        own = item[indptr[k] : indptr[k + 1]]
        keys = np.empty(own.shape[0], np.uint64)
        for p in range(own.shape[0]):
            keys[p] = draw_of(key, users[k], own[p]) if key != np.uint64(0) else np.uint64(np.int64(tie[own[p]]) + 2**31)
        order = stable_order(keys)
        filled_to = 0
        for part in range(1 if fallback.shape[0] == 0 else 2):
            for p in range(own.shape[0]):
                i = own[order[p]]
                missing = scores[k, i] != scores[k, i]
                if part == 0:
                    values[p] = scores[k, i]
                else:
                    values[p] = fallback[i] if missing else np.nan
            more, _ = top_items(values[: own.shape[0]], best.shape[1] - filled_to, NONE, place, packed, room)
            for q in range(more):
                best[k, filled_to + q] = own[order[place[q]]]
                score[k, filled_to + q] = values[place[q]] if part == 0 else np.nan
            filled_to += more
        length[k] = filled_to
