"""The files of a streamed evaluation, and what is to be known of all rows before users are judged in pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from heldout.data.columns import AUTO
from heldout.data.file_patterns import is_pattern
from heldout.data.parquet_files import ParquetFiles, is_remote, open_files, parquet_errors
from heldout.data.paths import status
from heldout.data.read import is_text_form, reader_of
from heldout.data.reader import Reader
from heldout.data.runs import RUN_SHAPE
from heldout.errors import InputError, SpecError
from heldout.tables import Vocabulary, id_column
from heldout.tables.arrays import Bool, Float64, Int32, Int64
from heldout.tables.pair_counter import PairCounter
from heldout.threads import memory

PART_OF_MEMORY = 32
"""Parquet files larger than this part of memory are streamed: rows take ten times their size and more once they are read."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Sources:
    """The files of an evaluation."""

    test: ParquetFiles
    train: ParquetFiles | None
    runs: dict[str, ParquetFiles]

    def _of(self, source: str) -> ParquetFiles:
        """The files of what messages call `source`."""
        rated = {"test set": self.test, "training set": self.train}
        files = self.runs[source] if source in self.runs else rated[source]
        assert files is not None  # only sources that are there are told of
        return files

    @property
    def all(self) -> list[ParquetFiles]:
        """Test, training where it is known, and runs."""
        return [self.test, *([self.train] if self.train is not None else []), *self.runs.values()]

    def refuse_repeated(self, pair: tuple[str, str, str] | None) -> None:
        """InputError that names the files in which a pair stands twice, told by its source, user and item."""
        if pair is None:
            return
        source, user, item = pair
        files = self._of(source)
        places = files.files_with(user, item)
        once = list(dict.fromkeys(places))
        where = f"{once[0]} and {once[1]}" if len(once) > 1 else f"{len(places)} rows"
        raise InputError(
            f"user {user} has item {item} more than once: in {where}",
            file=once[0] if once else files.path,
            column=files.labels["item"],
            hint="keep one row for each pair",
        )


def open_sources(qrels: Any, runs: Mapping[str, Any], train: Any, storage: Mapping[str, str] | None) -> Sources:
    """The files of test, training and runs; all of them are Parquet."""
    return Sources(
        test=_rated_files(qrels, "test set", storage),
        train=_rated_files(train, "training set", storage) if train is not None else None,
        runs={name: _run_files(source, name, storage) for name, source in runs.items()},
    )


def _rated_files(source: Any, what: str, storage: Mapping[str, str] | None) -> ParquetFiles:
    _refuse_other_files(source, what)
    columns: dict[str, str | None] = {"user": AUTO, "item": AUTO, "value": AUTO, "utility": AUTO}
    reader = _reader(source)
    if reader is not None and reader.parquet_files is not None:
        columns |= {role: column for role, column in reader.parquet_files[1].items() if role in columns}
    return open_files(_path_of(source), columns, ("user", "item"), storage=storage)


def _run_files(source: Any, name: str, storage: Mapping[str, str] | None) -> ParquetFiles:
    _refuse_other_files(source, f"run '{name}'")
    wanted: dict[str, str | None] = {"user": AUTO, "item": AUTO, "score": AUTO, "rank": AUTO}
    files = open_files(source, wanted, RUN_SHAPE.required, storage=storage)
    if "score" not in files.labels and "rank" not in files.labels:
        raise InputError("neither a score nor a rank", file=files.path, hint="call a column score or rank")
    return files


def is_parquet(source: Any) -> bool:
    """Whether a source can be streamed: a path, a pattern or an address of Parquet files, or their reader."""
    reader = _reader(source)
    if reader is not None and reader.parquet_files is None:
        return False
    return isinstance(source, str | Path | Reader) and _path_of(source).lower().endswith((".parquet", ".pq"))


def streams(qrels: Any, runs: Mapping[str, Any], train: Any, wanted: bool | None) -> bool:
    """Whether an evaluation is streamed: as wanted or, where nothing is said, if all sources are Parquet files and one is a
    pattern of many, an address in an object store, or they are together larger than 1/32 of memory."""
    if wanted is not None:
        return wanted
    sources = [qrels, *runs.values(), *([train] if train is not None else [])]
    if not all(is_parquet(source) for source in sources):
        return False
    paths = [_path_of(source) for source in sources]
    if any(is_remote(path) or is_pattern(path) for path in paths):
        return True
    size = sum(about.st_size for path in paths if (about := status(path)) is not None)
    return bool(memory()) and size > memory() / PART_OF_MEMORY


def _path_of(source: Any) -> str:
    """The path, pattern or address of Parquet files, or of their reader."""
    reader = _reader(source)
    return str(source if reader is None or reader.parquet_files is None else reader.parquet_files[0])


def _reader(source: Any) -> Reader | None:
    """The reader that a source is or names; None of a path."""
    if isinstance(source, str) and not is_remote(source) and is_text_form(source):
        return reader_of(source)
    return source if isinstance(source, Reader) else None


def _refuse_other_files(source: Any, what: str) -> None:
    if not is_parquet(source):
        words = f"'{source}'" if isinstance(source, str | Path | Reader) else f"a {type(source).__name__}"
        raise SpecError(
            f"the {what} is {words}, and a streamed evaluation reads Parquet files",
            where="stream",
            hint="write it as Parquet, or leave --stream out",
        )


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
