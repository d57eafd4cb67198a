"""Diagnostics that were asked for, in the terminal and on the page."""

from __future__ import annotations

from markupsafe import Markup
from rich.console import RenderableType
from rich.text import Text

from heldout.analysis.facts import Facts
from heldout.reports.page.markup import breakable, cell, el, rows, table
from heldout.words import count, number


def lines(facts: Facts) -> list[RenderableType]:
    """One line for each diagnostic and protocol."""
    made: list[RenderableType] = []
    for row in facts.diagnostics:
        told = ", ".join(f"{system} {number(value, 4)}" for system, value in zip(facts.systems, row.values, strict=True))
        made.append(Text(f"{row.metric}  {row.label}: {told} ({count(row.users)} users)"))
    return made


def section(facts: Facts) -> Markup:
    """A table of all diagnostics."""
    if not facts.diagnostics:
        return Markup()
    heads = [cell("Diagnostic"), cell("Protocol"), *(cell(breakable(s), "num") for s in facts.systems), cell("Users", "num")]
    body = [
        [
            cell(row.metric),
            cell(breakable(row.label)),
            *(cell(number(value, 4), "num") for value in row.values),
            cell(count(row.users), "num", "Users with a value in every system"),
        ]
        for row in facts.diagnostics
    ]
    return el("section", el("h2", "Diagnostics"), table(heads, rows(body), caption="Diagnostics"), id="diagnostics")
