"""A heat map of numbers for figures of papers run again, and marks of series."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heldout.reports.plots.study import INK
from heldout.words import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKS = "osD^vP*Xph"
"""A series has a mark in addition to its colour."""


def heat(axes: Axes, labels: Sequence[str], tau: Sequence[Sequence[float]]) -> None:
    """τ as shades, the darker the less alike, with the numbers written in."""
    from matplotlib.colors import LinearSegmentedColormap

    ramp = LinearSegmentedColormap.from_list("heldout", ["#c2571a", "#eab592", "#ffffff"])
    axes.imshow(tau, cmap=ramp, vmin=0, vmax=1, aspect="auto")
    for y, row in enumerate(tau):
        for x, value in enumerate(row):
            axes.text(x, y, number(value, 2), ha="center", va="center", fontsize=7, color=INK)
    long = max(map(len, labels)) > 5
    axes.set_xticks(range(len(labels)), labels, fontsize=7, rotation=90 if long else 0)
    axes.set_yticks(range(len(labels)), labels, fontsize=7)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.grid(visible=False)
