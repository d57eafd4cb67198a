"""Whether the unnamed third column of a run holds scores or ranks, which put lists in opposite orders."""

from __future__ import annotations

import numpy as np

from heldout.errors import InputError
from heldout.tables.arrays import Bool, Float64, Int32, Int64, pointers

_HIGHEST = 10_000_000
"""Ranks are below this: there is no catalogue of so many items that lists are told by their place in it."""
_PLAIN = 10
"""Pairs of neighbouring rows that all fall, or all do not, before their order is believed."""


def holds_ranks(user: Int32, third: Float64, *, file: str) -> bool:
    """Whether the third column ranks each user's items; InputError when it may as well score them.

    Ranks are the whole numbers 1…n (or 0…n−1) in every user's rows, in any order but n…1, which may be points. Whole
    numbers with gaps, and ranks that tie, may be either. Fractions, negative numbers, other repeated numbers and numbers
    that fall from row to row, best first, are scores. Where no user has two rows, nothing depends on it.
    """
    if len(third) == 0 or third.min() < 0 or third.max() >= _HIGHEST or np.any(third != np.floor(third)):
        return False
    order = np.lexsort((third, user))
    starts = pointers(user, int(user.max()) + 1)
    place = np.arange(len(user)) - starts[user[order]]
    ranks = third[order]
    same = place[1:] > 0
    if not same.any():
        return False
    rise = np.diff(ranks)[same]
    if not rise.any():
        return False
    falls = _falls(user, third)
    full = any(bool((ranks == place + first).all()) for first in (0, 1))
    if full and not falls.all():
        return True
    if not full and (falls.all() and len(falls) >= _PLAIN):
        return False
    if not full and not rise.all() and not _tied_ranks(ranks, place, same):
        return False
    raise InputError(
        "the third column may be scores or ranks",
        file=file,
        found=[f"{third[0]:.0f}", f"{third[-1]:.0f}"],
        expected="a header that names it",
        hint="add a first line: user, item, score; or user, item, rank",
    )


def _falls(user: Int32, third: Float64) -> Bool:
    """Of every two neighbouring rows of one user, in the order of the file, whether the second is below the first."""
    order = np.argsort(user, kind="stable")
    same = np.diff(user[order]) == 0
    return np.asarray(np.diff(third[order])[same] < 0)


def _tied_ranks(ranks: Float64, place: Int64, same: Bool) -> bool:
    """Whether sorted numbers are ranks of which some tie: 1, 2, 2, 4 or, from three different ones on, 1, 2, 2, 3."""
    new = np.ones(len(ranks), dtype=np.bool_)
    new[1:] = (np.diff(ranks) != 0) | ~same
    first = place == 0
    lowest = ranks[first]
    if not ((lowest == 0).all() or (lowest == 1).all()):
        return False
    above = ranks - lowest[np.cumsum(first) - 1]
    if ranks.max() - lowest[0] < 2:
        return False
    dense = np.cumsum(new) - 1
    dense = dense - dense[first][np.cumsum(first) - 1]
    begin = np.maximum.accumulate(np.where(new, np.arange(len(ranks)), 0))
    shared = place[begin]
    return bool((above == shared).all() or (above == dense).all())
