"""Splits: sizes of the parts, what is dropped and leaks, and lines of a few users in the order of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from rich.text import Text

from heldout.reports.columns import Column, Field
from heldout.reports.document import Table
from heldout.splits.audit import Audit, AuditLine, audit_sentence
from heldout.splits.pairs import rows_among
from heldout.splits.sizes import PartSizes, mean_sizes, sizes_of
from heldout.tables import Interactions, Split
from heldout.tables.arrays import Int64, Ints
from heldout.text.names import shorten_all
from heldout.text.numbers import count, number, percent, percent_digits


def sizes_table(splits: Sequence[Split], title: str) -> Table:
    """Every part of every fold, and their means over folds."""
    folds = [(str(split.fold + 1), split, sizes_of(split)) for split in splits]
    rows = [(fold, part, _development(split, part)) for fold, split, parts in folds for part in parts]
    means = mean_sizes([parts for _, _, parts in folds]) if len(folds) > 1 else ()
    rows += [("mean", part, None) for part in means]
    digits = [int(fold == "mean") for fold, _, _ in rows]
    size = partial(Field, kind="value", digits=digits)
    fields = (
        Field("Fold", "text", 0),
        Field("Part", "text", lambda row: row[1].part),
        size("Ratings", source=lambda row: row[1].ratings),
        Field("Share", "share", lambda row: row[1].share),
        size("Users", source=lambda row: row[1].users),
        size("Items", source=lambda row: row[1].items),
        Field("Density", "share", lambda row: row[1].density, digits=[percent_digits(row[1].density) for row in rows]),
        Field("Development", "count", 2, "Test users on whom systems are chosen"),
    )
    table = Table.of_records(rows, fields, name="sizes", title=title, subject="parts", folding=False)
    return table if any(split.development is not None for split in splits) else table.without("Development")


def _development(split: Split, part: PartSizes) -> int | None:
    """Test users for development, next to the size of test."""
    return None if split.development is None or part.part != "test" else int(split.development.sum())


def dropped(splits: Sequence[Split]) -> Iterator[str]:
    """What was dropped of each fold, and why."""
    for split in splits:
        for drop in split.dropped:
            yield f"fold {split.fold + 1}: {count(drop.count)} ratings dropped: {drop.reason}"


def audit_table(audits: Sequence[Audit]) -> Table:
    """What each fold leaks, in numbers."""
    merged = any(audit.straddling_test is not None for audit in audits)
    lines = [audit.lines(merged=merged) for audit in audits]
    folds = [Column(name=f"Fold {audit.fold + 1}", kind="text", fold=False) for audit in audits]
    rows = [(of_line[0].what, *map(_cell, of_line)) for of_line in zip(*lines, strict=True)]
    columns = (Column(name="Audit", kind="text", fold=False), *folds)
    title, caption = "What the split leaks", audit_sentence(audits)
    return Table(name="audit", title=title, caption=caption, columns=columns, rows=tuple(rows), subject="questions")


def _cell(line: AuditLine) -> str:
    if line.count is None:
        return "no times" if line.share is None else number(line.share, 2)
    return count(line.count) if line.share is None else f"{count(line.count)} ({percent(line.share)})"


MARKS = {"train": "·", "validation": "o", "test": "█", "dropped": "×"}
_STYLES = {"·": "dim", "o": "yellow", "█": "bold blue", "×": "red"}
_WIDTH = 60


def timeline(split: Split, data: Interactions | None = None, *, users: int = 6, width: int = _WIDTH, room: int = 80) -> Text:
    """A few users' ratings as marks from left (old) to right (new), in the parts they are in.

    With times, a place on the line is a place in time, and where several ratings share it the rarer part is shown; without,
    ratings stand in the order of items. Dropped ratings are known only from `data`. A line is at most `room` wide, names
    included.
    """
    chosen = _some_users(split, users)
    names = [str(split.train.users.ids[u]) for u in chosen]
    margin = min(14, max([len(n) for n in names] + [4]))
    width = max(1, min(width, room - margin - 3))
    out = Text()
    short = shorten_all(names, margin)
    for name, row in zip(names, _rows(split, data, chosen, width), strict=True):
        out.append(f"{short[name]:>{margin}} │")
        for mark in row:
            out.append(mark, style=_STYLES.get(mark, ""))
        out.append("│\n")
    timed = split.train.time is not None
    ends = ("old", "new") if timed else ("first item", "last item")
    out.append(f"{'':>{margin}}  {ends[0]}{' ' * max(1, width - len(ends[0]) - len(ends[1]))}{ends[1]}\n", style="dim")
    parts = ["train", *(["validation"] if split.validation is not None else []), "test"]
    parts += ["dropped"] if data is not None and split.dropped else []
    out.append(f"{'':>{margin}}  {'   '.join(f'{MARKS[p]} {p}' for p in parts)}", style="dim")
    return out


def example_timeline(drawn: str, room: int = 80) -> Text:
    """A split of a few simulated users' ratings, drawn."""
    from heldout.catalogue import make

    data = make("reader", "simulate(users=7, items=24, ratings=100, activity=0.6, seed=3)").read().interactions()
    return timeline(next(iter(make("split", drawn).split(data, seed=1))), data, users=7, room=room)


