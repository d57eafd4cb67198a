"""A table as a Parquet file that knows what it must hold: a changed byte is noticed when it is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from heldout.tables.arrays import digest_of

HEADER = "heldout"


def write_table(frame: pl.DataFrame, path: str | Path, about: dict[str, Any] | None = None) -> None:
    """Write a table, the digest of its columns, and what is to be said about it."""
    told = {"about": about or {}, "sha256": digest_of_frame(frame)}
    frame.write_parquet(path, compression="zstd", statistics=False, metadata={HEADER: json.dumps(told)})


def read_table(path: str | Path) -> tuple[pl.DataFrame, dict[str, Any]]:
    """A table and what was said about it; ValueError where it does not hold what was written."""
    told = json.loads(pl.read_parquet_metadata(path)[HEADER])
    frame = pl.read_parquet(path)
    if digest_of_frame(frame) != told["sha256"]:
        raise ValueError("it does not hold what was written")
    return frame, told["about"]


def digest_of_frame(frame: pl.DataFrame) -> str:
    """sha256 of all columns; texts, which repeat, by their runs."""
    parts: list[Any] = []
    for column in frame.iter_columns():
        parts += [column.name, str(column.dtype)]
        if column.null_count():
            parts.append(column.is_null().to_numpy())
        if column.dtype.is_numeric():
            parts.append(column.fill_null(0).to_numpy())
        elif column.dtype == pl.Boolean:
            parts.append(column.fill_null(value=False).to_numpy())
        else:
            runs = column.cast(pl.String).fill_null("").rle().struct
            parts += [runs.field("len").to_numpy(), np.array(runs.field("value").to_list(), dtype=object)]
    return digest_of(*parts)
