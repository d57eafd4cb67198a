"""The ranks of one system on one fold as a Parquet file, and back, to the same bytes.

What entries have in common (a fallback that changes nothing, the pointers and scores of all targets) is stored once.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from heldout.experiment.ledger.columns import Columns, names_of, read_columns
from heldout.experiment.ledger.part import read_header, write_part
from heldout.tables import Rankings
from heldout.tables.arrays import frozen
from heldout.targets.ranker import Ranked, RankPlan, Ranks

Key = tuple[str, str, str, str]
_COLUMNS = ("indptr", "rank", "above", "tied", "computed", "length", "targets", "candidate", "score", "stratum", "pool")
_LISTS = ("users", "indptr", "item", "score")


def entries_of(plan: RankPlan) -> list[Key]:
    """The entries that ranking by this plan makes."""
    return [
        (str(target), "" if rule is None else str(rule), fallback, str(ties))
        for ties in plan.ties
        for target in plan.targets
        for rule in plan.rules(target)
        for fallback in plan.fallbacks
    ]


def write_ranks(ranked: Ranked, temporary: Path, key: str, about: dict[str, Any] | None = None) -> None:
    """Write all entries to a file, with its key and a description in its header."""
    columns, entries = Columns(), []
    resembled: dict[tuple[str, int], int] = {}
    rows = 0
    for entry, ranks in ranked:
        numbers: dict[str, int | None] = {}
        for name in _COLUMNS:
            array = getattr(ranks, name)
            if array is None:
                continue
            like, plus = resembled.get((name, len(array))), 0
            if name == "above":  # without ties, one less than the rank
                like, plus = numbers["rank"], -1
            numbers[name] = columns.add(array, like=like, plus=plus)
            resembled[name, len(array)] = numbers[name]  # type: ignore[assignment]
        if ranks.score is None or not np.array_equal(ranks.scored, ~np.isnan(ranks.score)):
            numbers["scored"] = columns.add(ranks.scored)
        lists = {}
        if ranks.lists is not None:
            lists = {name: columns.add(getattr(ranks.lists, name)) for name in _LISTS}
        rows = max(rows, len(ranks.rank))
        entries.append({"key": entry, "columns": numbers, "lists": lists})
    frame, layout = columns.frame(rows)
    write_part(frame, temporary, key, {"about": about or {}, **layout, "entries": entries}, compression_level=1)


def entries_in(header: dict[str, Any]) -> set[Key]:
    """The entries of a file."""
    return {tuple(entry["key"]) for entry in header["entries"]}


def read_ranks(path: Path, plan: RankPlan, key: str) -> Ranked:
    """The entries of a file that a plan asks for; no more is read. ChangedPartError where it is not what was written."""
    header = read_header(path, key)
    targets, expects = {str(t): t for t in plan.targets}, {str(t): t.expects for t in plan.ties}
    entry_by_rules = {tuple(entry["key"]): entry for entry in header["entries"]}
    wanted = entries_of(plan)
    with_lists = wanted if plan.depth else wanted[:1] if plan.pictured else []
    numbers = {n for rules in wanted for n in entry_by_rules[rules]["columns"].values()}
    numbers |= {n for rules in with_lists for n in entry_by_rules[rules]["lists"].values()}
    frame = pl.read_parquet(path, columns=_existing(names_of(header, numbers)))
    arrays = read_columns(frame, header, numbers)
    scored: dict[int, Any] = {}
    ranks_by_rules = {}
    for rules in wanted:
        entry = entry_by_rules[rules]
        columns = {name: arrays[number] for name, number in entry["columns"].items()}
        if "scored" not in columns:
            at = entry["columns"]["score"]
            if at not in scored:
                scored[at] = ~np.isnan(arrays[at])
            columns["scored"] = scored[at]
        listed = entry["lists"] if rules in with_lists else {}
        lists = _rankings([arrays[listed[name]] for name in _LISTS]) if listed else None
        ranks_by_rules[rules] = Ranks(target=targets[rules[0]], **columns, lists=lists, expected=expects[rules[3]])
    return Ranked(ranks_by_rules)


def _existing(names: list[str]) -> list[str] | None:
    """Columns to read; where no column is needed, all of the few there are."""
    return names or None


def _rankings(columns: Sequence[Any]) -> Rankings:
    users, indptr, item, score = columns
    return Rankings(frozen(users, np.int32), frozen(indptr, np.int64), frozen(item, np.int32), frozen(score, np.float64))
