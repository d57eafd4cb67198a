"""Columns of a table of users: what users may be weighed by beside their ratings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from heldout.data.sources import file_digest
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
    found = pl.DataFrame({ID: table[ID].cast(pl.String), "number": numbers})
    repeated = found[ID].is_duplicated()
    if repeated.any():
        raise InputError(f"holds user {found[ID].filter(repeated)[0]} twice", file=path, hint="one row for each user")
    asked = pl.DataFrame({ID: users.cast(pl.String)})
    joined = asked.join(found, on=ID, how="left", maintain_order="left")
    return np.array(joined["number"].fill_null(float("nan")).to_numpy(), dtype=np.float64)


def table_digest(path: str | Path) -> str:
    """sha256 of a table of users."""
    if not Path(path).exists():
        raise InputError("no such table of users", file=path)
    return file_digest(path)


def _read(path: Path) -> pl.DataFrame:
    try:
        if path.suffix == ".parquet":
            return pl.read_parquet(path)
        return pl.read_csv(path, separator="\t" if path.suffix == ".tsv" else ",", infer_schema_length=None)
    except FileNotFoundError:
        raise InputError("no such table of users", file=path) from None
    except (OSError, pl.exceptions.PolarsError) as error:
        why = next(iter(str(error).splitlines()), type(error).__name__)
        raise InputError(f"cannot be read as a table ({why})", file=path, hint="CSV, TSV or Parquet with a header") from None
