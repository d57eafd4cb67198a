"""Which decisions are nested in which: a gain map exists only within a metric that takes one."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from heldout.tables.arrays import Int32, Int64
from heldout.universes.findings.neighbours import dense

TOLERANCE = 0.05
"""How far, of themselves and on average over universes, cells may lie from what independence expects: a few universes that
are missing make no dependence."""

Closed = frozenset[int]
"""Decisions, by their places, with all that they are nested in."""


def parents(codes: Int32, columns: Iterable[int]) -> dict[int, Closed]:
    """The earlier decisions that each depends on in the grid, as few as tell all of the dependence."""
    nested_in: dict[int, Closed] = {}
    before: list[int] = []
    for k in columns:
        joint, n = dense(codes, before)
        wanted = {j for j in before if not _independent(codes, k, *dense(codes, [j]), ())}
        if not _independent(codes, k, joint, n, sorted(wanted)):
            wanted = set(before)
        for j in sorted(wanted):
            if _independent(codes, k, joint, n, sorted(wanted - {j})):
                wanted.discard(j)
        nested_in[k] = frozenset(wanted)
        before.append(k)
    return nested_in


def _independent(codes: Int32, k: int, group: Int64, n: int, conditions: Iterable[int]) -> bool:
    """Whether decision k is independent of the groups under the conditions: some decisions that the groups tell.

    Cells that never occur need no look: if all that occur are as expected, the expected ones of a group add up already.
    """
    level = codes[:, k].astype(np.int64) + 1
    width = int(level.max(initial=0)) + 1
    key, m = dense(codes, list(conditions))
    both = np.bincount(group * width + level, minlength=n * width)[group * width + level]
    expected = (
        np.bincount(group, minlength=n)[group]
        * np.bincount(key * width + level, minlength=m * width)[key * width + level]
        / np.bincount(key, minlength=m)[key]
    )
    return float(np.mean(np.abs(both - expected) / expected)) <= TOLERANCE


def closure(decisions: Iterable[int], above: dict[int, Closed]) -> Closed:
    """These decisions with their parents, the parents' parents, and so on."""
    closed: set[int] = set()
    todo = list(decisions)
    while todo:
        k = todo.pop()
        if k not in closed:
            closed.add(k)
            todo += above[k]
    return frozenset(closed)


def tops(closed: Closed, above: dict[int, Closed]) -> Closed:
    """The decisions of a closed set that are no parent in it."""
    return closed - {parent for k in closed for parent in above[k]}
