"""Splits and audits in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from heldout.splits.audit import Audit, audit_sentence
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
            "share": percent(len(s.test) / max(1, _size(s))),
            "users": count(int((s.test.user_counts > 0).sum())),
            "items": count(int((s.test.item_counts > 0).sum())),
            "development": count(int(s.development.sum())) if s.development is not None else "–",
        }
        table.add_row(*(cells[head] for head in heads))
    parts: list[RenderableType] = [Text(title, style="bold"), *([Text(summary)] if summary else []), Text(), table, Text()]
    for s in splits:
        for d in s.dropped:
            parts.append(Text(f"fold {s.fold + 1}: {count(d.count)} ratings dropped: {d.reason}"))
    return Group(*parts)


def _size(split: Split) -> int:
    """Ratings of all parts: what validation took from train does not make test a larger share."""
    return len(split.train) + len(split.test) + (len(split.validation) if split.validation is not None else 0)


def render_audits(audits: Sequence[Audit]) -> Group:
    """What each fold leaks, in words and numbers."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("audit", overflow="fold")
    for audit in audits:
        table.add_column(f"fold {audit.fold + 1}", justify="right")
    lines = [
        ("pairs in both train and test", [count(a.overlap) for a in audits]),
        ("test ratings older than some training rating", [_of(a.older_than_any, a.test) for a in audits]),
        ("test ratings older than one of the same user", [_of(a.older_than_own, a.test) for a in audits]),
        ("users with such a test rating", [_of(a.users_older_than_own, a.test_users) for a in audits]),
        ("test users without training ratings", [_of(a.cold_users, a.test_users) for a in audits]),
        ("their test ratings", [_of(a.cold_user_ratings, a.test) for a in audits]),
        ("test items without training ratings", [_of(a.cold_items, a.test_items) for a in audits]),
        ("their test ratings", [_of(a.cold_item_ratings, a.test) for a in audits]),
    ]
    if any(a.straddling_test is not None for a in audits):
        lines += [
            ("test pairs merged across the cut", [_of(a.straddling_test or 0, a.test) for a in audits]),
            ("training pairs merged across the cut", [_of(a.straddling_train or 0, a.train) for a in audits]),
        ]
    for name, cells in lines:
        table.add_row(name, *cells)
    return Group(Text(), table, Text(audit_sentence(audits)))


def _of(part: int | None, whole: int) -> str:
    return "no times" if part is None else f"{count(part)} ({percent(part / max(1, whole))})"
