"""How each universe ranks the systems, as signs of all pairs of them.

Formula: with s_u(a, b) = 1 where universe u has a above b, −1 below and 0 where tied, Kendall's τ-b of two universes is the
cosine of their vectors of signs: Σ s_u s_v / √(Σ s_u² Σ s_v²). Means of τ over many pairs are then sums of inner products.

Assumes: a system without a value is tied with all; a universe in which all are tied has no τ.

Example: a > b > c and a > c > b: signs (1, 1, 1) and (1, 1, −1), so τ = (1 + 1 − 1)/3 = 1/3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout.tables.arrays import Float32, Float64, Int8, Int32, Int64
from heldout.universes.findings.neighbours import compact, keys
from heldout.universes.universes import Universes


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

    def unit(self, rankings: Int64) -> Float32:
        """Their signs as vectors of length 1, or 0 where all are tied."""
        signs = self.signs[rankings].astype(np.float32)
        length = np.sqrt(np.sum(signs**2, axis=-1, keepdims=True))
        unit: Float32 = np.divide(signs, length, out=np.zeros_like(signs), where=length > 0)
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


def tau(universes: Universes, first: int, second: int) -> float:
    """Kendall's τ-b between the rankings of two universes; NaN where one of them ties all systems."""
    both = rankings(universes.only(np.isin(np.arange(len(universes)), [first, second])))
    if first == second:
        return 1.0 if both.signs.any() else float("nan")
    a, b = both.unit(both.of[:2])
    return float(a @ b) if a.any() and b.any() else float("nan")
