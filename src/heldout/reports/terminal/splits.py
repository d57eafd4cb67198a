"""Splits and audits in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from rich.console import Group, RenderableType
from rich.text import Text

from heldout.reports.terminal.columns import Column
from heldout.reports.terminal.parts import fitted, stacked
from heldout.splits.audit import Audit, AuditLine, audit_sentence
from heldout.splits.sizes import PartSizes, mean_sizes, sizes_of
from heldout.tables import Split
from heldout.words import count, number, percent


def render_splits(splits: Sequence[Split], title: str, summary: str = "", width: int | None = None) -> Group:
    """Sizes of every part of every fold, their means over folds, and what was dropped for which reason."""
    parts: list[RenderableType] = [Text(title, style="bold"), *([Text(summary)] if summary else []), Text()]
    dropped = [Text(f"fold {s.fold + 1}: {count(d.count)} ratings dropped: {d.reason}") for s in splits for d in s.dropped]
    return fitted(lambda room: [*parts, *_sizes(splits, room), Text(), *dropped], width)


def _sizes(splits: Sequence[Split], width: int) -> list[RenderableType]:
    folds = [sizes_of(s) for s in splits]
    rows = [
        [str(s.fold + 1) if part is sizes[0] else "", *_cells(part, 0), _development(s, part)]
        for s, sizes in zip(splits, folds, strict=True)
        for part in sizes
    ]
    above_means = len(rows) if len(folds) > 1 else None
    if len(folds) > 1:
        rows += [["mean" if part.part == "train" else "", *_cells(part, 1), ""] for part in mean_sizes(folds)]
    margin = max(len(row[0]) for row in [*rows, ["fold"]])
    columns = [
        Column(head=f"{'fold':>{margin}}  part", forms=[[f"{row[0]:>{margin}}  {row[1]}" for row in rows]], right=False)
    ]
    for k, head in enumerate(("ratings", "share", "users", "items", "density", "development"), 2):
        if head != "development" or any(s.development is not None for s in splits):
            columns.append(Column(head=head, forms=[[row[k] for row in rows]]))
    return stacked(columns, width, rule_above=above_means)


def _development(split: Split, part: PartSizes) -> str:
    """Test users for development, beside the size of test."""
    return "" if split.development is None or part.part != "test" else count(int(split.development.sum()))


def _cells(part: PartSizes, digits: int) -> list[str]:
    counts = [f"{value:,.{digits}f}" for value in (part.ratings, part.users, part.items)]
    return [part.part, counts[0], percent(part.share), *counts[1:], percent(part.density, 3)]


def render_audits(audits: Sequence[Audit], width: int | None = None) -> Group:
    """What each fold leaks, in words and numbers."""
    merged = any(audit.straddling_test is not None for audit in audits)
    lines = [audit.lines(merged=merged) for audit in audits]
    questions = [line.what for line in lines[0]]
    columns = [
        Column(head="audit", forms=[questions, [fill(question, 30) for question in questions]], right=False),
        *(
            Column(head=f"fold {audit.fold + 1}", forms=[[_cell(line) for line in of_fold]])
            for audit, of_fold in zip(audits, lines, strict=True)
        ),
    ]
    return fitted(lambda room: [Text(), *stacked(columns, room), Text(audit_sentence(audits))], width)


def _cell(line: AuditLine) -> str:
    if line.count is None:
        return "no times" if line.share is None else number(line.share, 2)
    return count(line.count) if line.share is None else f"{count(line.count)} ({percent(line.share)})"
