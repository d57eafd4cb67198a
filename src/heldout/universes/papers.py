"""Which universes the authors of five papers would have chosen.

Formula: a universe is a paper's when its every choice is one of the paper's (`heldout.study.published`), a decision that
does not apply to it or that the paper does not speak of left aside. A decision of which the grid has none of the paper's
options is left aside too and named: then the universes marked are as near as the grid comes.

Assumes: the data are the study's own, and any seed will do.

Example: a paper with cut-off 10 and the t test, a grid of cut-offs 5 and 10 with the sign test: the universes with cut-off
10 are marked, and the t test is told as missing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from heldout.study.published import PAPERS, PublishedChoice, PublishedProtocol
from heldout.tables.arrays import Bool
from heldout.universes.findings import Marked
from heldout.universes.universes import Universes


def universes_of(universes: Universes, paper: PublishedProtocol) -> tuple[Bool, tuple[PublishedChoice, ...]]:
    """The universes that a paper's authors would have chosen, and the choices that the grid lacks."""
    rows = np.ones(len(universes), dtype=bool)
    missing = []
    for choice in paper.choices:
        k = universes.decision(choice.decision)
        levels = [i for i, text in enumerate(universes.decisions[k].levels) if text in choice.options]
        column = universes.codes[:, k]
        fits = np.isin(column, levels)
        if fits.any():
            rows &= fits | (column < 0)
        elif (column >= 0).any():
            missing.append(choice)
    return rows, tuple(missing)


def marked(universes: Universes, rows: Sequence[Bool], missing: Sequence[tuple[PublishedChoice, ...]]) -> tuple[Marked, ...]:
    """What each paper would have found."""
    papers = []
    for paper, mine, lacking in zip(PAPERS, rows, missing, strict=True):
        won, valued = universes.winner[mine], np.isfinite(universes.difference[mine])
        sides = [((won == side) & valued).sum(axis=0) for side in (1, -1, 0)]
        outcomes = tuple(zip(*(counts.tolist() for counts in sides), strict=True))
        papers.append(
            Marked(
                paper=paper.name,
                key=paper.key,
                universes=int(mine.sum()),
                missing=lacking,
                outcomes=tuple((a, b, c) for a, b, c in outcomes),
            )
        )
    return tuple(papers)


def papers_column(universes: Universes) -> pl.Series:
    """For each universe the papers whose every choice it makes, as far as the grid has them; empty if none."""
    sets = [universes_of(universes, paper)[0] for paper in PAPERS]
    mask = sum((rows.astype(np.int64) << i for i, rows in enumerate(sets)), np.zeros(len(universes), dtype=np.int64))
    words = ["; ".join(p.name for i, p in enumerate(PAPERS) if at >> i & 1) for at in range(1 << len(PAPERS))]
    return pl.Series("papers", words, dtype=pl.Enum(words)).gather(mask)


def with_papers(universes: Universes) -> pl.DataFrame:
    """The table of universes with a column `papers`: whose authors would have chosen it."""
    rows = np.repeat(np.arange(len(universes)), len(universes.pairs))
    return universes.to_polars().with_columns(papers_column(universes).gather(rows))
