"""Universes by their choices: those that share some, and those that differ in one decision only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from heldout.tables.arrays import Float64, Int32, Int64
from heldout.universes.universes import Universes

_LARGEST = 2**62


def keys(codes: Int32, columns: Iterable[int]) -> tuple[Int64, int]:
    """A number for each row that is the same where all these columns are, and how many numbers there may be.

    codes [[0, −1], [1, 0]] by both columns: 0·2 + 0 = 0 and 1·2 + 1 = 3, of 4.
    """
    key, size = np.zeros(len(codes), dtype=np.int64), 1
    for column in columns:
        width = int(codes[:, column].max(initial=-1)) + 2
        low = int(codes[:, column].min(initial=0)) >= 0
        if size > _LARGEST // width:
            key, size = compact(key)
        width -= low
        key *= width
        key += codes[:, column]
        if not low:
            key += 1
        size *= width
    return key, size


def occurring(column: Int32) -> Int32:
    """The levels that occur, ascending; faster than sorting."""
    return (np.flatnonzero(np.bincount(column + 1)) - 1).astype(np.int32)


def compact(key: Int64) -> tuple[Int64, int]:
    """The same groups, numbered 0, 1, 2, … without gaps."""
    groups, place = np.unique(key, return_inverse=True)
    return place.astype(np.int64), len(groups)


def dense(codes: Int32, columns: Sequence[int]) -> tuple[Int64, int]:
    """`keys` that are few enough to count by: without gaps where they would be many more than rows."""
    key, size = keys(codes, columns)
    return (key, size) if size <= 4 * len(codes) + 1024 else compact(key)


def summed(key: Int64, size: int, columns: Float64) -> Float64:
    """Sums of every column by key: groups × columns."""
    from scipy.sparse import csc_array

    rows = len(key)
    sums: Float64 = csc_array((np.ones(rows), key, np.arange(rows + 1)), shape=(size, rows)) @ columns
    return sums


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Universes that differ in one decision only."""

    decision: int
    levels: Int32
    """The levels that occur, −1 included, ascending."""
    table: Int32
    """Groups × levels: the universe with that level and all else equal; −1 where there is none. Each group has two or
    more, so that every two in a row of the table are a pair that one decision separates."""


def neighbours(universes: Universes, decision: int) -> Neighbours:
    """The universes side by side that one decision separates.

    Assumes that no universe occurs twice. Decisions that come and go with this one (a gain map with its metric) differ
    too, so that such universes are no neighbours.
    """
    codes = universes.codes
    others = [k for k in universes.varying if k != decision]
    group, n = dense(codes, others)
    members = np.bincount(group, minlength=n)
    rows = np.flatnonzero(members[group] > 1)
    levels, place = np.unique(codes[rows, decision], return_inverse=True)
    number = np.cumsum(members > 1) - 1
    table = np.full((int((members > 1).sum()), len(levels)), -1, dtype=np.int32)
    table[number[group[rows]], place] = rows
    return Neighbours(decision, levels.astype(np.int32), table)
