"""Parts of a few users, written out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from tests.reports.kept import PROTOCOL

from heldout.catalogue import make
from heldout.study.analysis import Analysis, make_analysis
from heldout.tables import ProtocolKey, Scores, Vocabulary
from heldout.tables.cell_scores import CellScores, Points


def part(
    system: str,
    values: Mapping[str, Sequence[float]],
    *,
    fold: int = 0,
    length: Sequence[float] | None = None,
    counts: Mapping[str, Sequence[float]] | None = None,
    curves: tuple[Points, ...] = (),
    protocol: ProtocolKey = PROTOCOL,
) -> CellScores:
    """Users 0, 1, … with their values by metric; lists of ten unless `length` says otherwise."""
    columns = np.column_stack([np.asarray(column, dtype=float) for column in values.values()])
    lengths = np.full(len(columns), 10.0) if length is None else np.asarray(length, dtype=float)
    scores = Scores(
        system=system,
        protocol=protocol,
        fold=fold,
        users=np.arange(len(columns), dtype=np.int32),
        metrics=tuple(values),
        values=columns,
        length=lengths,
        computed=lengths,
        lists=np.ones(len(columns), dtype=np.int32),
        counts={name: np.asarray(column, dtype=float) for name, column in (counts or {}).items()},
    )
    return CellScores((scores,), Vocabulary.numbered(len(columns)), curves)


def analysis(systems: Sequence[str], **keys: Any) -> Analysis:
    """An analysis as a study file would ask for it, of systems ranked among all items."""
    return make_analysis(keys, systems=systems, targets=[make("target", "AllItems")])
