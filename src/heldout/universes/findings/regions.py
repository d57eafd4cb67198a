"""Where in the grid something happens: the smallest block of choices that holds all of it, and where it is densest.

Formula: the hull of a set of universes is the product over decisions of the options that occur in it, without the
decisions that exclude no further universe. The densest corner is the condition on one decision (an option, or all numbers
up to or from one) or on two that maximises the φ correlation of "is there" with "happens".

Assumes: φ = (n·a − r·m) / √(r (n−r) m (n−m)) for n universes, r in which it happens, m in the corner, a both: a corner that
holds few of the cases or many others scores low. A corner with fewer than `SUPPORT` universes is not named. A seed is
chance and no choice: a block is told by it only where all cases fall on one seed, a corner never.

Example: 100 universes, it happens in 10, of which 9 are among the 12 with cut-off 1: φ = (900 − 120)/√(10·90·12·88) = 0.80.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from heldout.tables.arrays import Bool, Float64, Int32, Ints
from heldout.universes.findings.neighbours import keys, occurring, summed
from heldout.universes.findings.wording import condition, ordered
from heldout.universes.grid.decisions import Decision
from heldout.universes.universes import Universes
from heldout.words import listed

SUPPORT = 5
"""Universes that a corner must have to be named."""
_BLOCK = 16


@dataclass(frozen=True)
class Region:
    """A block of choices, and how often something happens in it."""

    where: tuple[tuple[str, tuple[str, ...]], ...]
    """By decision, the options that make the block; none that restricts: the whole grid."""
    words: str
    """TestRatings with cut-off ≤ 5."""
    universes: int
    """Universes in the block."""
    cases: int
    """Those in which it happens."""

    @property
    def everywhere(self) -> bool:
        """Whether the block is the whole grid."""
        return not self.where


def hull(universes: Universes, cases: Bool) -> Region:
    """The smallest block that holds all cases; of two decisions that exclude the same, the earlier is named."""
    codes = universes.codes
    bounds = {}
    for k in universes.varying:
        levels = occurring(codes[cases, k])
        chance = universes.decisions[k].name == "seed" and len(levels) > 1
        if not chance and len(levels) < len(occurring(codes[:, k])):
            bounds[k] = levels
    outside = {k: _outside(codes[:, k], levels) for k, levels in bounds.items()}
    excluded = np.zeros(len(codes), dtype=np.int16)
    for rows in outside.values():
        excluded += rows
    for k in sorted(outside, reverse=True):
        if not np.any(outside[k] & (excluded == 1)):
            excluded -= outside[k]
            del bounds[k]
    return _region(
        universes, {k: levels.tolist() for k, levels in bounds.items()}, int((excluded == 0).sum()), int(cases.sum())
    )


def _outside(column: Int32, levels: Int32) -> Bool:
    """Where a level is none of these."""
    table: Bool = np.ones(int(column.max()) + 2, dtype=bool)
    table[levels + 1] = False
    return table[column + 1]


def densest(universes: Universes, cases: Bool) -> list[Region | None]:
    """For each column of cases, the corner in which they are densest; None where no corner stands out."""
    n, total = len(universes), cases.sum(axis=0)
    best: list[tuple[float, dict[int, list[int]], int, int] | None] = [None] * cases.shape[1]
    telling = [k for k in universes.varying if universes.decisions[k].name != "seed"]
    for start in range(0, cases.shape[1], _BLOCK):
        block = cases[:, start : start + _BLOCK].astype(np.float64)
        for where in [*((k,) for k in telling), *combinations(telling, 2)]:
            key, size = keys(universes.codes, where)
            options, pick = _sides(universes, where)
            m = pick(np.bincount(key, minlength=size))
            counts = summed(key, size, block)
            for c in range(block.shape[1]):
                r, a = int(total[start + c]), pick(counts[:, c])
                # Two conditions must be clearly better than one to be worth the words.
                score = np.where((m >= SUPPORT) & (a * n > r * m), _phi(n, r, m, a), 0.0) * (1.0 if len(where) == 1 else 0.9)
                at = np.unravel_index(int(score.argmax()), score.shape)
                kept = best[start + c]
                if score[at] > (0.0 if kept is None else kept[0]) + 1e-12:
                    chosen = {k: options[axis][at[axis]] for axis, k in enumerate(where)}
                    best[start + c] = float(score[at]), chosen, round(m[at]), round(a[at])
    return [None if corner is None else _region(universes, *corner[1:]) for corner in best]


def _phi(n: int, r: int, m: Float64, a: Float64) -> Float64:
    spread = float(r) * (n - r) * m * (n - m)
    phi: Float64 = (n * a - r * m) / np.sqrt(np.where(spread > 0, spread, np.inf))
    return phi


def _sides(
    universes: Universes, where: tuple[int, ...]
) -> tuple[list[list[list[int]]], Callable[[Ints | Float64], Float64]]:
    """The candidate sets of options of these decisions, and what sums counts by key over every block of them."""
    options, picks = [], []
    for k in where:
        levels = occurring(universes.codes[:, k])
        low = min(0, int(levels[0]))
        sets = _candidates(universes.decisions[k], levels.tolist())
        picked = np.zeros((len(sets), int(levels[-1]) - low + 1))
        for i, chosen in enumerate(sets):
            picked[i, [level - low for level in chosen]] = 1
        options.append(sets)
        picks.append(picked)

    def pick(counts: Ints | Float64) -> Float64:
        table: Float64 = counts.reshape([picked.shape[1] for picked in picks]).astype(np.float64)
        for axis, picked in enumerate(picks):
            table = np.moveaxis(np.tensordot(picked, table, (1, axis)), 0, axis)
        return table

    return options, pick


def _candidates(decision: Decision, levels: list[int]) -> list[list[int]]:
    """Each option, and where they are numbers all up to one and all from one."""
    sets = [[level] for level in levels]
    numbers = [level for level in levels if level >= 0]
    if ordered(decision):
        sets += [numbers[:i] for i in range(2, len(numbers))] + [numbers[i:] for i in range(1, len(numbers) - 1)]
    return sets


def _region(universes: Universes, bounds: dict[int, list[int]], size: int, cases: int) -> Region:
    parts, where = [], []
    for k, levels in sorted(bounds.items()):
        decision = universes.decisions[k]
        parts.append(condition(decision, levels, occurring(universes.codes[:, k]).tolist()))
        where.append((decision.name, tuple(decision.label(level) for level in levels)))
    return Region(tuple(where), f"{parts[0]} with {listed(parts[1:])}" if len(parts) > 1 else "".join(parts), size, cases)
