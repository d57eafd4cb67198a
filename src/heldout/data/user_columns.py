"""Columns of a table of users: what users may be weighed by beside their ratings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from heldout.data.delimited import text_frame
from heldout.data.parquet import columnar
from heldout.data.parquet_check import read_checked
from heldout.data.paths import checked_file
from heldout.data.sources import file_digest, plain_name
from heldout.errors import InputError, UnknownNameError
from heldout.tables.arrays import Float64
from heldout.tables.side import number_column

ID = "user_id"


def user_column(path: str | Path, column: str, users: pl.Series) -> Float64:
    """The numbers of a column for these users, in their order; NaN for a user whom the table does not hold."""
    table = _read(Path(path))
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


def table_digest(path: str | Path) -> str:
    """sha256 of a table of users."""
    return file_digest(path)


def _read(path: Path) -> pl.DataFrame:
    file = checked_file(path)
    if file.suffix == ".parquet":
        with columnar(file):
            return read_checked(file)
    return text_frame(file, separator="\t" if Path(plain_name(file)).suffix == ".tsv" else ",")