def parts_by_row(split: Split, data: Interactions | None) -> tuple[Interactions, Ints]:
    """All ratings and the part of each: 0 train, 1 validation, 2 test, 3 dropped."""
    split = split.in_one_unit()
    parts = [(0, split.train), (1, split.validation), (2, split.test)]
    if data is not None and (data.users, data.items) == (split.train.users, split.train.items):
        where = np.full(len(data), 3, dtype=np.int8)
        for code, part in parts:
            if part is not None:
                rows = rows_among(part, data)
                where[rows[rows >= 0]] = code
        return data, where
    met = [(code, part) for code, part in parts if part is not None and len(part)]
    user, item = (np.concatenate([getattr(p, name) for _, p in met]) for name in ("user", "item"))
    timed = all(p.time is not None for _, p in met)
    time = np.concatenate([p.time for _, p in met if p.time is not None]) if timed else None
    codes = np.concatenate([np.full(len(p), c, dtype=np.float64) for c, p in met])
    pair = user.astype(np.int64) * split.train.n_items + item
    _, first = np.unique(pair, return_index=True)  # a pair in both parts of a foreign split is drawn once
    interactions = Interactions.build(
        split.train.users,
        split.train.items,
        user[first],
        item[first],
        codes[first],
        time=time[first] if time is not None else None,
        time_unit=split.train.time_unit,
    )
    return interactions, interactions.value.astype(np.int8)


def _some_users(split: Split, n: int) -> Int64:
    """Users with test ratings, of many and of few ratings, and at least one without where there is one."""
    counts = split.train.user_counts + split.test.user_counts
    tested = np.flatnonzero((split.test.user_counts > 0) & (counts > 1))
    if len(tested) == 0:
        tested = np.flatnonzero(split.test.user_counts > 0)
    untested = np.flatnonzero((split.test.user_counts == 0) & (counts > 0))
    room = n - (1 if len(untested) and n > 1 else 0)
    order = tested[np.argsort(-counts[tested], kind="stable")]
    at = np.unique(np.linspace(0, len(order) - 1, min(room, len(order))).round().astype(np.int64))
    chosen = order[at]
    spare = untested[np.argsort(-counts[untested], kind="stable")]
    more = np.unique(np.linspace(0, len(spare) - 1, min(n - len(chosen), len(spare))).round().astype(np.int64))
    return np.append(chosen, spare[more]) if len(spare) else chosen


def _rows(split: Split, data: Interactions | None, chosen: Int64, width: int) -> list[str]:
    table, where = parts_by_row(split, data)
    if table.time is not None:
        low, high = int(table.time.min()), int(table.time.max())
        place = ((table.time - low) / max(1, high - low) * (width - 1)).round().astype(np.int64)
    else:
        place = (table.item / max(1, table.n_items - 1) * (width - 1)).round().astype(np.int64)
    return [_row(place, where, table.user_indptr, int(u), width) for u in chosen]


def _row(place: Int64, where: Ints, indptr: Int64, user: int, width: int) -> str:
    marks: Sequence[str] = list(MARKS.values())
    row, rank = [" "] * width, [-1] * width
    # A hidden rating among many training ones must be seen.
    importance = {0: 0, 3: 1, 1: 2, 2: 3}
    for k in range(indptr[user], indptr[user + 1]):
        at, code = int(place[k]), int(where[k])
        if importance[code] > rank[at]:
            rank[at] = importance[code]
            row[at] = marks[code]
    return "".join(row)
