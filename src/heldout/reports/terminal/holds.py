"""In a terminal: whether the answer of the primary setting holds in the others."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from heldout.analysis.findings import Findings
from heldout.analysis.rows import VerdictRow
from heldout.reports.terminal.columns import GAP, Column, NameCells, fit, table
from heldout.reports.terminal.pairs import NARROW
from heldout.reports.terminal.parts import ShortNames, heading, small, stacked
from heldout.reports.views import about_users, held_pair
from heldout.words import counted, listed, number, p_number, shorten_all, shorten_labels, signed

OTHER_USERS = "†"
"""Marks settings that rest on other users than the primary one."""
BESIDE = 23
"""Cells that stand beside a setting's label at the least: whether it holds, who leads, p."""


def holds(findings: Findings, width: int) -> list[RenderableType]:
    """Every setting: whether the primary leader leads, who else does, and the pair that decides it."""
    settings, systems = findings.contests, [r.system for r in findings.board(findings.primary)]
    systems += [s for s in findings.systems if s not in systems]
    place = {system: str(i) for i, system in enumerate(systems, 1)}
    verdicts = [findings.verdict_row(s.id) for s in settings]
    compared = bool(findings.verdict.rows)
    title = heading("Does it hold?", _summary(findings)) if compared else heading("Settings", "nothing was compared")
    marked = ["" if _word(v) != "NO" else "bold yellow" for v in verdicts]
    words = [_word(v) + (OTHER_USERS if v and v.other_users else "") for v in verdicts]
    labels = _labels([s.label for s in settings], width)
    if width < NARROW or max(map(len, labels[-1])) + BESIDE > width:
        brief = shorten_all(systems, 20)
        lines: list[RenderableType] = [title]
        for setting, verdict, word in zip(settings, verdicts, words, strict=True):
            if verdict:
                lines.append(Text(f"{word:>3}  {setting.label}"))
                lines += [small(f"     on {verdict.other_users:,} other users")] if verdict.other_users else []
                margin = f"{signed(verdict.difference)} over {brief[verdict.rival]}"
                margin += "" if verdict.refused else f", p {p_number(verdict.p_adjusted)}"
                why = f"; not called: {verdict.remark}" if verdict.refused else ""
                lines.append(small(f"     {brief[verdict.leader]} {number(verdict.value)}, {margin}{why}"))
                lines.append(ShortNames({brief[name]: name for name in (verdict.leader, verdict.rival)}))
        return lines
    columns = [Column(head="setting", forms=labels, right=False)]
    if compared:
        columns += [
            Column(head="holds", forms=[words], right=False, styles=marked),
            Column(head="leads", forms=[[place.get(findings.alone(s.id) or "", "–") for s in settings]]),
            Column(head="rival", forms=[[place.get(held_pair(findings, v).b, "–") if v else "–" for v in verdicts]], need=2),
        ]
    tested = any(v and not v.refused and v.p_adjusted is not None for v in verdicts)
    if tested:
        columns.append(
            Column(head="p adj.", forms=[[p_number(v.p_adjusted) if v and not v.refused else "–" for v in verdicts]], need=1)
        )
    values = []
    for system in systems:
        cells, styles = [], []
        for setting in settings:
            leads = findings.alone(setting.id) == system
            value = findings.value(setting.id, system)
            cells.append(("*" if leads else "") + number(value, min(3, findings.digits(setting.id))))
            styles.append("bold" if leads else "")
        values.append(Column(head=place[system], forms=[cells], styles=styles))
    shown, left = fit([*columns, *values], width)
    tables: list[RenderableType] = [table(shown)]
    if left or sum(column.width + GAP for column in shown) - GAP > width:
        # Not every system's column has room: the value of whoever leads stands beside the verdict, and all values below.
        best = [number(v.value, min(3, findings.digits(v.setting))) if v else "–" for v in verdicts]
        leading = [Column(head="value", forms=[best], need=1, styles=["bold"] * len(best))] if compared else []
        columns[0] = Column(head="setting", forms=_labels([s.label for s in settings], width)[-1:], right=False)
        columns[3:3] = leading
        folded = stacked([columns[0], *values], width)
        tables = [*stacked(columns, width), Padding(Group(*folded), (1, 0, 0, 0))] if compared else folded
    leaders = {findings.alone(s.id) for s in settings} - {None}
    valued = any(column.head == "value" for column in columns)
    called = any(not row.refused for row in findings.verdict.rows)
    star = "; * ahead as users count here" if compared and not called else "; * leads"
    legend = "Value: the leader's. " if valued else ""
    legend += f"Numbered columns are the systems above{star if leaders else ''}."
    if not compared:
        legend += " No winner is called."
    elif tested:
        legend += f" {_paired(findings)}"
    elif called:
        legend += " No difference was tested."
    if uncalled := [v.remark for v in verdicts if v and v.refused]:
        legend += f" No winner is called in {counted(len(uncalled), 'setting')}: {listed(list(dict.fromkeys(uncalled)))}."
    legend += f" {OTHER_USERS} {about_users(findings)}" if about_users(findings) else ""
    if compared and any(not s.higher_is_better for s in settings):
        legend += f" Lower is better: {listed(sorted({s.metric for s in settings if not s.higher_is_better}))}."
    return [title, *tables, small(legend.strip())]


def _word(row: VerdictRow | None) -> str:
    """Whether a setting has the answer of the primary one."""
    return "–" if row is None else {"uncalled": "–", "tie": "tie", "same": "yes", "other": "NO"}[row.answer]


def _summary(findings: Findings) -> str:
    """In how many settings the leader is the same; those in which a single system has a value have none."""
    judged = findings.verdict
    uncalled = len(judged.uncalled)
    if uncalled == len(judged.rows):
        return f"no winner is called in any of {counted(uncalled, 'setting')}"
    same = f"the same leader in {len(judged.holding)} of {counted(len(judged.rows), 'setting')}"
    others = len(judged.on_other_users)
    return f"{same}{f', no winner called in {uncalled}' if uncalled else ''}{f', {others} on other users' if others else ''}"


def _paired(findings: Findings) -> str:
    """Which pair the p-values are of."""
    if findings.baseline is None:
        return "p adj.: system 1 against its rival, the best other system of the setting."
    text = "p adj.: the leader against the baseline"
    if any(row.leader == findings.baseline for row in findings.verdict.rows):
        text += ", which itself is against the system named where it leads"
    return f"{text}."


def _labels(labels: Sequence[str], width: int) -> list[list[str]]:
    """Forms of a column of settings, none so short that it cannot be read."""
    return [list(labels), *(_short_labels(labels, tried) for tried in (56, 48, 42) if tried >= width // 3)]


def _short_labels(labels: Sequence[str], width: int) -> NameCells:
    """Shorter labels, with what is told of each part that was cut."""
    short = shorten_labels(labels, width)
    full_names: dict[str, str] = {}
    for brief, label in zip(short, labels, strict=True):
        parts, whole = brief.split(" · "), label.split(" · ")
        pairs = zip(parts, whole, strict=True) if len(parts) == len(whole) else [(brief, label)]
        full_names |= {part: full for part, full in pairs if "…" in part or (part != full and part == "none")}
    return NameCells(short, full_names)
