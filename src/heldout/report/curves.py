"""Curves of metrics that have one: folds averaged, and drawn for papers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from heldout.errors import NotApplicableError
from heldout.report.facts import CurveRow, Facts, Setting
from heldout.report.plots import new_figure, titled
from heldout.study.outcome import Outcome, Points

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def curve_rows(outcome: Outcome, settings: Sequence[Setting], systems: Sequence[str]) -> Iterator[CurveRow]:
    """One curve for each system and setting whose metric has one; several folds are averaged at the same x."""
    found: dict[tuple[str, str, str], list[Points]] = {}
    for part in outcome.parts:
        for points in part.curves:
            key = (repr(sorted(asdict(points.protocol).items())), points.metric, points.system)
            found.setdefault(key, []).append(points)
    told = set()
    for setting in settings:
        protocol = repr(sorted(setting.choices.items()))
        if (protocol, setting.metric) in told:
            continue  # aggregations do not change a curve
        told.add((protocol, setting.metric))
        for system in systems:
            folds = [p for p in found.get((protocol, setting.metric, system), []) if p.x]
            if folds:
                x, y = _mean_of_folds(folds)
                yield CurveRow(setting.id, system, folds[0].x_label, folds[0].y_label, x, y)


def _mean_of_folds(folds: Sequence[Points]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    if len(folds) == 1:
        return folds[0].x, folds[0].y
    grid = np.linspace(0, 1, 101)
    grid = grid[(grid >= max(p.x[0] for p in folds)) & (grid <= min(p.x[-1] for p in folds))]
    y = np.mean([np.interp(grid, p.x, p.y) for p in folds], axis=0)
    return tuple(grid.tolist()), tuple(y.tolist())


def curve_plot(facts: Facts, setting: int | None = None) -> Figure:
    """The curves of one setting, the first that has some unless another is named."""
    ids = [row.setting for row in facts.curves]
    if not ids or (setting is not None and setting not in ids):
        raise NotApplicableError("this setting has no curve", where="plot", hint="measure CROC, CPR, UROC, UPR, GROC or GPR")
    chosen = ids[0] if setting is None else setting
    figure, axes = new_figure(4.6, 4.2)
    rows = [row for row in facts.curves if row.setting == chosen]
    for row in rows:
        axes.plot(row.x, row.y, label=row.system, linewidth=1.4)
    if rows[0].x_label.startswith("false"):
        axes.plot([0, 1], [0, 1], color="0.75", linewidth=0.8, linestyle=":")
    axes.set_xlabel(rows[0].x_label)
    axes.set_ylabel(rows[0].y_label)
    titled(axes, next(s.label for s in facts.settings if s.id == chosen))
    axes.legend(frameon=False, fontsize=8)
    return figure
