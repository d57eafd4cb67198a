"""The specification curve: universes in the order of their effect, and below it what they chose (Simonsohn et al. 2020).

Formula: the universes of one pair of systems sorted by effect; where there are more than `COLUMNS`, cut into that many
columns of equal size up to one, each shown by its median, with the number of its universes under every option.

Assumes: universes of equal effect stand in an order drawn once and for all, so that no choice seems sorted; those without a
value are left out. A decision of more than `ROWS` options has neighbours joined.

Example: effects 0.3, −0.1, 0.2 of cut-offs 1, 5, 10: columns −0.1, 0.2, 0.3; the row of cut-off 5 is 1, 0, 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from heldout.rng import key, uniform
from heldout.tables.arrays import Int64
from heldout.universes.findings.neighbours import occurring
from heldout.universes.universes import Universes

COLUMNS, ROWS = 240, 12
FEWER = 120
"""Columns where there are many pairs of systems, so that the findings stay small."""


@dataclass(frozen=True)
class SpecificationRow:
    """One option, or some side by side, and how many universes of each column chose it."""

    decision: str
    label: str
    counts: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class SpecificationCurve:
    """Universes sorted by effect, column by column from where the second system leads most."""

    sizes: tuple[int, ...]
    """Universes of each column."""
    effect: tuple[float, ...]
    """Their median effect; above 0, the first system is better."""
    first: tuple[int, ...]
    """Those in which the first is significantly better."""
    second: tuple[int, ...]
    rows: tuple[SpecificationRow, ...]
    papers: tuple[tuple[str, tuple[int, ...]], ...]
    """By paper, the columns that hold universes which its authors would have chosen; once for each universe."""

    def winner(self, column: int) -> int:
        """1 where the first is significantly better in most universes of a column, −1 the second, else 0."""
        half = self.sizes[column] / 2
        return 1 if self.first[column] > half else -1 if self.second[column] > half else 0

    def flipped(self) -> SpecificationCurve:
        """The same universes seen from the other system: from where the first leads most."""
        last = len(self.sizes) - 1
        return SpecificationCurve(
            sizes=self.sizes[::-1],
            effect=tuple(-effect for effect in reversed(self.effect)),
            first=self.second[::-1],
            second=self.first[::-1],
            rows=tuple(SpecificationRow(row.decision, row.label, row.counts[::-1]) for row in self.rows),
            papers=tuple((paper, tuple(last - c for c in reversed(chosen))) for paper, chosen in self.papers),
        )

    def thinned(self, columns: int) -> SpecificationCurve:
        """Neighbouring columns joined until they are few enough; a joined column has the effect of its middle one."""
        n = len(self.sizes)
        if n <= columns:
            return self
        spans = list(pairwise(round(k * n / columns) for k in range(columns + 1)))
        place = {c: k for k, (a, b) in enumerate(spans) for c in range(a, b)}

        def joined(counts: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(sum(counts[a:b]) for a, b in spans)

        return SpecificationCurve(
            sizes=joined(self.sizes),
            effect=tuple(self.effect[(a + b) // 2] for a, b in spans),
            first=joined(self.first),
            second=joined(self.second),
            rows=tuple(SpecificationRow(row.decision, row.label, joined(row.counts)) for row in self.rows),
            papers=tuple((paper, tuple(place[c] for c in chosen)) for paper, chosen in self.papers),
        )


def curve(universes: Universes, pair: int, chosen: dict[str, Int64]) -> SpecificationCurve:
    """The curve of one pair; `chosen` holds the universes of each paper."""
    effect = universes.effect[:, pair]
    valued = np.flatnonzero(np.isfinite(effect))
    # In the order of the grid, a decision that changes no effect, as a seed may be, would look as if it moved it.
    order = valued[np.lexsort((uniform(key(0, "order of equal effects"), valued), effect[valued]))]
    n = len(order)
    wanted = min(n, COLUMNS if len(universes.pairs) <= 6 else FEWER)
    column = np.arange(n) * wanted // max(n, 1)
    edges = np.searchsorted(column, np.arange(wanted + 1))
    sorted_ = effect[order]
    middle = [float(np.median(sorted_[a:b])) for a, b in pairwise(edges)]
    won = universes.winner[order, pair]
    place = np.full(len(effect), -1, dtype=np.int64)
    place[order] = column
    return SpecificationCurve(
        sizes=tuple(np.diff(edges).tolist()),
        effect=tuple(middle),
        first=tuple(np.bincount(column[won == 1], minlength=wanted).tolist()),
        second=tuple(np.bincount(column[won == -1], minlength=wanted).tolist()),
        rows=tuple(row for k in universes.varying for row in _rows(universes, k, place, wanted)),
        papers=tuple((paper, tuple(place[rows][place[rows] >= 0].tolist())) for paper, rows in chosen.items()),
    )


def _rows(universes: Universes, k: int, place: Int64, wanted: int) -> list[SpecificationRow]:
    decision, codes = universes.decisions[k], universes.codes[:, k]
    parts = np.array_split(occurring(codes), min(len(occurring(codes)), ROWS))
    group = np.zeros(int(codes.max()) + 2, dtype=np.int64)
    for i, part in enumerate(parts):
        group[part + 1] = i
    # One column more, for universes without a value.
    counts = np.bincount(group[codes + 1] * (wanted + 1) + place + 1, minlength=len(parts) * (wanted + 1))
    table = counts.reshape(len(parts), -1)[:, 1:]
    return [
        SpecificationRow(decision.name, decision.span(int(part[0]), int(part[-1])), tuple(row.tolist()))
        for part, row in zip(parts, table, strict=True)
    ]
