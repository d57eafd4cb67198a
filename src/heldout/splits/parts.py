"""Making the parts of a split: random keys, places within a user or an item, rounding, times, and users too short."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal

import numpy as np

from heldout import rng, threads
from heldout.data.random_choice import lowest
from heldout.errors import InputError
from heldout.splits.splitter import Hidden, Splitter
from heldout.tables import Interactions
from heldout.tables.arrays import Bool, Float64, Int32, Int64, Ints

_PIECE = 1 << 20
"""Rows that one thread works on at a time."""
Short = Literal["error", "train", "drop"]
SHORT = "what becomes of those with too few ratings: an error, all their ratings train, or they are dropped and counted"


def draws(data: Interactions, seed: int, purpose: str, *entities: int) -> Float64:
    """A number in [0, 1) for every rating, keyed by its user and item: other ratings do not change it."""
    from heldout.kernels.grouping import pair_draws

    keys, key = np.empty(len(data)), np.uint64(rng.key(seed, purpose, *entities))
    user, item = data.user, data.item
    cuts = [*range(0, len(data), _PIECE), len(data)]
    _in_pieces(lambda a, b: pair_draws(key, user[a:b], item[a:b], keys[a:b]), cuts)
    return keys


def _in_pieces(work: Callable[[int, int], None], cuts: Sequence[int]) -> None:
    """`work(a, b)` for every piece between two cuts, on all threads; alone where there is one piece."""
    pieces = list(pairwise(cuts))
    if len(pieces) == 1:
        work(*pieces[0])
    else:
        list(threads.run_all(lambda piece: work(*piece), pieces))


def place_in_user(data: Interactions, keys: Float64 | Int64, ties: Float64 | None = None) -> Int64:
    """The 0-based place of every rating among its user's, ordered by `keys`, equal ones by `ties`."""
    return _places(data.user_indptr, keys, ties)


def from_place(data: Interactions, place: Int64, first: Int64) -> Bool:
    """Which ratings stand at the `first` place of their user or behind it."""
    tested = np.empty(len(place), dtype=np.bool_)
    for a in range(0, len(place), _PIECE):
        tested[a : a + _PIECE] = place[a : a + _PIECE] >= first[data.user[a : a + _PIECE]]
    return tested


def place_in_item(data: Interactions, keys: Float64) -> Int64:
    """The 0-based place of every rating among its item's, ordered by `keys`."""
    indptr, order = data.by_item
    place = np.empty(len(data), dtype=np.int64)
    place[order] = _places(indptr, keys[order], None)
    return place


def evenly_dealt(keys: Float64, n: int) -> Int32:
    """A random fold in 0…n−1 for every key in [0, 1), such that fold sizes differ by at most one.

    ⌊n × key⌋ is nearly that; folds that have too many give those with the highest keys to folds that have too few.
    """
    fold = np.minimum((keys * n).astype(np.int32), n - 1)
    size = np.bincount(fold, minlength=n)
    wanted = np.full(n, len(keys) // n)
    wanted[: len(keys) % n] += 1
    spare = []
    for k in np.flatnonzero(size > wanted):
        mine = np.flatnonzero(fold == k)
        spare.append(mine[lowest(-keys[mine], int(size[k] - wanted[k]))])
    if spare:
        fold[np.concatenate(spare)] = np.repeat(np.arange(n), np.maximum(wanted - size, 0))
    return fold


def _places(indptr: Int64, keys: Float64 | Int64, ties: Float64 | None) -> Int64:
    from heldout.kernels.grouping import places, places_by_two

    place = np.empty(len(keys), dtype=np.int64)
    starts = [*range(0, len(keys), _PIECE), len(keys)]
    cuts = np.unique(np.append(np.searchsorted(indptr[:-1], starts[:-1]), len(indptr) - 1)).tolist()
    cuts = [0, *cuts] if cuts[0] else cuts
    if ties is None:
        _in_pieces(lambda a, b: places(indptr[a : b + 1], keys, place), cuts)
    else:
        _in_pieces(lambda a, b: places_by_two(indptr[a : b + 1], keys, ties, place), cuts)
    return place


def rounded(share: float, counts: Int64) -> Int64:
    """share × counts to the nearest whole number, halves up; 0.29 × 50 is a half although floats say 14.4999…"""
    return np.asarray(np.floor(share * counts + 0.5 + 1e-9), dtype=np.int64)


def rounded_down(share: float, counts: Int64) -> Int64:
    """The whole number at or below share × counts; (1 − 0.8) × 5 is 1 although floats say 0.9999…"""
    return np.asarray(np.floor(share * counts + 1e-9), dtype=np.int64)


def times_of(data: Interactions, by: Splitter) -> Int64:
    """The times of all ratings; InputError when the data have none."""
    if data.time is None:
        raise InputError(
            "the data have no times",
            hint="name the column of times (time=…), or choose a split that needs none, such as ratio or leave_out",
        ).within(str(by))
    return data.time


def without_short(
    counts: Int64, codes: Ints, least: int, short: Short, test: Bool, by: Splitter, what: Literal["user", "item"]
) -> Hidden:
    """What is hidden, once users (items) with fewer than `least` ratings are dealt with as `short` says."""
    few = (counts > 0) & (counts < least)
    if not few.any():
        return Hidden(test)
    if short == "error" or few.sum() == (counts > 0).sum():
        n, fewest = int(few.sum()), int(counts[few].min())
        ways = f"filter with min_ratings({what}={least}), ask for fewer ratings"
        more = ", or set short=train or short=drop" if short == "error" else ""
        raise InputError(
            f"{n:,} of {int((counts > 0).sum()):,} {what}s have too few ratings to leave some on each side",
            found=fewest,
            expected=f"at least {least:,} ratings of each {what}",
            hint=ways + more,
        ).within(str(by))
    rows = few[codes]
    if short == "train":
        return Hidden(test & ~rows)
    return Hidden(test & ~rows, ((f"{what}s with fewer than {least:,} ratings", rows),))
