"""In a terminal: descriptive metrics, bounds of values and diagnostics, which stand beside the leaderboard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from heldout.analysis.findings import Findings
from heldout.analysis.rows import Setting
from heldout.catalogue import make
from heldout.reports.captions import BOUNDS, DESCRIPTIVE
from heldout.reports.terminal.columns import Column
from heldout.reports.terminal.parts import heading, names_column, small, stacked
from heldout.reports.views import systems_shown
from heldout.words import count, number, shorten


def descriptive_tables(findings: Findings, width: int) -> list[RenderableType]:
    """Tables of the primary protocol, systems in the order of the leaderboard: descriptive metrics, and bounds of values."""
    primary = findings.primary_setting
    own = [s for s in findings.descriptive if s.choices == primary.choices and not s.bound and s.id != primary.id]
    bounds = [s for s in findings.descriptive if s.bound and _but_unrated(s) == _but_unrated(primary) and s.id != primary.id]
    return [
        *_table(findings, own, "Beside it", "what the lists are like", DESCRIPTIVE, width),
        *_table(findings, bounds, "Bounds", "unrated items at no gain, and at full gain", BOUNDS, width),
    ]


def _but_unrated(setting: Setting) -> dict[str, str]:
    return {stage: text for stage, text in setting.choices.items() if stage != "unrated"}


def _table(
    findings: Findings, settings: Sequence[Setting], title: str, aside: str, note: str, width: int
) -> Iterator[RenderableType]:
    """A column for each of these settings."""
    if not settings:
        return
    systems = systems_shown(findings, len(findings.systems))
    columns = [Column(head="system", forms=names_column(systems, width), right=False)]
    for setting in settings:
        values = [number(findings.value(setting.id, system), findings.digits(setting.id)) for system in systems]
        head = _head(setting, settings)
        columns.append(Column(head=shorten(head, 24), full_head=head, forms=[values]))
    yield heading(title, aside)
    yield from stacked(columns, width)
    yield small(note)


def _head(setting: Setting, among: Sequence[Setting]) -> str:
    if setting.bound and len({(s.metric, s.choices["unrated"]) for s in among}) == len(among):
        end = make("unrated", setting.choices["unrated"]).end
        return f"{setting.metric} {'least' if end == 'low' else 'most'}"
    return setting.metric if len({s.metric for s in among}) == len(among) else setting.label


def diagnostic_lines(findings: Findings) -> list[RenderableType]:
    """One line for each diagnostic and protocol."""
    lines: list[RenderableType] = []
    for row in findings.diagnostics:
        values = ", ".join(
            f"{system} {number(value, 4)}" for system, value in zip(findings.systems, row.values, strict=True)
        )
        lines.append(Text(f"{row.metric}  {row.label}: {values} ({count(row.users)} users)"))
    return lines
