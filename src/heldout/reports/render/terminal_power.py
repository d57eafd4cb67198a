"""How many users each pair of systems would need, as a table."""

from __future__ import annotations

import polars as pl
from rich.console import Group, RenderableType
from rich.text import Text

from heldout.reports.render.terminal_tables import Column, fitted, heading, pairs_column, small, stacked
from heldout.words import count, number, percent


def render_power(
    rows: pl.DataFrame, effect: float, power: float, level: float, comparisons: int, width: int | None = None
) -> Group:
    """One line per pair: spread of differences, users needed, users at hand and the power they give."""
    needed = rows["users_needed"].to_list()
    divided = f", divided by {comparisons} comparisons" if comparisons > 1 else ""
    least, most = count(min(needed)), count(max(needed))
    users = f"{least} users" if least == most else f"{least} to {most} users, depending on the pair"
    setting = ", ".join(f"{stage} {rows[stage][0]}" for stage in ("split", "relevance", "target") if rows[stage][0])
    sure = f"with a power of {percent(power, 0)} at level {level:g}{divided}"
    sentence = f"A difference of {effect:g} in {rows['metric'][0]} is found {sure}, by {users}."
    said: list[RenderableType] = [Text(sentence, style="bold"), *([small(f"Under {setting}.")] if setting else [])]
    return fitted(lambda room: [*said, *_pairs(rows, room)], width)


def _pairs(rows: pl.DataFrame, width: int) -> list[RenderableType]:
    names = pairs_column(list(zip(rows["a"], rows["b"], strict=True)), (24, 16, 10), sorted({*rows["a"], *rows["b"]}))
    columns = [
        Column(head="pair", forms=names, right=False),
        Column(head="spread", forms=[[number(v, 4) for v in rows["deviation"]]]),
        Column(head="d", forms=[[number(v, 3) for v in rows["d"]]]),
        Column(head="users needed", forms=[[count(v) for v in rows["users_needed"]]]),
        Column(head="at hand", forms=[[count(v) for v in rows["users"]]]),
        Column(head="power at hand", forms=[[percent(v) for v in rows["power"]]]),
    ]
    note = "Paired t test, two-sided. Spread: standard deviation of users' differences here; d: difference ÷ spread."
    return [heading("Users needed"), *stacked(columns, width), small(note)]
