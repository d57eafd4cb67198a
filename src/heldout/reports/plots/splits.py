"""Figures of a real split: every rating of some users by time, coloured by the part it is in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from heldout.reports.plots.study import new_figure, titled
from heldout.reports.terminal.timelines import parts_by_row
from heldout.tables import Interactions, Split
from heldout.tables.time_units import PER_SECOND
from heldout.words import count

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOURS = ("#c3cad4", "#e0a300", "#2558c4", "#c2452d")
_NAMES = ("train", "validation", "test", "dropped")


def split_plot(split: Split, data: Interactions | None = None, *, title: str = "", users: int = 400) -> Figure:
    """Users, those who begin first on top, by time (by item where there are no times); at most `users` of them, evenly."""
    table, where = parts_by_row(split, data)
    met = np.flatnonzero(table.user_counts > 0)
    starts = table.user_indptr[:-1][met]
    across = table.time if table.time is not None else table.item.astype(np.int64)
    first = np.minimum.reduceat(across, starts)
    order = met[np.argsort(first, kind="stable")]
    shown = order[np.unique(np.linspace(0, len(order) - 1, min(users, len(order))).round().astype(np.int64))]
    height = np.full(table.n_users, -1, dtype=np.int64)
    height[shown] = np.arange(len(shown))
    rows = height[table.user] >= 0
    figure, axes = new_figure(6.4, 4.2)
    size = float(np.clip(40_000 / max(1, rows.sum()), 2.0, 14))
    for code, (name, colour) in enumerate(zip(_NAMES, _COLOURS, strict=True)):
        mine = rows & (where == code)
        if mine.any():
            label = f"{name} ({count(int((where == code).sum()))})"
            axes.scatter(
                across[mine], height[table.user[mine]], s=size, color=colour, linewidths=0, label=label, rasterized=True
            )
    axes.set_ylim(len(shown), -1)
    axes.set_ylabel("users" if len(shown) == len(met) else f"{count(len(shown))} of {count(len(met))} users")
    axes.set_yticks([])
    if table.time is not None:
        ticks = np.linspace(int(across.min()), int(across.max()), 5)
        days = [datetime.fromtimestamp(t / PER_SECOND[table.time_unit], UTC).date().isoformat() for t in ticks]
        axes.set_xticks(ticks, days, fontsize=8)
        axes.set_xlabel("time of the rating")
    else:
        axes.set_xlabel("items")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=4, frameon=False, markerscale=4, fontsize=8)
    if title:
        titled(axes, title)
    return figure
