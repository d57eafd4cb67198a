"""The files of a streamed evaluation: test set, training set and runs, and when they are streamed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heldout.data.columns import AUTO
from heldout.data.file_patterns import is_pattern
from heldout.data.parquet_files import ParquetFiles, is_remote, open_files
from heldout.data.paths import status
from heldout.data.read import is_text_form, reader_of
from heldout.data.reader import Reader
from heldout.data.runs import RUN_SHAPE
from heldout.errors import InputError, SpecError
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
