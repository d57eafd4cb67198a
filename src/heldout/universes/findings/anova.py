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
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from heldout.tables.arrays import Bool, Float64
from heldout.universes.findings.neighbours import dense, summed
from heldout.universes.findings.nesting import Closed, closure, parents, tops
from heldout.universes.universes import Universes

_BLOCK = 8
"""Pairs of systems at a time, so that memory stays small."""


@dataclass(frozen=True)
class Explained:
    """The share of the variance that one decision explains alone, or two explain jointly beyond both."""

    decisions: tuple[str, ...]
    within: tuple[str, ...]
    """The decisions that these are nested in."""
    effect: float
    """Share of the variance of the effect; NaN where that does not vary."""
    verdict: float
    """Share of the variance of the verdict (−1, 0, 1); NaN where that does not vary."""


@dataclass(frozen=True, kw_only=True)
class Anova:
    """The shares of one pair of systems: largest first, single decisions before pairs of them."""

    single: tuple[Explained, ...]
    joint: tuple[Explained, ...]
    remainder_effect: float
    """Share that only three or more decisions together explain."""
    remainder_verdict: float
    sd: float
    """Standard deviation of the effect over the universes."""
    complete: bool
    """Whether every universe has a value; the shares are approximate where some have none."""


def anova(universes: Universes) -> tuple[Anova, ...]:
    """For every pair of systems, what each decision and each two decisions explain."""
    above = parents(universes.codes, universes.varying)
    terms = {top: closure(top, above) for order in (1, 2) for top in combinations(universes.varying, order)}
    terms = {top: all_ for top, all_ in terms.items() if tops(all_, above) == frozenset(top)}
    needed = {all_ - set(a) for top, all_ in terms.items() for size in range(len(top) + 1) for a in combinations(top, size)}
    by_pair = []
    for start in range(0, len(universes.pairs), _BLOCK):
        pairs = range(start, min(start + _BLOCK, len(universes.pairs)))
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
        shares[top] = max(0.0, sum(signed)) / whole
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
