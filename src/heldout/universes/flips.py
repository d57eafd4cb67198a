"""Flips: how often changing one decision alone changes the verdict, and which two universes show it best.

Formula: among all pairs of universes that differ in this decision only (neighbours), the number in which the leader changes
(one system ahead, then the other), in which a significant winner turns into the other significant one (a reversal), and in
which significance is gained or lost. By levels: the same between each two options. A minimal pair is one such reversal.

Assumes: no universe occurs twice. A universe in which both systems are equal has no leader, and one without a p-value no
significant winner; both are counted among the pairs, but one in which a system has no value is in none. If an option brings
another decision with it (the gain map of a metric), the two universes differ in more than this decision and are not a pair.

Example: cut-offs 1, 5, 10 with winners +, +, − and all else equal: three pairs, of which (1, 10) and (5, 10) are reversals,
so 2 of 3; of the two adjacent pairs one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout.tables.arrays import Bool, Float64, Int8, Int32
from heldout.universes.findings import Counted, Flips, MinimalPair
from heldout.universes.sentences import minimal_pair_sentence
from heldout.universes.universes import Universes, dense

MOST_NAMED = 3
"""How many minimal pairs are named of a decision whose options are not amounts."""
_SURE = 1e-4
"""p-values below this are equally convincing; the larger effect decides between them."""


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


def flips(universes: Universes, near: Neighbours) -> tuple[Flips, ...]:
    """For every pair of systems, what changing this decision alone does."""
    decision = universes.decisions[near.decision]
    there = near.table >= 0
    every = _matrix(there, there)
    labels = tuple(decision.label(int(level)) for level in near.levels)
    numbered = decision.ordered and len(near.levels) > 1
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


def reversals(universes: Universes, near: Neighbours, pair: int) -> tuple[Int32, Int32]:
    """All pairs of universes that this decision alone separates and in which the significant winners are opposite."""
    won = universes.winner[:, pair]
    both: list[tuple[Int32, Int32]] = [(np.zeros(0, np.int32), np.zeros(0, np.int32))]
    signs = np.where(near.table >= 0, won[near.table], 0)
    turning = np.flatnonzero((signs.max(axis=1, initial=0) > 0) & (signs.min(axis=1, initial=0) < 0))
    table, signs = near.table[turning], signs[turning]
    for i in range(len(near.levels)):
        for j in range(i + 1, len(near.levels)):
            rows = np.flatnonzero(signs[:, i] * signs[:, j] == -1)
            if len(rows):
                both.append((table[rows, i], table[rows, j]))
    return np.concatenate([a for a, _ in both]), np.concatenate([b for _, b in both])


def most_convincing(universes: Universes, near: Neighbours, pair: int) -> tuple[MinimalPair, ...]:
    """The reversals with the smallest larger p, then the largest smaller effect.

    Of amounts one, adjacent ones before others; of other options one for each two of them that turn the winner round, the
    two that do so most often first, and at most `MOST_NAMED`.
    """
    first, second = reversals(universes, near, pair)
    if not len(first):
        return ()
    level = universes.codes[:, near.decision]
    if universes.decisions[near.decision].ordered:
        close = (level[second] - level[first] == 1) & (level[first] >= 0)
        kept = close if close.any() else np.ones(len(close), dtype=np.bool_)
        return (_best(universes, near, pair, first[kept], second[kept]),)
    both = np.stack([level[first], level[second]], axis=1)
    options, counts = np.unique(both, axis=0, return_counts=True)
    candidates = []
    for two, count in zip(options, counts.tolist(), strict=True):
        mine = (both == two).all(axis=1)
        best = _best(universes, near, pair, first[mine], second[mine])
        candidates.append((-count, max(*best.p, _SURE), -min(abs(e) for e in best.effects), best))
    return tuple(best for *_, best in sorted(candidates, key=lambda candidate: candidate[:3])[:MOST_NAMED])


def _best(universes: Universes, near: Neighbours, pair: int, first: Int32, second: Int32) -> MinimalPair:
    p, effect = universes.p_adjusted[:, pair], np.abs(universes.effect[:, pair])
    worst: Float64 = np.maximum(np.maximum(p[first], p[second]), _SURE)
    weakest = np.nan_to_num(np.minimum(effect[first], effect[second]))
    best = int(np.lexsort((-weakest, worst))[0])
    return _minimal_pair(universes, near.decision, pair, int(first[best]), int(second[best]))


def _minimal_pair(universes: Universes, decision: int, pair: int, before: int, after: int) -> MinimalPair:
    separating, places = universes.decisions[decision], (before, after)
    effects = tuple(float(universes.effect[u, pair]) for u in places)
    p = tuple(float(universes.p_adjusted[u, pair]) for u in places)
    levels = [int(universes.codes[u, decision]) for u in places]
    names = list(universes.pair_names())[pair]
    return MinimalPair(
        decision=separating.name,
        before=universes.level(before, decision),
        after=universes.level(after, decision),
        universes=places,
        effects=(effects[0], effects[1]),
        p=(p[0], p[1]),
        adjacent=separating.ordered and min(levels) >= 0 and abs(levels[0] - levels[1]) == 1,
        same=tuple((universes.decisions[k].name, universes.level(before, k)) for k in universes.varying if k != decision),
        sentence=minimal_pair_sentence(universes, names, decision, places, effects, p),
    )
