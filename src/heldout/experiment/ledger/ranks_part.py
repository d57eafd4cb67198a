"""The ranks of one system on one fold as a Parquet file, and back, to the same bytes.

What entries have in common (a fallback that changes nothing, the pointers and scores of all targets) is stored once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from heldout.experiment.ledger.part import read_header, write_part
from heldout.tables import Rankings
from heldout.tables.arrays import frozen
from heldout.targets.ranker import Ranked, RankPlan, Ranks

_WHOLE = (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.int64)
_FEW = 4
"""An array is stored as its difference from another if at most one value in so many differs."""
_MOST = 32
"""Columns that the longest array is wrapped into, at most."""
Key = tuple[str, str, str, str]
_COLUMNS = ("indptr", "rank", "above", "tied", "computed", "length", "targets", "candidate", "score", "stratum", "pool")
_LISTS = ("users", "indptr", "item", "score")


class Columns:
    """Arrays to be written; `add` gives each its number."""

    def __init__(self) -> None:
        self.number_of: dict[tuple[str, str], int] = {}
        self.arrays: list[Any] = []
        self.layouts: list[dict[str, Any]] = []
        self.stored: dict[int, Any] = {}

    def add(self, array: Any, *, like: int | None = None, plus: int = 0) -> int:
        """Add an array of one dimension, which may resemble the array number `like`, `plus` a constant."""
        array = np.ascontiguousarray(array)
        key = (array.dtype.str, hashlib.sha256(array.data).hexdigest())
        if key not in self.number_of:
            self.number_of[key] = len(self.arrays)
            self.arrays.append(array)
            self.layouts.append(self._describe(array, like, plus))
        return self.number_of[key]

    def _describe(self, array: Any, like: int | None, plus: int) -> dict[str, Any]:
        layout: dict[str, Any] = {"dtype": array.dtype.str, "length": len(array)}
        whole = array.dtype.kind in "iu"
        if len(array) == 0:
            return layout
        if array.dtype.kind in "iub" and (array == array[0]).all():
            return {**layout, "value": int(array[0])}
        small = array
        if whole and like is not None and self.arrays[like].dtype == array.dtype and len(self.arrays[like]) == len(array):
            difference = array.astype(np.int64) - self.arrays[like] - plus
            if np.count_nonzero(difference) * _FEW <= len(array):
                layout |= {"like": like, "plus": plus}
                small = difference
        if whole:
            low, high = int(small.min()), int(small.max())
            small = small.astype(next(t for t in _WHOLE if np.iinfo(t).min <= low and high <= np.iinfo(t).max))
        elif array.dtype == np.float64:
            single = array.astype(np.float32)
            same = np.array_equal(single.astype(np.float64).view(np.int64), array.view(np.int64))
            small = single if same else array
        self.stored[len(self.layouts)] = small
        return layout

    def frame(self, height: int) -> tuple[pl.DataFrame, dict[str, Any]]:
        """The columns, about `height` high, and the header to read them by."""
        height = max(1, height, -(-max((len(a) for a in self.stored.values()), default=0) // _MOST))
        columns = {}
        for number, array in self.stored.items():
            for piece, start in enumerate(range(0, len(array), height)):
                values = array[start : start + height]
                columns[_name(number, piece)] = np.concatenate([values, np.zeros(height - len(values), array.dtype)])
        frame = pl.DataFrame(columns)
        return frame, {"height": height, "columns": self.layouts}


def read_columns(frame: pl.DataFrame, header: dict[str, Any], numbers: set[int]) -> dict[int, Any]:
    """The arrays with these numbers."""
    arrays: dict[int, Any] = {}
    for number in sorted(closure(header, numbers)):
        layout = header["columns"][number]
        length, dtype = layout["length"], np.dtype(layout["dtype"])
        if "value" in layout or length == 0:
            arrays[number] = np.full(length, layout.get("value", 0), dtype)
            continue
        pieces = [frame[_name(number, piece)].to_numpy() for piece in range(-(-length // header["height"]))]
        stored = (pieces[0] if len(pieces) == 1 else np.concatenate(pieces))[:length]
        if "like" in layout:
            stored = arrays[layout["like"]] + dtype.type(layout["plus"]) + stored.astype(dtype)
        arrays[number] = stored.astype(dtype)
    return arrays


def closure(header: dict[str, Any], numbers: set[int]) -> set[int]:
    """These arrays and those that they are stored as differences from."""
    every = set(numbers)
    for number in sorted(numbers, reverse=True):
        at: int | None = number
        while at is not None:
            every.add(at)
            at = header["columns"][at].get("like")
    return every


def names_of(header: dict[str, Any], numbers: set[int]) -> list[str]:
    """The columns to be read for these arrays."""
    names = []
    for number in sorted(closure(header, numbers)):
        layout = header["columns"][number]
        if "value" not in layout:
            names += [_name(number, piece) for piece in range(-(-layout["length"] // header["height"]))]
    return names


def _name(number: int, piece: int) -> str:
    return f"{number}" if piece == 0 else f"{number}.{piece}"


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
    frame = pl.read_parquet(path, columns=names_of(header, numbers) or None)
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


def _rankings(columns: Sequence[Any]) -> Rankings:
    users, indptr, item, score = columns
    return Rankings(frozen(users, np.int32), frozen(indptr, np.int64), frozen(item, np.int32), frozen(score, np.float64))
