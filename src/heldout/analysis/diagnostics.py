"""Diagnostics that were asked for: means over the users that have a value in every system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import numpy as np

from heldout.analysis.alignment import Aligned
from heldout.analysis.facts import DiagnosticRow
from heldout.study.analysis import Analysis


def diagnostic_rows(analysis: Analysis, aligned: Sequence[Aligned], systems: Sequence[str]) -> Iterator[DiagnosticRow]:
    """Each diagnostic under each protocol, over the users that have a value in every system.

    Those that ask for the same users at every depth are averaged over the users with a value at each depth asked for.
    """
    asked = [m for m in analysis.measure if m.direction == "none"]
    choices = [asdict(found.protocol) for found in aligned]
    varying = [key for key in (choices[0] if choices else ()) if len({c[key] for c in choices}) > 1]
    for found, chosen in zip(aligned, choices, strict=True):
        label = " · ".join(chosen[key] if key == "target" else f"{key}={chosen[key]}" for key in varying)
        for metric in asked:
            depths = [m for m in asked if type(m) is type(metric)] if metric.same_users else [metric]
            column = found.of_common(str(metric), [str(m) for m in depths])
            common = ~np.isnan(column).any(axis=0)
            means = tuple(float(row[common].mean()) if common.any() else None for row in column)
            yield DiagnosticRow(label or chosen["target"], str(metric), means, int(common.sum()))
