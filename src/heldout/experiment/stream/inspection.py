"""What is to be known of all rows before users are judged in pieces: the items, the ratings, and how many rows there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from heldout.data.parquet_files import ParquetFiles, parquet_errors
from heldout.errors import InputError
from heldout.tables import Vocabulary, id_column
from heldout.tables.arrays import Bool, Float64, Int32, Int64
from heldout.tables.pair_counter import PairCounter

MOST_VALUES = 1000
"""Distinct ratings up to which the mean rating of each item is worked out for the profile."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ItemRatingCounts:
    """How often each item has each rating in a source: by item, then rating, so that sums do not depend on files."""

    item: Int32
    value: Float64
    count: Int64

    @cached_property
    def grades(self) -> tuple[Float64, Int64]:
        """The distinct ratings, ascending, and how often each was given."""
        grades, place = np.unique(self.value, return_inverse=True)
        return grades, np.bincount(place.reshape(-1), self.count, len(grades)).astype(np.int64)

    def of_items(self, n_items: int, weights: Float64 | None = None) -> Float64:
        """Of each item: its ratings, each counting 1 or what `weights` says of its row."""
        each = self.count if weights is None else self.count * weights
        return np.bincount(self.item, each, n_items).astype(np.float64)


@dataclass(frozen=True, eq=False, kw_only=True)
class Inspection:
    """All sources of an evaluation, seen once."""

    items: Vocabulary
    """The items of all sources."""
    test: ItemRatingCounts
    train: ItemRatingCounts | None
    listed: Mapping[str, Bool]
    """By run: which items it lists."""
    rows: Mapping[str, int]
    """By source: test, train and the names of runs."""

    @property
    def parts(self) -> list[ItemRatingCounts]:
        """The ratings of test, and of training where it is known."""
        return [self.test] if self.train is None else [self.test, self.train]

    def catalogue_size(self, run: str) -> int:
        """Items known to exist: those rated in test or training and those of the run."""
        exists = self.listed[run].copy()
        for part in self.parts:
            exists[part.item] = True
        return int(exists.sum())

    @property
    def grades(self) -> tuple[Float64, Int64]:
        """The distinct ratings of test and training together, and how often each was given."""
        values = np.concatenate([part.grades[0] for part in self.parts])
        counts = np.concatenate([part.grades[1] for part in self.parts])
        grades, place = np.unique(values, return_inverse=True)
        return grades, np.bincount(place.reshape(-1), counts, len(grades)).astype(np.int64)


def inspect(test: ParquetFiles, train: ParquetFiles | None, runs: Mapping[str, ParquetFiles]) -> Inspection:
    """Read the items and ratings of every source; polars keeps no more in memory than their distinct values."""
    rated = {"test set": test, **({"training set": train} if train is not None else {})}
    ratings = {what: _ratings(files, what) for what, files in rated.items()}
    of_runs = {name: _distinct_items(files, name) for name, files in runs.items()}
    item_ids = {what: id_column(frame["item"], name="item") for what, frame in ratings.items()}
    item_ids |= {f"run {name}": id_column(column, name="item") for name, column in of_runs.items()}
    items = Vocabulary.of(*item_ids.values())
    counts = {what: _counts(frame, items.encode(item_ids[what])) for what, frame in ratings.items()}
    listed = {}
    for name in runs:
        listed[name] = np.zeros(len(items), dtype=np.bool_)
        listed[name][items.encode(item_ids[f"run {name}"])] = True
    return Inspection(
        items=items,
        test=counts["test set"],
        train=counts.get("training set"),
        listed=listed,
        rows={what: files.rows() for what, files in [*rated.items(), *runs.items()]},
    )


def _ratings(files: ParquetFiles, what: str) -> pl.DataFrame:
    """Items, ratings and how often they go together; without a column of ratings each is 1."""
    named = "value" in files.labels
    roles = ("item", "value") if named else ("item",)
    counted = _counted(files, *roles)
    if not counted.height:
        raise InputError("no ratings", file=files.path)
    if not named:
        return counted.with_columns(value=pl.lit(1.0))
    if not counted["value"].is_finite().fill_null(False).all():
        for _ in files.blocks("value"):  # names the file
            pass
    return counted


def _distinct_items(files: ParquetFiles, name: str) -> pl.Series:
    items = _counted(files, "item")["item"]
    if not len(items):
        raise InputError("no recommendations", file=files.path)
    return items


def _counted(files: ParquetFiles, *roles: str) -> pl.DataFrame:
    """The distinct rows of items, or of items and ratings, with their number as `count`."""
    if files.kinds["item"] == pl.Int64():
        return _counted_numbers(files, *roles)
    with parquet_errors(files.path):
        counted = files.scan(*roles).group_by(*roles).agg(pl.len().alias("count")).collect(engine="streaming")
    _refuse_missing(files, counted["item"])
    return counted


def _counted_numbers(files: ParquetFiles, *roles: str) -> pl.DataFrame:
    """As `_counted`, where items are whole numbers: one pass over a hash, five times as fast as grouping any ids."""
    counter = PairCounter()
    for _, rows in files.blocks(*roles):
        counter.add(rows["item"].to_numpy(), rows["value"].to_numpy() if "value" in roles else None)
    return pl.DataFrame(dict(zip(("item", "value", "count"), counter.pairs(), strict=True))).select(*roles, "count")


def _refuse_missing(files: ParquetFiles, items: pl.Series) -> None:
    if items.null_count():
        for _ in files.blocks("item"):  # names the file
            pass


def _counts(frame: pl.DataFrame, item: Int32) -> ItemRatingCounts:
    value, count = (frame[name].cast(kind).to_numpy() for name, kind in (("value", pl.Float64), ("count", pl.Int64)))
    order: Sequence[int] | Int64 = np.lexsort((value, item))
    return ItemRatingCounts(item=item[order], value=value[order], count=count[order])
