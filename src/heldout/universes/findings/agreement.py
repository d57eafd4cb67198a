"""Do universes rank the systems alike: mean Kendall τ, by decision and between options, and a map of the rankings.

Formula: τ-b as in `rankings`. By decision: the mean over all pairs of universes that differ in it only; between options,
over those with the one and the other. The map is classical scaling of the distances √(2(1−τ)), which are Euclidean (the
vectors of signs at length 1), so it is their first two principal axes, each universe with weight 1/N.

Assumes: universes that tie all systems count for no mean. Rankings beyond the `POINTS` most frequent are not on the map.

Example: three universes, two of which agree and the third reverses them: τ = 1, −1, −1, mean −1/3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from heldout.tables.arrays import Bool, Float64, Int64
from heldout.universes.findings.neighbours import Neighbours
from heldout.universes.findings.rankings import UniverseRankings, rankings
from heldout.universes.universes import Universes

POINTS, COMMON = 400, 12
_BLOCK = 1 << 22


@dataclass(frozen=True)
class AgreementBy:
    """How alike universes rank the systems that differ in one decision only."""

    decision: str
    mean: float
    """NaN where there are no two such universes."""
    levels: tuple[str, ...]
    between: tuple[tuple[float, ...], ...]
    """Options × options: mean τ; 1 for an option and itself, NaN where no two universes differ so."""

    @property
    def least_alike(self) -> tuple[str, str, float] | None:
        """The two options between which universes agree least, with their mean τ; None where no two can be compared."""
        taus = [
            (self.between[i][j], i, j)
            for i, j in combinations(range(len(self.levels)), 2)
            if not math.isnan(self.between[i][j])
        ]
        if not taus:
            return None
        tau, i, j = min(taus)
        return self.levels[i], self.levels[j], tau


@dataclass(frozen=True, kw_only=True)
class Point:
    """One ranking on the map."""

    x: float
    y: float
    universes: int
    order: str
    """The systems from best to worst."""
    level: int
    """The option of the map's decision that most of its universes chose, by its place in the map's levels."""


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """How alike universes rank the systems."""

    mean: float
    """Mean τ over all pairs of universes; NaN with fewer than two."""
    distinct: int
    """Different rankings."""
    common: tuple[tuple[str, int], ...]
    """The most frequent rankings and their universes."""
    by_decision: tuple[AgreementBy, ...]
    """The decision that changes rankings most first."""
    decision: str
    """That decision, by which the map is marked."""
    levels: tuple[str, ...]
    points: tuple[Point, ...]
    left_out: int
    """Universes whose rankings are not on the map."""
    axes: tuple[float, float]
    """Share of the spread that each axis shows."""


def agreement(universes: Universes, near: Sequence[Neighbours]) -> Agreement:
    """τ over all universes, by decision, and the map."""
    distinct = rankings(universes)
    decided: Bool = np.abs(distinct.signs).max(axis=1, initial=0) > 0
    moments = _moments(distinct)
    n = int(distinct.counts[decided].sum())
    mean = float((moments[0] @ moments[0] - n) / (n * (n - 1))) if n > 1 else float("nan")
    rows = [_by(universes, distinct, neighbours) for neighbours in near]
    rows.sort(key=lambda row: float(np.nan_to_num(row.mean, nan=2.0)))
    decision = rows[0].decision if rows else ""
    levels, points, left, axes = _map(universes, distinct, moments, decision)
    common = np.argsort(-distinct.counts, kind="stable")[:COMMON]
    orders = tuple((distinct.order(int(k), universes.systems), int(distinct.counts[k])) for k in common)
    return Agreement(
        mean=mean,
        distinct=len(distinct.counts),
        common=orders,
        by_decision=tuple(rows),
        decision=decision,
        levels=levels,
        points=points,
        left_out=left,
        axes=axes,
    )


def _moments(distinct: UniverseRankings) -> tuple[Float64, Float64]:
    """Sum of the unit vectors of all universes, and sum of their outer products."""
    width = distinct.signs.shape[1]
    total, square = np.zeros(width), np.zeros((width, width))
    step = max(1, _BLOCK // max(width, 1))
    for start in range(0, len(distinct.counts), step):
        rows = np.arange(start, min(start + step, len(distinct.counts)))
        unit, weight = distinct.unit(rows).astype(np.float64), distinct.counts[rows].astype(np.float64)
        total += weight @ unit
        square += (unit * weight[:, None]).T @ unit
    return total, square


def _by(universes: Universes, distinct: UniverseRankings, near: Neighbours) -> AgreementBy:
    decision = universes.decisions[near.decision]
    size = len(near.levels)
    sums, counts = np.zeros((size, size)), np.zeros((size, size))
    decided: Bool = np.abs(distinct.signs).max(axis=1, initial=0) > 0
    step = max(1, _BLOCK // max(distinct.signs.shape[1] * size, 1))
    for start in range(0, len(near.table), step):
        rows = near.table[start : start + step]
        ranking = distinct.of[rows]
        valid = (rows >= 0) & decided[ranking]
        unit = distinct.unit(ranking) * valid[:, :, None]
        flat = unit.transpose(1, 0, 2).reshape(size, -1)
        sums += flat @ flat.T
        counts += valid.T.astype(np.float64) @ valid
    upper = np.triu_indices(size, 1)
    pairs = counts[upper].sum()
    between = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    np.fill_diagonal(between, 1.0)
    return AgreementBy(
        decision.name,
        float(sums[upper].sum() / pairs) if pairs else float("nan"),
        tuple(decision.label(int(level)) for level in near.levels),
        tuple(tuple(row) for row in np.clip(between, -1, 1).tolist()),
    )


def _map(
    universes: Universes, distinct: UniverseRankings, moments: tuple[Float64, Float64], decision: str
) -> tuple[tuple[str, ...], tuple[Point, ...], int, tuple[float, float]]:
    n = len(universes)
    centre = moments[0] / max(n, 1)
    spread, axes = np.linalg.eigh(moments[1] / max(n, 1) - np.outer(centre, centre))
    two = axes[:, ::-1][:, :2]
    two = two * np.where(two[np.abs(two).argmax(axis=0), np.arange(two.shape[1])] < 0, -1, 1)  # the same way every time
    shown = np.argsort(-distinct.counts, kind="stable")[:POINTS]
    xy = (distinct.unit(shown) - centre) @ two
    xy = np.pad(xy, ((0, 0), (0, 2 - xy.shape[1])))
    levels, most = _levels(universes, distinct, shown, decision)
    points = tuple(
        Point(
            x=float(x),
            y=float(y),
            universes=int(distinct.counts[k]),
            order=distinct.order(int(k), universes.systems),
            level=int(level),
        )
        for (x, y), k, level in zip(xy, shown, most, strict=True)
    )
    whole = float(spread.sum())
    shares = [float(max(v, 0.0) / whole) if whole > 1e-12 else 0.0 for v in spread[::-1][:2]]
    return levels, points, n - int(distinct.counts[shown].sum()), (shares[0], shares[1] if len(shares) > 1 else 0.0)


def _levels(universes: Universes, distinct: UniverseRankings, shown: Int64, decision: str) -> tuple[tuple[str, ...], Int64]:
    """The options of a decision, and which of them most universes of each ranking chose."""
    if not decision:
        return (), np.zeros(len(shown), dtype=np.int64)
    k = universes.decision(decision)
    levels, place = np.unique(universes.codes[:, k], return_inverse=True)
    counts = np.bincount(distinct.of * len(levels) + place, minlength=len(distinct.counts) * len(levels))
    labels = tuple(universes.decisions[k].label(int(level)) for level in levels)
    return labels, counts.reshape(-1, len(levels))[shown].argmax(axis=1)
