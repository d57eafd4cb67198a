"""Minimal pairs: two universes that one decision separates and that name opposite significant winners."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout.tables.arrays import Float64, Int32
from heldout.universes.findings.neighbours import Neighbours
from heldout.universes.findings.wording import ahead, ordered, setting, step
from heldout.universes.universes import Universes

MOST_NAMED = 3
"""How many minimal pairs are named of a decision whose options are not amounts."""
_SURE = 1e-4
"""p-values below this are equally convincing; the larger effect decides between them."""


@dataclass(frozen=True, kw_only=True)
class MinimalPair:
    """One decision turns the winner round, all else equal."""

    decision: str
    before: str
    """The option under which the first universe is."""
    after: str
    universes: tuple[int, int]
    effects: tuple[float, float]
    """Above 0, the first system of the pair is better."""
    p: tuple[float, float]
    adjacent: bool
    """Whether the two options are next to each other, where they are amounts."""
    same: tuple[tuple[str, str], ...]
    """The other decisions that vary, and what both universes chose."""
    sentence: str


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
    if ordered(universes.decisions[near.decision]):
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
    names = list(universes.pair_names())[pair]
    separating = universes.decisions[decision]
    effects = tuple(float(universes.effect[u, pair]) for u in (before, after))
    p = tuple(float(universes.p_adjusted[u, pair]) for u in (before, after))
    levels = [int(universes.codes[u, decision]) for u in (before, after)]
    same = tuple((universes.decisions[k].name, universes.level(before, k)) for k in universes.varying if k != decision)
    rest = setting(universes, before, leave=decision)
    was, is_ = (ahead(names, e, value) for e, value in zip(effects, p, strict=True))
    equal = f", all else equal ({rest})," if rest else ", all else equal,"
    return MinimalPair(
        decision=separating.name,
        before=universes.level(before, decision),
        after=universes.level(after, decision),
        universes=(before, after),
        effects=(effects[0], effects[1]),
        p=(p[0], p[1]),
        adjacent=ordered(separating) and min(levels) >= 0 and abs(levels[0] - levels[1]) == 1,
        same=same,
        sentence=f"{step(separating, *levels)}{equal} turns the winner round: {was} becomes {is_}.",
    )
