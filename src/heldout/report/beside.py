"""Descriptive metrics beside the leaderboard: what lists are like, in the terminal and on the page; no contest."""

from __future__ import annotations

from rich.console import RenderableType

from heldout.report.columns import Column, fit, table
from heldout.report.facts import LeaderRow
from heldout.report.markup import Raw, breakable, cell, el, rows
from heldout.report.markup import table as html_table
from heldout.report.terminal_parts import heading, names_column, small
from heldout.report.text import ABSENT, exact, interval, listed, number, shorten
from heldout.report.views import View

NOTE = "These describe the lists and decide nothing. Named under objectives in the study, one is compared like the others."
MOST_SYSTEMS = 30
"""Systems with a column in the page's table."""
MOST_ROWS = 60
"""Settings written into the page's table; the rest stand in the facts."""


def lines(view: View, width: int) -> list[RenderableType]:
    """A table of the primary protocol: systems in the order of the leaderboard, a column for each descriptive metric."""
    own = [s for s in view.descriptive if s.choices == view.primary.choices and s.id != view.primary.id]
    if not own:
        return []
    systems = view.shown(len(view.facts.systems))
    columns = [Column("system", names_column(systems, width), right=False)]
    heads = {s.id: s.metric if len({o.metric for o in own}) == len(own) else s.label for s in own}
    for k, setting in enumerate(own):
        values = [number(view.value(setting.id, system), view.digits(setting.id)) for system in systems]
        columns.append(Column(shorten(heads[setting.id], 24), [values], 1 + k))
    columns, left = fit(columns, width)
    note = NOTE + (f" Left out for width: {listed(left)}." if left else "")
    return [heading("Beside it", "what the lists are like"), table(columns), small(note)]


def section(view: View) -> Raw:
    """A table of every descriptive metric under every protocol, a column for each system."""
    shown = [s for s in view.descriptive if s.id != view.primary.id][:MOST_ROWS]
    if not shown:
        return Raw("")
    systems = view.shown(MOST_SYSTEMS)
    body = []
    for setting in shown:
        digits = view.digits(setting.id)
        board = {row.system: row for row in view.board(setting.id)}
        line = [cell(breakable(setting.label), "label")]
        for system in systems:
            row = board.get(system)
            line.append(cell(number(row.value if row else None, digits), "num", _hover(row, digits)))
        body.append(line)
    heads = [cell("Metric"), *(cell(breakable(s), "num") for s in systems)]
    more = len(view.descriptive) - len(shown)
    note = NOTE + (f" {more} more in the facts." if more > 0 and len(shown) == MOST_ROWS else "")
    return el(
        "section",
        el("h2", "What the lists are like"),
        html_table(heads, rows(body), caption="Descriptive metrics", key="descriptive"),
        el("p", note, cls="note"),
        id="beside",
    )


def _hover(row: LeaderRow | None, digits: int) -> str:
    if row is None or row.value is None:
        return ABSENT
    return f"{exact(row.value)} {interval(row.low, row.high, digits)}".rstrip()
