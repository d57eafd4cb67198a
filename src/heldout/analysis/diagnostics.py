"""The study's diagnostics: means over the users that have a value in every system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import numpy as np

from heldout.analysis.alignment import AlignedScores
from heldout.analysis.facts import DiagnosticRow
from heldout.study.analysis import Analysis


def diagnostic_rows(analysis: Analysis, tables: Sequence[AlignedScores]) -> Iterator[DiagnosticRow]:
    """Each diagnostic under each protocol, over the users that have a value in every system.

    A diagnostic that needs the same users at every depth is averaged over the users with a value at all of its depths.
    """
    diagnostics = [m for m in analysis.metrics if m.direction == "none"]
    choices = [asdict(table.protocol) for table in tables]
    varying = [key for key in (choices[0] if choices else ()) if len({c[key] for c in choices}) > 1]
    for table, chosen in zip(tables, choices, strict=True):
        label = " · ".join(chosen[key] if key == "target" else f"{key}={chosen[key]}" for key in varying)
        for metric in diagnostics:
            depths = [m for m in diagnostics if type(m) is type(metric)] if metric.same_users else [metric]
            column = table.of_common(str(metric), [str(m) for m in depths])
            common = ~np.isnan(column).any(axis=0)
            means = tuple(float(row[common].mean()) if common.any() else None for row in column)
            yield DiagnosticRow(label or chosen["target"], str(metric), means, int(common.sum()))
