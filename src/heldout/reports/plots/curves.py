"""Curves of metrics that have one, drawn for papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heldout.analysis.facts import Facts
from heldout.errors import NotApplicableError
from heldout.reports.plots.study import new_figure, titled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
