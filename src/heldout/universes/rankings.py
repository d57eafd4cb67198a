"""Do universes rank the systems alike: mean Kendall τ, by decision and between options, and a map of the rankings.

Formula: with s_u(a, b) = 1 where universe u has a above b, −1 below and 0 where tied, Kendall's τ-b of two universes is the
cosine of their vectors of signs: Σ s_u s_v / √(Σ s_u² Σ s_v²). Means of τ over many pairs are then sums of inner products.
By decision: the mean over all pairs of universes that differ in it only; between options, over those with the one and the
other. The map is classical scaling of the distances √(2(1−τ)), which are Euclidean (the vectors of signs at length 1), so it
is their first two principal axes, each universe with weight 1/N.

Assumes: a system without a value is tied with all; a universe in which all are tied has no τ and counts for no mean.
Rankings beyond the `POINTS` most frequent are not on the map.

Example: a > b > c and a > c > b: signs (1, 1, 1) and (1, 1, −1), so τ = (1 + 1 − 1)/3 = 1/3. Three universes, two of which
agree and the third reverses them: τ = 1, −1, −1, mean −1/3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heldout.tables.arrays import Bool, Float64, Int8, Int32, Int64
from heldout.universes.findings import Agreement, AgreementBy, Point
from heldout.universes.flips import Neighbours
from heldout.universes.universes import Universes, compact, keys

POINTS, COMMON = 400, 12
_NUMBERS_AT_ONCE = 1 << 22


@dataclass(frozen=True, eq=False)
class UniverseRankings:
    """The distinct rankings that universes give."""

    of: Int64
    """The ranking of each universe."""
    places: Int32
    """Rankings × systems: 0 for the best, equal where tied, −1 where a system has no value."""
    counts: Int64
    """Universes with that ranking."""
    signs: Int8
    """Rankings × pairs of systems."""

    def unit(self, rankings: Int64) -> Float64:
        """Their signs as vectors of length 1, or 0 where all are tied."""
        signs = self.signs[rankings].astype(np.float64)
        length = np.sqrt(np.sum(signs**2, axis=-1, keepdims=True))
        unit: Float64 = np.divide(signs, length, out=np.zeros_like(signs), where=length > 0)
        return unit

    def order(self, ranking: int, systems: tuple[str, ...]) -> str:
        """UserKNN > WRMF = Popularity."""
        places = self.places[ranking]
        by_place = sorted((int(p), k) for k, p in enumerate(places) if p >= 0)
        text = ""
        for i, (place, k) in enumerate(by_place):
            sign = "" if not i else " = " if by_place[i - 1][0] == place else " > "
            text += f"{sign}{systems[k]}"
        return text or "no value"


def rankings(universes: Universes) -> UniverseRankings:
    """Every distinct ranking of the systems by their values, in the order of their places."""
    values: Float64 = np.where(universes.higher[:, None], universes.values, -universes.values)
    n = values.shape[1]
    places = np.zeros(values.shape, dtype=np.int32)
    for other in range(n):  # a system's place is how many are above it
        places += values[:, other : other + 1] > values
    places[np.isnan(values)] = -1
    of, number = compact(keys(places, range(n))[0])
    counts = np.bincount(of, minlength=number)
    example = np.zeros(number, dtype=np.int64)
    example[of[::-1]] = np.arange(len(of))[::-1]
    distinct = places[example]
    a, b = np.triu_indices(n, 1)
    both = (distinct[:, a] >= 0) & (distinct[:, b] >= 0)
    signs = np.where(both, np.sign(distinct[:, b] - distinct[:, a]), 0).astype(np.int8)
    return UniverseRankings(of, distinct, counts, signs)


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
    step = max(1, _NUMBERS_AT_ONCE // max(width, 1))
    for start in range(0, len(distinct.counts), step):
        rows = np.arange(start, min(start + step, len(distinct.counts)))
        unit, weight = distinct.unit(rows), distinct.counts[rows].astype(np.float64)
        total += weight @ unit
        square += (unit * weight[:, None]).T @ unit
    return total, square


def _by(universes: Universes, distinct: UniverseRankings, near: Neighbours) -> AgreementBy:
    decision = universes.decisions[near.decision]
    size = len(near.levels)
    sums, counts = np.zeros((size, size)), np.zeros((size, size))
    decided: Bool = np.abs(distinct.signs).max(axis=1, initial=0) > 0
    step = max(1, _NUMBERS_AT_ONCE // max(distinct.signs.shape[1] * size, 1))
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
