"""Curves of metrics that have one, averaged over folds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import numpy as np

from heldout.analysis.facts import Setting
from heldout.analysis.part import Part, Points
from heldout.analysis.picture_rows import CurveRow


def curve_rows(parts: Sequence[Part], settings: Sequence[Setting], systems: Sequence[str]) -> Iterator[CurveRow]:
    """One curve for each system and setting whose metric has one; several folds are averaged at the same x."""
    points_by_curve: dict[tuple[str, str, str], list[Points]] = {}
    for part in parts:
        for points in part.curves:
            key = (repr(sorted(asdict(points.protocol).items())), points.metric, points.system)
            points_by_curve.setdefault(key, []).append(points)
    drawn = set()
    for setting in settings:
        protocol = repr(sorted(setting.choices.items()))
        if (protocol, setting.metric) in drawn:
            continue  # aggregations do not change a curve
        drawn.add((protocol, setting.metric))
        for system in systems:
            folds = [p for p in points_by_curve.get((protocol, setting.metric, system), []) if p.x]
            if folds:
                yield mean_curve(folds, setting.id)


def mean_curve(folds: Sequence[Points], setting: int) -> CurveRow:
    """One system's curve, the mean of its folds at the same x."""
    x, y = _mean_of_folds(folds)
    first = folds[0]
    return CurveRow(setting=setting, system=first.system, x_label=first.x_label, y_label=first.y_label, x=x, y=y)


def _mean_of_folds(folds: Sequence[Points]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    if len(folds) == 1:
        return folds[0].x, folds[0].y
    grid = np.linspace(0, 1, 101)
    grid = grid[(grid >= max(p.x[0] for p in folds)) & (grid <= min(p.x[-1] for p in folds))]
    y = np.mean([np.interp(grid, p.x, p.y) for p in folds], axis=0)
    return tuple(grid.tolist()), tuple(y.tolist())
