"""How many users each pair of systems would need, as a table."""

from __future__ import annotations

import polars as pl
from rich.console import Group
from rich.text import Text

from heldout.reports.terminal.columns import Column, fit, table
from heldout.reports.terminal.parts import heading, small
from heldout.words import count, number, percent, shorten_all


def render_power(rows: pl.DataFrame, effect: float, power: float, level: float, comparisons: int, width: int = 100) -> Group:
    """One line per pair: spread of differences, users needed, users at hand and the power they give."""
    needed = rows["users_needed"].to_list()
    divided = f", divided by {comparisons} comparisons" if comparisons > 1 else ""
    least, most = count(min(needed)), count(max(needed))
    users = f"{least} users" if least == most else f"{least} to {most} users, depending on the pair"
    setting = ", ".join(f"{stage} {rows[stage][0]}" for stage in ("split", "relevance", "target") if rows[stage][0])
    sure = f"with a power of {percent(power, 0)} at level {level:g}{divided}"
    sentence = f"A difference of {effect:g} in {rows['metric'][0]} is found {sure}, by {users}."
    pairs = list(zip(rows["a"], rows["b"], strict=True))
    names = [[f"{a} − {b}" for a, b in pairs]]
    for longest in (24, 16, 10):
        short = shorten_all(sorted({*rows["a"], *rows["b"]}), longest)
        names.append([f"{short[a]} − {short[b]}" for a, b in pairs])
    columns = [
        Column(head="pair", forms=names, right=False),
        Column(head="spread", forms=[[number(v, 4) for v in rows["deviation"]]], need=2),
        Column(head="d", forms=[[number(v, 3) for v in rows["d"]]], need=1),
        Column(head="users needed", forms=[[count(v) for v in needed]]),
        Column(head="at hand", forms=[[count(v) for v in rows["users"]]], need=4),
        Column(head="power at hand", forms=[[percent(v) for v in rows["power"]]], need=3),
    ]
    columns, _ = fit(columns, width)
    note = "Paired t test, two-sided. Spread: standard deviation of users' differences here; d: difference ÷ spread."
    parts = [Text(sentence, style="bold"), small(f"Under {setting}.")] if setting else [Text(sentence, style="bold")]
    return Group(*parts, heading("Users needed"), table(columns), small(note))
