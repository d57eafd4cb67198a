"""The way in for what is known of items and users besides ratings."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl

from heldout.data.columns import USUAL, folded
from heldout.data.delimited import text_frame
from heldout.data.frames import is_frame, narwhals_table
from heldout.data.parquet import SUFFIXES, columnar
from heldout.data.parquet_check import read_checked
from heldout.data.paths import checked_file, is_there, located
from heldout.data.read import reader_of
from heldout.data.reader import Reader
from heldout.data.sources import plain_name, read_head
from heldout.errors import InputError, UnknownNameError
from heldout.tables import Side
from heldout.tables.arrays import Float64
from heldout.tables.side import number_column

ID = "user_id"
"""Column of ids in a table of numbers of users, such as weights."""
_IDS = ("isbn", "asin", "docno")
"""Usual names of ids that do not say so."""


def read_side(source: Any, *, of: Literal["items", "users"] = "items", id: str | None = None) -> Side:
    """The item (or user) table of a data set, of a CSV, TSV or Parquet file, or of a frame.

    A data set is a reader, a text form or a folder, such as `movielens("ml-1m")`; a file or frame has one row per id, in the
    column `id`, or in one of the usual names. A table of items may have one row for each user and item instead, such as
    the propensities of ratings, if it has a column of users too.
    """
    path = located(source) if isinstance(source, str | Path) else None
    if isinstance(source, Reader) or (path is not None and (not is_there(str(path)) or path.is_dir())):
        reader = reader_of(source)
        table = reader.item_table() if of == "items" else reader.user_table()
        if table is None:
            raise InputError(
                f"there is no table of {of}", file=reader, hint=f"name a file with one row for each of the {of}"
            )
        return table
    if path is not None:
        frame = _frame_of(checked_file(path))
    elif is_frame(source):
        frame = pl.DataFrame(source) if isinstance(source, dict) else _in_polars(source, of)
    else:
        raise InputError(found=type(source).__name__, expected=f"a table of {of}", hint="pass a path, a reader or a frame")
    raters = _named(frame, "user") if of == "items" else None
    name = f"table of {of}" if path is None else str(source)
    return Side.of(frame, id or _id_of(frame, of, name), source=name, user_name=raters)


def user_column(path: str | Path, column: str, users: pl.Series) -> Float64:
    """The numbers of a column of a table of users, for these users in their order; NaN for a user whom it does not hold."""
    table = _frame_of(checked_file(path))
    if ID not in table.columns:
        raise InputError("there is no column of user ids", file=path, found=table.columns, expected=f"a column '{ID}'")
    if column not in table.columns:
        raise UnknownNameError("column", column, [c for c in table.columns if c != ID], where=str(path))
    numbered = pl.DataFrame({ID: table[ID].cast(pl.String), "number": number_column(table[column], file=path)})
    repeated = numbered[ID].is_duplicated()
    if repeated.any():
        raise InputError(file=path, column=ID, found=numbered[ID].filter(repeated)[0], expected="one row for each user")
    wanted = pl.DataFrame({ID: users.cast(pl.String)})
    joined = wanted.join(numbered, on=ID, how="left", maintain_order="left")
    return np.array(joined["number"].fill_null(float("nan")).to_numpy(), dtype=np.float64)


def _in_polars(source: Any, of: str) -> pl.DataFrame:
    frame: pl.DataFrame = narwhals_table(source, f"table of {of}", eager_only=True).to_polars()
    return frame


def _frame_of(path: Path) -> pl.DataFrame:
    inside = Path(plain_name(path)).suffix.lower()
    if inside in SUFFIXES:
        with columnar(path):
            return read_checked(path) if inside in (".parquet", ".pq") else pl.read_ipc(path)
    head = read_head(path, 4096).split(b"\n", 1)[0]
    separator = max("\t;,|", key=lambda mark: head.count(mark.encode()))
    return text_frame(path, separator=separator)


def _id_of(frame: pl.DataFrame, of: Literal["items", "users"], source: str) -> str:
    role = "item" if of == "items" else "user"
    usual = [name for name in frame.columns if folded(name) in (*USUAL[role], "id")]
    plain = [name for name in usual if folded(name).endswith("id") or folded(name) in _IDS]
    candidates = plain or usual  # beside item_id, a column `item` or `song` is a name
    if not candidates:
        raise InputError(f"there is no column of {role} ids", file=source, found=frame.columns, hint="pass id=<column>")
    if len(candidates) > 1:
        hint = f"pass id={candidates[0]} or id={candidates[1]}, or leave the other out"
        raise InputError(f"several columns could be the {role} ids", file=source, found=candidates, hint=hint)
    return candidates[0]


def _named(frame: pl.DataFrame, role: str) -> str | None:
    """The column that has one of a role's usual names."""
    return next((name for usual in USUAL[role] for name in frame.columns if folded(name) == usual), None)
