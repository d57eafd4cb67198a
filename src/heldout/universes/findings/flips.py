"""Flips: how often changing one decision alone changes the verdict.

Formula: among all pairs of universes that differ in this decision only, the number in which the leader changes (one system
ahead, then the other), in which a significant winner turns into the other significant one (a reversal), and in which
significance is gained or lost. By levels: the same between each two options.

Assumes: a universe in which both are equal has no leader, and one without a p-value no significant winner; both are counted
among the pairs, but one in which a system has no value is in none. Where an option brings another decision with it (the gain
map of a metric), the two universes differ in more than this decision and are no such pair.

Example: cut-offs 1, 5, 10 with winners +, +, − and all else equal: three pairs, of which (1, 10) and (5, 10) are reversals,
so 2 of 3; of the two adjacent pairs one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout.tables.arrays import Bool, Float64, Int8
from heldout.universes.findings.neighbours import Neighbours
from heldout.universes.findings.wording import ordered
from heldout.universes.universes import Universes


@dataclass(frozen=True)
class Counted:
    """Pairs of universes, and in how many of them what changes."""

    pairs: int
    leader: int
    reversed: int
    significance: int
    """Pairs in which one universe has a significant winner and the other has none."""

    def share(self, count: int) -> float | None:
        """A count of pairs as a share of all; None where there are none."""
        return count / self.pairs if self.pairs else None


@dataclass(frozen=True, kw_only=True)
class Flips:
    """What changing one decision alone does to one pair of systems."""

    decision: str
    all: Counted
    adjacent: Counted | None
    """Of options next to each other; None where options are no amounts."""
    levels: tuple[str, ...]
    """The options that have neighbours, in the order of `reversals`."""
    reversals: tuple[tuple[int, ...], ...]
    """Options × options: pairs in which the first is significantly better under the row's and worse under the column's."""
    compared: tuple[tuple[int, ...], ...]
    """Options × options: pairs there are."""


def flips(universes: Universes, near: Neighbours) -> tuple[Flips, ...]:
    """For every pair of systems, what changing this decision alone does."""
    decision = universes.decisions[near.decision]
    there = near.table >= 0
    every = _matrix(there, there)
    labels = tuple(decision.label(int(level)) for level in near.levels)
    numbered = ordered(decision) and len(near.levels) > 1
    nearby = np.diff(near.levels) == 1
    nearby &= near.levels[:-1] >= 0
    by_pair = []
    for pair in range(len(universes.pairs)):
        valued = np.isfinite(universes.difference[:, pair])
        present = there if valued.all() else there & valued[near.table]
        compared = every if valued.all() else _matrix(present, present)
        ahead, behind = (_where(universes.lead[:, pair], near, side) for side in (1, -1))
        better, worse = (_where(universes.winner[:, pair], near, side) for side in (1, -1))
        leader = _matrix(ahead, behind)
        turned = _matrix(better, worse)
        sure, unsure = better | worse, present & ~(better | worse)
        gained = _matrix(sure, unsure)
        tables = [compared, leader + leader.T, turned + turned.T, gained + gained.T]
        by_pair.append(
            Flips(
                decision=decision.name,
                all=Counted(*(int(np.triu(table, 1).sum()) for table in tables)),
                adjacent=Counted(*(int(np.diagonal(table, 1)[nearby].sum()) for table in tables)) if numbered else None,
                levels=labels,
                reversals=_rows(turned),
                compared=_rows(compared * ~np.eye(len(labels), dtype=bool)),
            )
        )
    return tuple(by_pair)


def _where(column: Int8, near: Neighbours, side: int) -> Bool:
    """Where the table's universes have this sign; never where there is none."""
    signed: Bool = (column[near.table] == side) & (near.table >= 0)
    return signed


def _matrix(a: Bool, b: Bool) -> Float64:
    """Levels × levels: groups in which a holds under the one and b under the other."""
    counts: Float64 = np.zeros((a.shape[1], b.shape[1]))
    for start in range(0, len(a), 65536):  # as doubles a block at a time, so that memory stays small
        counts += a[start : start + 65536].astype(np.float64).T @ b[start : start + 65536].astype(np.float64)
    return counts


def _rows(table: Float64) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(round(v) for v in row) for row in table.tolist())
