"""Profiles of a data set in a terminal: one column per step of its filters."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from heldout.data.profile import Bins, Profile, Spread
from heldout.report.text import count, number, percent

_BLOCKS = "▏▎▍▌▋▊▉"


def render_profiles(steps: Sequence[tuple[str, Profile]]) -> Group:
    """Sizes, spread and ratings of each step, and the histogram of the last."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("")
    for label, _ in steps:
        table.add_column(label, justify="right", overflow="fold")
    rows = [
        ("users", [count(p.users) for _, p in steps]),
        ("items", [count(p.items) for _, p in steps]),
        ("ratings", [count(p.ratings) for _, p in steps]),
        ("density", [percent(p.density, 3) for _, p in steps]),
        ("Gini over items", [number(p.gini, 3) for _, p in steps]),
        ("ratings per user", [_spread(p.per_user) for _, p in steps]),
        ("ratings per item", [_spread(p.per_item) for _, p in steps]),
        ("positive", [_positive(p) for _, p in steps]),
        ("time", [_span(p) for _, p in steps]),
    ]
    for name, cells in rows:
        table.add_row(name, *cells)
    last = steps[-1][1]
    parts: list[RenderableType] = [table, Text(), Text("ratings", style="bold"), _histogram(last.values)]
    return Group(*parts)


def _spread(found: Spread) -> str:
    return f"{found.min:,} – {found.median:g} – {found.max:,}"


def _positive(found: Profile) -> str:
    if found.positive is None or found.positive_share is None:
        return "–"
    return f"{percent(found.positive_share)} (≥ {found.positive:g})"


def _span(found: Profile) -> str:
    if found.time_span is None:
        return "–"
    first, last = (datetime.fromtimestamp(t, UTC).date().isoformat() for t in found.time_span)
    return f"{first} to {last}"


def _histogram(bins: Bins) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    most, total = max(bins.counts), sum(bins.counts)
    for edge, found in zip(bins.edges, bins.counts, strict=False):
        eighths = round(40 * 8 * found / most)
        bar = "█" * (eighths // 8) + (_BLOCKS[eighths % 8 - 1] if eighths % 8 else "")
        table.add_row(f"{edge:g}", bar, count(found), percent(found / total))
    return table
