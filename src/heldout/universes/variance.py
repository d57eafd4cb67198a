"""Functional analysis of variance: how much of what the universes disagree on each decision explains.

Formula: over the N distinct universes, each with weight 1/N, V(C) = Var(E[Y | the choices in C]). In a grid that is no full
product a decision may depend on others (a gain map on its metric): those are its *parents*, and it is nested in them. A
set is closed if it holds the parents of all in it; cl(S) adds them. With m(C) the decisions of C that are no parent in C,

    effect(S) = Σ over A ⊆ m(cl(S)) of (−1)^|A| V(cl(S) ∖ A),    share(S) = effect(S) / Var(Y)

so a single decision explains V(k with its parents) − V(its parents), and two explain what both together do beyond each.

Assumes: nothing of the grid, since parents are read off it: k depends, given its parents, on no earlier decision. The grid's
uniform distribution is then Markov with respect to the graph of parents, closed sets are conditionally independent given
what they share, and the effects are orthogonal: none is negative and, over all orders, they sum to Var(Y) (on a full product
they are the classical effects, Sobol' indices). Universes without a value are left out, which makes this approximate.

Example: Y = 1, 3, 5, 11 for choices (0,0), (0,1), (1,0), (1,1): mean 5, Var 14. By the first alone means are 2 and 8, so
V = 9 (64 %); by the second 3 and 7, so V = 4 (29 %); both jointly 14 − 9 − 4 = 1 (7 %).

A decision *moves* the outcome by the share that it explains alone, and by those of the pairs of decisions that hold it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from heldout.tables.arrays import Bool, Float64, Int32, Int64
from heldout.universes.findings import Anova, Explained, Flips, MultiverseFindings, PairFindings
from heldout.universes.universes import Universes, dense, summed

_PAIRS_AT_ONCE = 8
"""Pairs of systems at a time, so that memory stays small."""


TOLERANCE = 0.05
"""How far, of themselves and on average over universes, cells may lie from what independence expects: a few universes that
are missing make no dependence."""
Closed = frozenset[int]
"""Decisions, by their places, with all that they are nested in."""
ROUNDING = 1e-12
"""Share of the variance below which a decision explains nothing: sums of squares differ by that much through rounding."""


def anova(universes: Universes) -> tuple[Anova, ...]:
    """For every pair of systems, what each decision and each two decisions explain."""
    above = parents(universes.codes, universes.varying)
    terms = {top: closure(top, above) for order in (1, 2) for top in combinations(universes.varying, order)}
    terms = {top: all_ for top, all_ in terms.items() if tops(all_, above) == frozenset(top)}
    needed = {all_ - set(a) for top, all_ in terms.items() for size in range(len(top) + 1) for a in combinations(top, size)}
    by_pair = []
    for start in range(0, len(universes.pairs), _PAIRS_AT_ONCE):
        pairs = range(start, min(start + _PAIRS_AT_ONCE, len(universes.pairs)))
        variance, total, complete = _variances(universes, needed, pairs)
        for at in range(len(pairs)):
            shares = [_shares(terms, variance, total, column) for column in (2 * at, 2 * at + 1)]
            by_pair.append(_anova(universes, terms, shares, float(np.sqrt(total[2 * at])), complete=complete[at]))
    return tuple(by_pair)


def _variances(
    universes: Universes, sets: Iterable[Closed], pairs: range
) -> tuple[dict[Closed, Float64], Float64, list[bool]]:
    """V of every closed set for the effect and the verdict of these pairs, the whole variance, and who has all values."""
    columns = [outcome[:, p] for p in pairs for outcome in (universes.effect, universes.winner)]
    outcomes: Float64 = np.stack(columns, axis=1).astype(np.float64)
    valued: Bool = np.repeat(np.isfinite(outcomes[:, ::2]), 2, axis=1)
    complete = [bool(valued[:, 2 * at].all()) for at in range(len(pairs))]
    weight = valued.astype(np.float64) if not all(complete) else np.ones((len(valued), 1))
    n = np.maximum(weight.sum(axis=0), 1)
    outcomes[~valued] = 0.0
    outcomes = (outcomes - outcomes.sum(axis=0) / n) * valued
    variances: dict[Closed, Float64] = {}
    for closed in sets:
        key, size = dense(universes.codes, sorted(closed))
        sums, sizes = summed(key, size, outcomes), summed(key, size, weight)
        variances[closed] = np.sum(sums**2 / np.maximum(sizes, 1), axis=0) / n if closed else np.zeros(outcomes.shape[1])
    return variances, np.sum(outcomes**2, axis=0) / n, complete


def _shares(
    terms: dict[tuple[int, ...], Closed], variance: dict[Closed, Float64], total: Float64, column: int
) -> dict[tuple[int, ...], float]:
    whole = float(total[column])
    if whole <= 1e-24:
        return dict.fromkeys(terms, float("nan"))
    shares = {}
    for top, closed in terms.items():
        signed = (
            (-1) ** size * float(variance[closed - set(a)][column])
            for size in range(len(top) + 1)
            for a in combinations(top, size)
        )
        share = sum(signed) / whole
        shares[top] = share if share > ROUNDING else 0.0
    return shares


def _anova(
    universes: Universes,
    terms: dict[tuple[int, ...], Closed],
    shares: list[dict[tuple[int, ...], float]],
    sd: float,
    *,
    complete: bool,
) -> Anova:
    names = [decision.name for decision in universes.decisions]
    rows = [
        Explained(
            tuple(names[k] for k in top),
            tuple(names[k] for k in sorted(closed - set(top))),
            shares[0][top],
            shares[1][top],
        )
        for top, closed in terms.items()
    ]
    rows.sort(key=lambda row: -np.nan_to_num(row.effect))
    left = [float(np.maximum(0.0, 1.0 - sum(share.values()))) if share else 0.0 for share in shares]
    return Anova(
        single=tuple(row for row in rows if len(row.decisions) == 1),
        joint=tuple(row for row in rows if len(row.decisions) == 2),
        remainder_effect=left[0],
        remainder_verdict=left[1],
        sd=sd,
        complete=complete,
    )


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
    """True if decision k is independent of the groups under the conditions: some decisions that the groups tell.

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


