"""Columns of a table of users: what users may be weighed by beside their ratings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from heldout.data.lines import text_frame
from heldout.data.parquet import columnar
from heldout.data.parquet_check import read_checked
from heldout.data.paths import checked_file, status
from heldout.data.sources import file_digest, plain_name
from heldout.errors import InputError, UnknownNameError
from heldout.tables.arrays import Float64

ID = "user_id"


def user_column(path: str | Path, column: str, users: pl.Series) -> Float64:
    """The numbers of a column for these users, in their order; NaN for a user whom the table does not hold."""
    table = _read(Path(path))
    if ID not in table.columns:
        raise InputError(f"has no column '{ID}' to tell users by", file=path, hint=f"found {', '.join(table.columns)}")
    if column not in table.columns:
        raise UnknownNameError("column", column, [c for c in table.columns if c != ID], where=str(path))
    try:
        numbers = table[column].cast(pl.Float64)
    except pl.exceptions.PolarsError:
        raise InputError("holds something that is no number", file=path, column=column) from None
    numbered = pl.DataFrame({ID: table[ID].cast(pl.String), "number": numbers})
    repeated = numbered[ID].is_duplicated()
    if repeated.any():
        raise InputError(f"holds user {numbered[ID].filter(repeated)[0]} twice", file=path, hint="one row for each user")
    wanted = pl.DataFrame({ID: users.cast(pl.String)})
    joined = wanted.join(numbered, on=ID, how="left", maintain_order="left")
    return np.array(joined["number"].fill_null(float("nan")).to_numpy(), dtype=np.float64)


def table_digest(path: str | Path) -> str:
    """sha256 of a table of users."""
    return file_digest(_table_of_users(path))


def _read(path: Path) -> pl.DataFrame:
    file = _table_of_users(path)
    if file.suffix == ".parquet":
        with columnar(file):
            return read_checked(file)
    return text_frame(file, separator="\t" if Path(plain_name(file)).suffix == ".tsv" else ",")


def _table_of_users(path: str | Path) -> Path:
    if status(path) is None:
        raise InputError("no such table of users", file=path)
    return checked_file(path)
