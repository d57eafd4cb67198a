"""The findings of a multiverse, from its table of universes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from heldout.data.profile import DataSteps
from heldout.rng import key, uniform
from heldout.storage.deferred import Deferred
from heldout.study.published import PAPERS
from heldout.tables.arrays import Int64
from heldout.universes.findings import (
    DecisionFindings,
    MultiverseFindings,
    PairFindings,
    SpecificationCurve,
    SpecificationRow,
)
from heldout.universes.flips import flips, most_convincing, neighbours
from heldout.universes.papers import marked, universes_of
from heldout.universes.rankings import agreement
from heldout.universes.sentences import short_names
from heldout.universes.stability import shares, stability
from heldout.universes.universes import Universes, occurring
from heldout.universes.variance import anova

COLUMNS, ROWS = 240, 12
FEWER = 120
"""Columns where there are many pairs of systems, so that the findings stay small."""


def multiverse_findings(
    universes: Universes, *, level: float, profiles: Deferred[tuple[DataSteps, ...]] | None = None
) -> MultiverseFindings:
    """What was found about a multiverse; `level` is that at which its winners are significant."""
    systems, names = universes.systems, short_names(universes.systems)
    # One decision at a time is what all ask for.
    universes = replace(universes, systems=names, codes=np.asfortranarray(universes.codes))
    near = [neighbours(universes, k) for k in universes.varying]
    flipped = [flips(universes, neighbouring) for neighbouring in near]
    explained = anova(universes)
    counted = tuple(shares(universes, pair) for pair in range(len(universes.pairs)))
    stable = stability(universes, counted)
    picked = [universes_of(universes, paper) for paper in PAPERS]
    rows = {paper.name: np.flatnonzero(mine) for paper, (mine, _) in zip(PAPERS, picked, strict=True)}
    pairs = []
    for pair, (first, second) in enumerate(universes.pair_names()):
        order = sorted(range(len(near)), key=lambda i: -flipped[i][pair].all.reversed)
        reversals = [most_convincing(universes, near[i], pair) for i in order]
        pairs.append(
            PairFindings(
                first=first,
                second=second,
                shares=counted[pair],
                stability=stable[pair],
                anova=explained[pair],
                flips=tuple(flipped[i][pair] for i in order),
                minimal=tuple(minimal for of_decision in reversals for minimal in of_decision),
                curve=specification_curve(universes, pair, rows),
            )
        )
    return MultiverseFindings(
        systems=systems,
        names=names,
        universes=len(universes),
        level=level,
        decisions=tuple(_decision(universes, k) for k in range(len(universes.decisions))),
        pairs=tuple(pairs),
        agreement=agreement(universes, near),
        papers=marked(universes, [mine for mine, _ in picked], [lacking for _, lacking in picked]),
        distinct=universes.distinct,
        profiles=profiles or Deferred.known(()),
    )


def _decision(universes: Universes, k: int) -> DecisionFindings:
    decision = universes.decisions[k]
    without, *counts = np.bincount(universes.codes[:, k] + 1, minlength=len(decision.levels) + 1).tolist()
    return DecisionFindings(
        name=decision.name,
        words=decision.words,
        letter=decision.letter,
        levels=decision.levels,
        labels=tuple(decision.amount(i) for i in range(len(decision.levels))),
        counts=tuple(counts),
        without=without,
    )


def specification_curve(universes: Universes, pair: int, papers: dict[str, Int64]) -> SpecificationCurve:
    """The specification curve of one pair (Simonsohn et al. 2020); `papers` holds the universes of each paper.

    Universes are sorted by effect. If there are more than `COLUMNS`, they are cut into that many columns of equal size up
    to one, each shown by its median, with the number of its universes under every option. Universes of equal effect are in
    an order drawn once and for all, so that no choice seems sorted; those without a value are left out. A decision of more
    than `ROWS` options has neighbours joined.

    Example: effects 0.3, −0.1, 0.2 of cut-offs 1, 5, 10: columns −0.1, 0.2, 0.3; the row of cut-off 5 is 1, 0, 0.
    """
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
        papers=tuple((paper, tuple(place[rows][place[rows] >= 0].tolist())) for paper, rows in papers.items()),
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
