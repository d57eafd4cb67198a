"""Data profiles for papers: ratings by value, how they spread over users and items, popularity, and time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heldout.data.profile import DataSteps
from heldout.errors import NotApplicableError
from heldout.reports.plots.pictures import COLOURS, DASHES
from heldout.reports.plots.study import ACCENT, COLUMN_WIDE, key_below, labelled, new_figure, titled
from heldout.reports.profile_views import data_picture, has_picture, picture_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BEFORE = "#b4bccb"
"""Bars of the data as read, behind those that filters left."""


def profile_plot(facts: DataSteps, part: str, place: int = 0) -> Figure:
    """One picture of a data set; NotApplicableError where its profile has no such part."""
    if not has_picture(facts, part):
        raise NotApplicableError(f"the data set has no figure {picture_name(part, place)}", hint="heldout report --list")
    picture = data_picture(facts, part, place)
    figure, axes = new_figure(COLUMN_WIDE, 2.3)
    for k, (label, bars) in enumerate(picture.bars):
        colour = BEFORE if k + 1 < len(picture.bars) else ACCENT
        starts, widths = [bar.start for bar in bars], [bar.end - bar.start for bar in bars]
        heights = [bar.height for bar in bars]
        hatch = "////" if colour == BEFORE else None
        axes.bar(
            starts, heights, widths, align="edge", color=colour, hatch=hatch, edgecolor="white", linewidth=0.4, label=label
        )
    for k, (label, points) in enumerate(picture.lines):
        across, up = [x for x, _ in points], [y for _, y in points]
        axes.plot(across, up, DASHES[k % len(DASHES)], color=COLOURS[k % len(COLOURS)], linewidth=1.4, label=label)
    axes.set_xlim(picture.x.start, picture.x.end)
    axes.set_ylim(picture.y.start, picture.y.end)
    axes.set_xticks([tick for tick, _ in picture.x.ticks], [words for _, words in picture.x.ticks], fontsize=7)
    axes.set_yticks([tick for tick, _ in picture.y.ticks], [words for _, words in picture.y.ticks], fontsize=7)
    axes.grid(axis="y")
    axes.grid(visible=False, axis="x")
    labelled(axes, picture.x.label, 7)
    axes.set_ylabel(picture.y.label, fontsize=7)
    titled(axes, f"{picture.title}: {facts.name}")
    if max(len(picture.bars), len(picture.lines)) > 1:
        key_below(figure, axes, 2)
    return figure
