"""Curves of metrics that have one, drawn for papers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heldout.analysis.findings import Findings
from heldout.errors import NotApplicableError
from heldout.reports.plots.metric_quality import MARKS
from heldout.reports.plots.multiverse import PALETTE
from heldout.reports.plots.study import key_below, letters, new_figure, titled
from heldout.words import shorten_all

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DASHES = ("-", "--", "-.", ":")


def curve_plot(findings: Findings, setting: int | None = None) -> Figure:
    """The curves of one setting, the first that has some unless another is named."""
    ids = [row.setting for row in findings.curves]
    if not ids or (setting is not None and setting not in ids):
        raise NotApplicableError(
            "this setting has no curve", where="figure", hint="measure CROC, CPR, UROC, UPR, GROC or GPR"
        )
    chosen = ids[0] if setting is None else setting
    figure, axes = new_figure(4.6, 4.2)
    rows = [row for row in findings.curves if row.setting == chosen]
    short = shorten_all([row.system for row in rows], letters(30, 4.6))
    for k, row in enumerate(rows):  # told apart in grey too
        style: dict[str, Any] = {"color": PALETTE[k % len(PALETTE)], "linestyle": DASHES[k % len(DASHES)], "linewidth": 1.4}
        style |= {"marker": MARKS[k % len(MARKS)], "markersize": 3, "markevery": 0.1 + 0.01 * k}
        axes.plot(row.x, row.y, label=short[row.system], **style)
    if rows[0].x_label.startswith("false"):
        axes.plot([0, 1], [0, 1], color="0.75", linewidth=0.8, linestyle=":")
    axes.set_xlabel(rows[0].x_label)
    axes.set_ylabel(rows[0].y_label)
    titled(axes, next(s.label for s in findings.settings if s.id == chosen))
    key_below(figure, axes, 2)
    return figure
