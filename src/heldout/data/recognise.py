"""Which reader a file is for, by its name and its first lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from heldout.catalogue.component import from_call
from heldout.catalogue.text import Call
from heldout.data.dialect import first_lines
from heldout.data.parquet import SUFFIXES
from heldout.data.reader import Reader
from heldout.data.readers.csv import Csv
from heldout.data.readers.movielens import MovieLens
from heldout.data.readers.parquet import Parquet
from heldout.data.readers.trec_qrels import TrecQrels
from heldout.data.sources import checked_file, plain_name, read_head
from heldout.data.tabular import is_number
from heldout.errors import SpecError

_QRELS = (".qrel", ".qrels")


def reader_for(path: str | Path, **columns: Any) -> Reader:
    """The reader for a file or a folder; columns that the caller names go to the reader of text or Parquet."""
    text = str(path)
    if Path(path).expanduser().is_dir():
        _no_columns(columns, "a MovieLens folder")
        reader = MovieLens(text)
        reader.file()
        return reader
    found = checked_file(path)
    name = plain_name(found)
    suffix = Path(name).suffix.lower()
    if suffix in SUFFIXES:
        return _with(Parquet, text, columns)
    if columns:
        return _with(Csv, text, columns)
    if name == "u.data":
        return MovieLens(text)
    lines = first_lines(read_head(found), 20)
    if name == "ratings.dat" and lines and "::" in lines[0]:
        return MovieLens(text)
    if suffix in _QRELS or _is_qrels(lines):
        return TrecQrels(text)
    return Csv(text, **columns)


def _with(cls: type[Reader], path: str, columns: dict[str, Any]) -> Reader:
    """The reader with columns that the caller names; UnknownNameError when it has no such parameter."""
    return cast(Reader, from_call(cls, Call(cls.key, (path,), columns))[0])


def _is_qrels(lines: list[str]) -> bool:
    """Whether the first lines are `user 0 item grade`; a second column of items that are all 0 is not a thing."""
    rows = [line.split() for line in lines]
    return bool(rows) and all(len(r) == 4 and r[1] in ("0", "Q0") and is_number(r[3]) for r in rows)


def _no_columns(columns: dict[str, Any], what: str) -> None:
    if columns:
        raise SpecError(f"{what} has known columns, so {', '.join(columns)} cannot be chosen")
