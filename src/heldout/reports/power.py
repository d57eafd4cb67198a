"""How many users each pair of systems would need."""

from __future__ import annotations

import polars as pl

from heldout.reports.columns import Column
from heldout.reports.document import Document, Table, Text
from heldout.text.names import metric_words, short_names
from heldout.text.numbers import counted, percent


def document(rows: pl.DataFrame, effect: float, power: float, level: float, comparisons: int) -> Document:
    """The users needed, and for each pair the spread of differences, the users available and their power."""
    needed = rows["users_needed"].to_list()
    least, most = min(needed), max(needed)
    users = f"{least:,} users" if least == most else f"{least:,} to {most:,} users"
    sure = f"with a power of {percent(power, 0)} at level {level:g}"
    divided = f", divided by {counted(comparisons, 'comparison')}" if comparisons > 1 else ""
    setting = ", ".join(f"{stage} {rows[stage][0]}" for stage in ("split", "relevance", "target") if rows[stage][0])
    names = short_names(sorted({*rows["a"], *rows["b"]}))
    columns = (
        Column(name="System", kind="system", names=names),
        Column(name="Against", kind="system", names=names),
        Column(name="Spread", kind="value", digits=4),
        Column(name="d", kind="value", digits=3, fold=False),
        Column(name="Users needed", kind="count", need=0, fold=False),
        Column(name="Users", kind="count"),
        Column(name="Power", kind="share", fold=False),
    )
    table = Table(
        name="power",
        title="Users needed",
        caption="Paired t test, two-sided. Spread: standard deviation of the users' differences. d: difference ÷ spread. "
        "Users and Power: of these results.",
        columns=columns,
        rows=rows.select("a", "b", "deviation", "d", "users_needed", "users", "power").rows(),
        subject="pairs",
    )
    return Document(
        kind="power",
        title="Users needed",
        facts=(setting,) if setting else (),
        answer=f"{users} find a difference of {effect:g}.",
        numbers=(Text(f"In {metric_words(rows['metric'][0])}, {sure}{divided}."),),
        main=table,
    )
