"""What a multiverse would take, in a terminal."""

from __future__ import annotations

from rich.console import Group
from rich.table import Table
from rich.text import Text

from heldout.universes.grid.plan import Plan
from heldout.words import count, rough_seconds


def render_plan(plan: Plan) -> Group:
    """One line per stage with about how long it takes, and the whole in a sentence."""
    table = Table("stage", "what", "about", box=None, pad_edge=False, header_style="bold")
    for stage in plan.stages:
        table.add_row(stage.name, f"{count(stage.count)} {stage.what}", rough_seconds(stage.seconds))
    present = f", {count(plan.present)} of which the folder has" if plan.present else ""
    size = f"{plan.disk / 1e6:,.0f} MB" if plan.disk < 1e9 else f"{plan.disk / 1e9:,.1f} GB"
    sentence = (
        f"{count(plan.universes)} distinct universes from {count(plan.fits)} fits{present}: "
        f"about {rough_seconds(plan.seconds)} and {size} of disk. Times are rough: systems were tried on a few users."
    )
    return Group(table, Text(), Text(sentence))