@dataclass(frozen=True, kw_only=True)
class Mover:
    """How much one decision moves the outcome of one pair."""

    name: str
    within: tuple[str, ...]
    """The decisions that it is nested in."""
    effect: float
    """Share of the variance of the effect that it explains alone."""
    joint: float
    """What it explains together with one other, beyond both, summed over the others."""
    verdict: float
    flips: Flips | None

    @property
    def explained(self) -> float:
        """What it explains alone or with one other; 0 if the effect is the same in all universes."""
        return self.effect + self.joint if math.isfinite(self.effect) else 0.0

    @property
    def changes(self) -> tuple[float | None, float | None, float | None]:
        """Of the universes that differ in it only, shares in which the leader changes, the winner is reversed, and
        significance is gained or lost; None if there are none."""
        if self.flips is None:
            return None, None, None
        counted = self.flips.all
        return counted.share(counted.leader), counted.share(counted.reversed), counted.share(counted.significance)


def movers(findings: MultiverseFindings, pair: PairFindings) -> list[Mover]:
    """Every decision that varies, the one that explains most, alone or with another, first."""
    flips = {flipped.decision: flipped for flipped in pair.flips}
    decisions = []
    for alone in pair.anova.single:
        name = alone.decisions[0]
        decisions.append(
            Mover(
                name=name,
                within=alone.within,
                effect=alone.effect,
                joint=sum(both.effect for both in pair.anova.joint if name in both.decisions),
                verdict=alone.verdict,
                flips=flips.get(name),
            )
        )
    return sorted(decisions, key=lambda decision: -decision.explained)
