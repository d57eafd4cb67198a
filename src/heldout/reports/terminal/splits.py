"""Splits and audits in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from heldout.splits.audit import Audit, AuditLine, audit_sentence
from heldout.splits.sizes import PartSizes, mean_sizes, sizes_of
from heldout.tables import Split
from heldout.words import count, percent


def render_splits(splits: Sequence[Split], title: str, summary: str = "") -> Group:
    """Sizes of every part of every fold, their means over folds, and what was dropped for which reason."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("fold", justify="right")
    table.add_column("part")
    developed = any(s.development is not None for s in splits)
    for head in ("ratings", "share", "users", "items", "density", *(["development"] if developed else [])):
        table.add_column(head, justify="right")
    folds = [sizes_of(s) for s in splits]
    for s, sizes in zip(splits, folds, strict=True):
        for part in sizes:
            chosen = "" if s.development is None or part.part != "test" else count(int(s.development.sum()))
            last = [chosen] if developed else []
            table.add_row(str(s.fold + 1) if part is sizes[0] else "", *_cells(part, 0), *last)
    if len(folds) > 1:
        table.add_section()
        for part in mean_sizes(folds):
            table.add_row("mean" if part.part == "train" else "", *_cells(part, 1), *([""] if developed else []))
    parts: list[RenderableType] = [Text(title, style="bold"), *([Text(summary)] if summary else []), Text(), table, Text()]
    for s in splits:
        for d in s.dropped:
            parts.append(Text(f"fold {s.fold + 1}: {count(d.count)} ratings dropped: {d.reason}"))
    return Group(*parts)


def _cells(part: PartSizes, digits: int) -> list[str]:
    counts = [f"{value:,.{digits}f}" for value in (part.ratings, part.users, part.items)]
    return [part.part, counts[0], percent(part.share), *counts[1:], percent(part.density, 3)]


def render_audits(audits: Sequence[Audit]) -> Group:
    """What each fold leaks, in words and numbers."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("audit", overflow="fold")
    for audit in audits:
        table.add_column(f"fold {audit.fold + 1}", justify="right")
    merged = any(audit.straddling_test is not None for audit in audits)
    for lines in zip(*(audit.lines(merged=merged) for audit in audits), strict=True):
        table.add_row(lines[0].what, *(_cell(line) for line in lines))
    return Group(Text(), table, Text(audit_sentence(audits)))


def _cell(line: AuditLine) -> str:
    if line.count is None:
        return "no times"
    return count(line.count) if line.share is None else f"{count(line.count)} ({percent(line.share)})"
