"""On the page: descriptive metrics, bounds of values and diagnostics, which stand beside the leaderboard."""

from __future__ import annotations

from markupsafe import Markup

from heldout.analysis.findings import Findings
from heldout.analysis.rows import LeaderRow
from heldout.reports.captions import BOUNDS, DESCRIPTIVE
from heldout.reports.page.markup import breakable, cell, el, rows, table
from heldout.reports.views import systems_shown
from heldout.words import ABSENT, count, exact, interval, number

MOST_SYSTEMS = 30
"""Systems with a column of their own."""
MOST_ROWS = 60
"""Settings with a row; the rest stand in the facts."""


def descriptive(findings: Findings) -> Markup:
    """A table of every descriptive metric and bound under every protocol, a column for each system."""
    shown = [s for s in findings.descriptive if s.id != findings.primary][:MOST_ROWS]
    if not shown:
        return Markup()
    systems = systems_shown(findings, MOST_SYSTEMS)
    body = []
    for setting in shown:
        digits = findings.digits(setting.id)
        board = {row.system: row for row in findings.board(setting.id)}
        line = [cell(breakable(setting.label), "label")]
        for system in systems:
            row = board.get(system)
            line.append(cell(number(row.value if row else None, digits), "num", _hover(row, digits)))
        body.append(line)
    heads = [cell("Metric"), *(cell(breakable(s), "num") for s in systems)]
    more = len(findings.descriptive) - len(shown)
    notes = [DESCRIPTIVE] if any(not s.bound for s in shown) else []
    notes += [BOUNDS] if any(s.bound for s in shown) else []
    note = " ".join(notes) + (f" {more} more in the facts." if more > 0 and len(shown) == MOST_ROWS else "")
    return el(
        "section",
        el("h2", "Bounds of values" if all(s.bound for s in shown) else "What the lists are like"),
        table(heads, rows(body), caption="What decides nothing", key="descriptive"),
        el("p", note, cls="note"),
        id="beside",
    )


def _hover(row: LeaderRow | None, digits: int) -> str:
    if row is None or row.value is None:
        return ABSENT
    return f"{exact(row.value)} {interval(row.low, row.high, digits)}".rstrip()


def diagnostics(findings: Findings) -> Markup:
    """A table of all diagnostics."""
    if not findings.diagnostics:
        return Markup()
    heads = [
        cell("Diagnostic"),
        cell("Protocol"),
        *(cell(breakable(s), "num") for s in findings.systems),
        cell("Users", "num"),
    ]
    body = [
        [
            cell(row.metric),
            cell(breakable(row.label)),
            *(cell(number(value, 4), "num") for value in row.values),
            cell(count(row.users), "num", "Users with a value in every system"),
        ]
        for row in findings.diagnostics
    ]
    return el(
        "section",
        el("h2", "Diagnostics"),
        table(heads, rows(body), caption="Diagnostics", name="diagnostics"),
        id="diagnostics",
    )
