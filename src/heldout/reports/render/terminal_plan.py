"""What a multiverse would take, in a terminal."""

from __future__ import annotations

from rich.console import Group
from rich.table import Table
from rich.text import Text

from heldout.text.numbers import count, rough_seconds
from heldout.universes.grid.plan import Plan


def render_plan(plan: Plan) -> Group:
    """One line per stage with about how long it takes, and the whole in a sentence."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("stage", "what", "about"):
        table.add_column(head, overflow="fold")
    for stage in plan.stages:
        table.add_row(stage.name, f"{count(stage.count)} {stage.what}", rough_seconds(stage.seconds))
    return Group(table, Text(), Text(plan.summary))
