"""Does the conclusion on a pair of systems hold over the universes, and where in the grid is it reversed?

Formula: a winner is named when it is significantly better in more than half of the universes and the other is in fewer than
5 %. Both in 5 % or more: the verdict depends on the choices. Otherwise the pair is undecided. "Reversed only under …" is the
smallest block of choices with all universes in which the other is significantly better: the product over decisions of the
options that occur in them, without the decisions that exclude no further universe. If that block is the whole grid, the
corner in which they are densest is given instead, without "only": the condition on one decision (an option, or all numbers
up to or from one) or on two that maximises the φ correlation of "is there" with "happens". For n universes, r in which it
happens, m in the corner and a both, φ = (n·a − r·m) / √(r (n−r) m (n−m)): a corner that holds few of the cases or many
others scores low.

Assumes: universes are not independent (they share users), so shares are no probabilities. Of two equal systems each is
significantly better in 2.5 % of the universes on average, at a level of 5 %, but these may fall together: in the worst case,
all universes alike, a winner is named with probability 5 %. A universe without a p-value counts as one without a winner;
one without a value is left out and counted. A corner with fewer than `SUPPORT` universes is not named. A seed is chance and
not a choice: it bounds a block only if all cases fall on one seed, and never a corner.

Example: + in 94, − in 2 and neither in 4 of 100 universes: + holds. + in 60, − in 20: depends. + in 30, − in 1: undecided.
If + happens in 10 of 100 universes, of which 9 are among the 12 with cut-off 1: φ = (900 − 120)/√(10·90·12·88) = 0.80.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from heldout.analysis.statistics import ENOUGH
from heldout.tables.arrays import Bool, Float64, Int32, Ints
from heldout.universes.findings import TOLERATED, Region, Shares, Stability, StabilityKind, Where
from heldout.universes.grid.decisions import Decision
from heldout.universes.sentences import condition, region_words, stability_sentence
from heldout.universes.universes import Universes, keys, occurring, summed

MAJORITY = 0.5
SUPPORT = 5
"""Universes that a corner must have to be named."""
_COLUMNS_AT_ONCE = 16


def shares(universes: Universes, pair: int) -> Shares:
    """The counts of one pair."""
    has_value = np.isfinite(universes.difference[:, pair])
    won, lead = universes.winner[has_value, pair], universes.lead[has_value, pair]
    tested = np.isfinite(universes.p[has_value, pair]) | (won != 0)
    return Shares(
        universes=int(has_value.sum()),
        without=int((~has_value).sum()),
        first=int((won == 1).sum()),
        second=int((won == -1).sum()),
        neither=int((tested & (won == 0)).sum()),
        untested=int((~tested).sum()),
        ahead=int((lead == 1).sum()),
        behind=int((lead == -1).sum()),
        equal=int((lead == 0).sum()),
        unserved=int((universes.served[has_value, pair] < ENOUGH).sum()),
        other_users=int(universes.other_users[has_value].sum()),
    )


def stability(universes: Universes, counted: tuple[Shares, ...]) -> tuple[Stability, ...]:
    """What may be said of every pair."""
    has_value = np.isfinite(universes.difference)
    where: dict[int, list[Where | None]] = {}
    alike: dict[bytes, list[int]] = {}
    for pair in range(len(universes.pairs)):
        alike.setdefault(np.packbits(has_value[:, pair]).tobytes(), []).append(pair)
    for pairs in alike.values():
        valued = has_value[:, pairs[0]]
        of_pairs = universes if valued.all() else universes.only(valued)
        cases = np.concatenate([of_pairs.winner[:, pairs] == side for side in (1, -1)], axis=1)
        corners = densest(of_pairs, cases)
        for at, pair in enumerate(pairs):
            columns = (at, at + len(pairs))
            where[pair] = [Where(hull(of_pairs, cases[:, c]), corners[c]) if cases[:, c].any() else None for c in columns]
    by_pair = []
    for pair, (names, counts) in enumerate(zip(universes.pair_names(), counted, strict=True)):
        kind, (first, second) = _kind(counts), where[pair]
        by_pair.append(
            Stability(
                kind=kind,
                winner=names[counts.second > counts.first] if kind == "holds" else "",
                sentence=stability_sentence(kind, names, counts, where[pair], _users(universes, pair)),
                first=first,
                second=second,
            )
        )
    return tuple(by_pair)


def _users(universes: Universes, pair: int) -> tuple[Int32, Int32]:
    """Numbers of users that a pair's values are averaged over: in universes on other users, and in the rest."""
    users = universes.users[:, universes.pairs[pair]]
    has_value, other = np.isfinite(universes.difference[:, pair]), universes.other_users
    return users[has_value & other], users[has_value & ~other]


def _kind(s: Shares) -> StabilityKind:
    most, least = max(s.first, s.second), min(s.first, s.second)
    if not s.universes or s.unserved == s.universes:
        return "undecided"
    if most > MAJORITY * s.universes and least < TOLERATED * s.universes:
        return "holds"
    return "depends" if least >= TOLERATED * s.universes else "undecided"


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
    """For each column of cases, the corner in which they are densest; None if no corner stands out."""
    n, total = len(universes), cases.sum(axis=0)
    best: list[tuple[float, dict[int, list[int]], int, int] | None] = [None] * cases.shape[1]
    telling = [k for k in universes.varying if universes.decisions[k].name != "seed"]
    for start in range(0, cases.shape[1], _COLUMNS_AT_ONCE):
        block = cases[:, start : start + _COLUMNS_AT_ONCE].astype(np.float64)
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
    if decision.ordered:
        sets += [numbers[:i] for i in range(2, len(numbers))] + [numbers[i:] for i in range(1, len(numbers) - 1)]
    return sets


def _region(universes: Universes, bounds: dict[int, list[int]], size: int, cases: int) -> Region:
    parts, where = [], []
    for k, levels in sorted(bounds.items()):
        decision = universes.decisions[k]
        parts.append(condition(decision, levels, occurring(universes.codes[:, k]).tolist()))
        where.append((decision.name, tuple(decision.label(level) for level in levels)))
    return Region(tuple(where), region_words(parts), size, cases)
