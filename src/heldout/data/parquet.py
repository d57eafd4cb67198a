"""Columns by role of Parquet and Arrow files."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl

from heldout.data.columns import Wanted, by_name
from heldout.data.sources import checked_file, plain_name, read_bytes
from heldout.data.typed import FrameOrigin, Table
from heldout.errors import InputError

_ARROW = (".arrow", ".feather", ".ipc")
SUFFIXES = (".parquet", ".pq", *_ARROW)
"""Name endings of columnar files."""


def read_columns(path: str | Path, wanted: Wanted, required: tuple[str, ...]) -> Table:
    """The wanted columns of a Parquet or Arrow (Feather) file; others are not read."""
    found = checked_file(path)
    inside = Path(plain_name(found)).suffix.lower()
    source = found if found.suffix.lower() == inside else io.BytesIO(read_bytes(found))
    arrow = inside in _ARROW
    try:
        schema = pl.read_ipc_schema(source) if arrow else pl.read_parquet_schema(source)
        places = by_name(list(schema), wanted, required, file=found)
        labels = {role: list(schema)[k] for role, k in places.items()}
        names = list(dict.fromkeys(labels.values()))
        if isinstance(source, io.BytesIO):
            source.seek(0)
        frame = pl.read_ipc(source, columns=names) if arrow else pl.read_parquet(source, columns=names)
    except (pl.exceptions.PolarsError, OSError) as error:
        kind = "Arrow" if arrow else "Parquet"
        raise InputError(f"not a readable {kind} file ({str(error).splitlines()[0]})", file=found) from error
    if frame.height == 0:
        raise InputError("this file has no rows", file=found)
    columns = {role: frame[label] for role, label in labels.items()}
    return Table(columns, labels, FrameOrigin(str(path)), header=tuple(schema))
