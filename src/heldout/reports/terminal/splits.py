"""Splits and audits in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from heldout.splits.audit import Audit, AuditLine, audit_sentence
from heldout.tables import Split
from heldout.words import count, percent


def render_splits(splits: Sequence[Split], title: str, summary: str = "") -> Group:
    """Sizes of every fold and what was dropped for which reason; share, users and items are those of test."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    heads = ["fold", "train", "test", "share", "users", "items"]
    if any(s.validation is not None for s in splits):
        heads.insert(2, "validation")
    if any(s.development is not None for s in splits):
        heads.append("development")
    for head in heads:
        table.add_column(head, justify="right")
    for s in splits:
        cells = {
            "fold": str(s.fold + 1),
            "train": count(len(s.train)),
            "validation": count(len(s.validation)) if s.validation is not None else "–",
            "test": count(len(s.test)),
            "share": percent(s.test_share),
            "users": count(s.test.active_users),
            "items": count(s.test.active_items),
            "development": count(int(s.development.sum())) if s.development is not None else "–",
        }
        table.add_row(*(cells[head] for head in heads))
    parts: list[RenderableType] = [Text(title, style="bold"), *([Text(summary)] if summary else []), Text(), table, Text()]
    for s in splits:
        for d in s.dropped:
            parts.append(Text(f"fold {s.fold + 1}: {count(d.count)} ratings dropped: {d.reason}"))
    return Group(*parts)


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
