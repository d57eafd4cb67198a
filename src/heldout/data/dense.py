"""Ratings as a matrix: one line per user, one field per item, a mark where there is no rating."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from heldout.data.dialect import Dialect
from heldout.data.sources import read_bytes
from heldout.errors import InputError
from heldout.tables import Log
from heldout.tables.arrays import Float64


def dense_matrix(path: str | Path, separator: str) -> Float64:
    """The numbers of a text, a line a row; InputError names the line and the column of what is no number."""
    text = read_bytes(path).removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    dialect = Dialect(separator, quoted=False)
    flat, mark = dialect.flattened(text)
    if not flat.strip():
        raise InputError("this file is empty", file=path)
    width = len(dialect.split(flat.split(b"\n", 1)[0].decode("utf-8", "replace")))
    for number, line in enumerate(flat.rstrip(b"\n").split(b"\n"), start=1):
        if line.count(mark.encode()) != width - 1:
            raise InputError(
                f"{line.count(mark.encode()) + 1} fields where the first line has {width}", file=path, line=number
            )
    frame = pl.read_csv(flat, separator=mark, has_header=False, infer_schema=False, quote_char=None)
    made = frame.select(pl.all().str.strip_chars().cast(pl.Float64, strict=False)).to_numpy()
    bad = ~np.isfinite(made)
    if bad.any():
        row, column = (int(k) for k in np.argwhere(bad)[0])
        raise InputError(
            f"'{frame[row, column]}' is not a finite number ({int(bad.sum())} such fields)",
            file=path,
            line=row + 1,
            column=str(column + 1),
        )
    return np.asarray(made, dtype=np.float64)


def log_of_matrix(matrix: Float64, missing: float, source: str, *, first: int = 1) -> Log:
    """The ratings of a matrix; users and items are numbered from `first` on in the order of lines and fields."""
    user, item = np.nonzero(matrix != missing)
    return Log(pl.Series("user", user + first), pl.Series("item", item + first), matrix[user, item], source=source)
