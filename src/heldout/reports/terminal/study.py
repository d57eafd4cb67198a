"""The report in a terminal: renderables for rich, fitted to the width, readable without colour."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from heldout.analysis.findings import Findings
from heldout.reports.captions import filled, protocol, tunings
from heldout.reports.terminal.columns import Column, fold_alike
from heldout.reports.terminal.descriptive_metrics import descriptive_tables, diagnostic_lines
from heldout.reports.terminal.holds import holds
from heldout.reports.terminal.pairs import NARROW, pairwise
from heldout.reports.terminal.parts import fitted, heading, names_column, noted, small, stacked, title_line
from heldout.words import (
    count,
    interval,
    number,
    percent,
    shorten,
)


def render(findings: Findings, width: int | None = None) -> Group:
    """The whole report: verdict, leaderboard, other settings, the leader against the others, notices."""
    return fitted(lambda room: _parts(findings, room), width)


def _parts(findings: Findings, width: int) -> list[RenderableType]:
    parts: list[RenderableType] = [
        title_line(findings.title, width),
        Text(findings.verdict.sentence, style="bold"),
    ]
    parts += _leaderboard(findings, width)
    parts += descriptive_tables(findings, width)
    parts += _aggregations(findings, width)
    if len(findings.contests) > 1:
        parts += holds(findings, width)
    parts += pairwise(findings, width)
    if findings.diagnostics:
        parts += [heading("Diagnostics"), *diagnostic_lines(findings)]
    if tuned := tunings(findings):
        parts += [heading("Tuned"), *(Text(f"{name}: {text}") for name, text in tuned)]
    if findings.notices:
        parts += [heading("Notices")]
        parts += [noted(n.code, f"{n.title}: {n.message}" if n.title else n.message) for n in findings.notices]
    return parts


def _leaderboard(findings: Findings, width: int) -> list[RenderableType]:
    key = findings.primary
    board, digits = findings.board(key), findings.digits(key)
    best = ["bold" if row.rank == 1 else "" for row in board]
    title = heading("Leaderboard", f"{findings.primary_setting.label}, {findings.primary_setting.aggregate}")
    said = small("  ".join(f"{stage} {text}" for stage, text in protocol(findings.primary_setting)))
    if not board:
        return [title, Text("No system has a value in this setting.")]
    if width < NARROW:
        lines: list[RenderableType] = [title]
        for row in board:
            shown = " ".join(filter(None, (number(row.value, digits), interval(row.low, row.high, digits), row.group)))
            lines += [Text(f"{row.rank}. {row.system}", style="bold" if row.rank == 1 else ""), Text(f"   {shown}")]
            lines.append(
                small(
                    f"   covers {percent(row.user_coverage)} of users, {count(row.users)} averaged, "
                    f"{count(row.undefined)} undefined, unrated {percent(row.unrated)}, ρ {number(row.rho)}, "
                    f"tied {percent(row.tied)}"
                )
            )
        return [*lines, said]
    intervals = [interval(r.low, r.high, digits) for r in board]
    averaged = "user" if all(r.users == 1 for r in board) else "users"
    columns, notes = fold_alike(
        [
            Column(head="#", forms=[[str(r.rank) for r in board]], styles=best),
            Column(head="system", forms=names_column([r.system for r in board], width), lead=True, right=False, styles=best),
            Column(
                head=findings.primary_setting.metric if len(findings.primary_setting.metric) <= 12 else "value",
                forms=[[number(r.value, digits) for r in board]],
                styles=best,
            ),
            Column(
                head="interval",
                forms=[intervals],
                need=1,
                right=False,
                note="interval {}" if any(intervals) else "no interval",
            ),
            Column(head="group", forms=[[r.group for r in board]], need=1, right=False, note="one group: {}"),
            Column(head="coverage", forms=[[percent(r.user_coverage) for r in board]], need=3, note="users covered {}"),
            Column(
                head="cover@n",
                forms=[[filled(r) for r in board], [percent(r.coverage) for r in board]],
                need=7,
                note="Coverage@n {}",
            ),
            Column(head="users", forms=[[count(r.users) for r in board]], need=5, note=f"{{}} {averaged} averaged"),
            Column(head="undefined", forms=[[count(r.undefined) for r in board]], need=6, note="{} undefined"),
            Column(head="unrated", forms=[[percent(r.unrated) for r in board]], need=4, note="unrated in the top {}"),
            Column(head="ρ", forms=[[number(r.rho, 4) for r in board]], need=5, note="ρ {}"),
            Column(head="tied", forms=[[percent(r.tied) for r in board]], need=8, note="tied with others {}"),
        ]
    )
    foot = [title, *stacked(columns, width)]
    notes = [note for note in notes if not note.endswith((" –", ": "))]
    if notes:
        foot.append(small(f"All systems: {', '.join(notes)}."))
    if any(r.group for r in board):
        foot.append(small("Systems that share a letter are not told apart by the tests."))
    if any(column.head == "tied" for column in columns):
        foot.append(small("tied: rated items in the top n whose score another item has too; the tie rule orders them."))
    return [*foot, said]


def _aggregations(findings: Findings, width: int) -> list[RenderableType]:
    """The primary setting under every aggregation, side by side."""
    settings = findings.aggregations(findings.primary)
    if len(settings) < 2 or width < NARROW:
        return []
    systems = [r.system for r in findings.board(findings.primary)]
    columns = [Column(head="system", forms=names_column(systems, width), right=False)]
    for setting in settings:
        ranks = {r.system: r.rank for r in findings.board(setting.id)}
        shown = [
            f"{number(findings.value(setting.id, s), findings.digits(setting.id))} ({ranks.get(s, '–')})" for s in systems
        ]
        styles = ["bold" if ranks.get(s) == 1 else "" for s in systems]
        head = shorten(setting.aggregate, 24)
        columns.append(Column(head=head, full_head=setting.aggregate, forms=[shown], styles=styles))
    note = f"{findings.primary_setting.metric} under every aggregation; the rank of a system in parentheses."
    return [heading("Aggregations"), *stacked(columns, width), small(note)]


def render_list(rows: Sequence[tuple[str, str, str]], title: str) -> Group:
    """A catalogue: name, signature and summary of each entry."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(overflow="fold", style="cyan", ratio=2)
    grid.add_column(overflow="fold", ratio=3)
    for name, signature, summary in rows:
        form = Text(name, style="bold")
        form.append(
            signature[len(name) :] if signature.startswith(name) else f" {signature}" if signature else "", style="not bold"
        )
        grid.add_row(form, Text(summary))
    return Group(Text(f"{title} ({len(rows)})", style="bold"), grid)


def render_card(title: str, sections: Sequence[tuple[str, str | Sequence[tuple[str, str, str, str]]]]) -> Group:
    """One entry in full: paragraphs, and fields as name, type, default and meaning."""
    parts: list[RenderableType] = [Text(title, style="bold")]
    for head, body in sections:
        if not body:
            continue
        parts.append(Padding(Text(head, style="bold cyan"), (1, 0, 0, 0)))
        if isinstance(body, str):
            parts.append(Padding(Text(body), (0, 0, 0, 2)))
            continue
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(overflow="fold", style="bold", no_wrap=True)
        grid.add_column(overflow="fold", ratio=1)
        for name, kind, default, doc in body:
            grid.add_row(
                Text(name),
                Group(Text(f"{kind} = {default}" if default != "" else f"{kind}, required", style="cyan"), Text(doc)),
            )
        parts.append(Padding(grid, (0, 0, 0, 2)))
    return Group(*parts)
