"""Descriptive metrics and bounds beside the leaderboard, in the terminal and on the page; no contest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup
from rich.console import RenderableType

from heldout.analysis.facts import LeaderRow, Setting
from heldout.catalogue import make
from heldout.reports.page.markup import breakable, cell, el, rows
from heldout.reports.page.markup import table as html_table
from heldout.reports.terminal.columns import Column, fit, table
from heldout.reports.terminal.parts import heading, names_column, small
from heldout.reports.views import View
from heldout.words import ABSENT, exact, interval, listed, number, shorten

NOTE = "These describe the lists and decide nothing. Named under objectives in the study, one is compared like the others."
BOUNDS = (
    "Bounds say how far values may lie away, were every unrated item worth nothing or everything. No system wins or loses "
    "by them; where they overlap widely, the data do not tell which lists are better."
)
MOST_SYSTEMS = 30
"""Systems with a column in the page's table."""
MOST_ROWS = 60
"""Settings written into the page's table; the rest stand in the facts."""


def lines(view: View, width: int) -> list[RenderableType]:
    """Tables of the primary protocol, systems in the order of the leaderboard: descriptive metrics, and bounds of values."""
    primary = view.primary
    own = [s for s in view.descriptive if s.choices == primary.choices and not s.bound and s.id != primary.id]
    bounds = [s for s in view.descriptive if s.bound and _but_unrated(s) == _but_unrated(primary) and s.id != primary.id]
    return [
        *_table(view, own, "Beside it", "what the lists are like", NOTE, width),
        *_table(view, bounds, "Bounds", "unrated items at no gain, and at full gain", BOUNDS, width),
    ]


def _but_unrated(setting: Setting) -> dict[str, str]:
    return {stage: text for stage, text in setting.choices.items() if stage != "unrated"}


def _table(view: View, own: Sequence[Setting], title: str, aside: str, note: str, width: int) -> Iterator[RenderableType]:
    """A column for each of these settings."""
    if not own:
        return
    systems = view.shown(len(view.facts.systems))
    columns = [Column("system", names_column(systems, width), right=False)]
    for k, setting in enumerate(own):
        values = [number(view.value(setting.id, system), view.digits(setting.id)) for system in systems]
        columns.append(Column(shorten(_head(setting, own), 24), [values], 1 + k))
    columns, left = fit(columns, width)
    yield heading(title, aside)
    yield table(columns)
    yield small(note + (f" Left out for width: {listed(left)}." if left else ""))


def _head(setting: Setting, among: Sequence[Setting]) -> str:
    if setting.bound and len({(s.metric, s.choices["unrated"]) for s in among}) == len(among):
        end = make("unrated", setting.choices["unrated"]).end
        return f"{setting.metric} {'least' if end == 'low' else 'most'}"
    return setting.metric if len({s.metric for s in among}) == len(among) else setting.label


def section(view: View) -> Markup:
    """A table of every descriptive metric and bound under every protocol, a column for each system."""
    shown = [s for s in view.descriptive if s.id != view.primary.id][:MOST_ROWS]
    if not shown:
        return Markup()
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
    notes = [NOTE] if any(not s.bound for s in shown) else []
    notes += [BOUNDS] if any(s.bound for s in shown) else []
    note = " ".join(notes) + (f" {more} more in the facts." if more > 0 and len(shown) == MOST_ROWS else "")
    return el(
        "section",
        el("h2", "Bounds of values" if all(s.bound for s in shown) else "What the lists are like"),
        html_table(heads, rows(body), caption="What decides nothing", key="descriptive"),
        el("p", note, cls="note"),
        id="beside",
    )


def _hover(row: LeaderRow | None, digits: int) -> str:
    if row is None or row.value is None:
        return ABSENT
    return f"{exact(row.value)} {interval(row.low, row.high, digits)}".rstrip()
