"""Columns by role of Parquet and Arrow files."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from heldout.data.column_table import FrameOrigin, Table
from heldout.data.columns import Wanted, by_name
from heldout.data.parquet_check import refuse_damaged
from heldout.data.paths import checked_file
from heldout.data.sources import enough_memory, plain_name, read_bytes, read_head
from heldout.errors import InputError
from heldout.progress import file_reading

_ARROW = (".arrow", ".feather", ".ipc")
SUFFIXES = (".parquet", ".pq", *_ARROW)
"""Name endings of columnar files."""


class _Columns(Mapping[str, pl.Series]):
    """Columns that are read when they are asked for and not kept: a large file never stands in memory whole."""

    def __init__(self, source: Path | io.BytesIO, labels: dict[str, str], *, arrow: bool, file: Path) -> None:
        self._source, self._labels, self._arrow, self._file = source, labels, arrow, file

    def __getitem__(self, role: str) -> pl.Series:
        name = self._labels[role]
        if isinstance(self._source, io.BytesIO):
            self._source.seek(0)
        with file_reading(self._file), columnar(self._file):
            if self._arrow:
                return pl.read_ipc(self._source, columns=[name]).to_series()
            return pl.read_parquet(self._source, columns=[name]).to_series().rechunk()

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)


def read_columns(path: str | Path, wanted: Wanted, required: tuple[str, ...]) -> Table:
    """The wanted columns of a Parquet or Arrow (Feather) file; others are not read."""
    file_path = checked_file(path)
    read_head(file_path, 200)  # a pointer to the file is refused as such
    inside = Path(plain_name(file_path)).suffix.lower()
    plain = file_path.suffix.lower() == inside and file_path.is_file()
    source = file_path if plain else io.BytesIO(read_bytes(file_path))
    arrow = inside in _ARROW
    if not arrow:
        refuse_damaged(source, (), name=file_path)
    with columnar(file_path):
        schema = pl.read_ipc_schema(source) if arrow else pl.read_parquet_schema(source)
    places = by_name(list(schema), wanted, required, file=file_path)
    labels = {role: list(schema)[k] for role, k in places.items()}
    if not arrow:
        refuse_damaged(source, labels.values(), name=file_path)
    columns = _Columns(source, labels, arrow=arrow, file=file_path)
    return Table(columns=columns, labels=labels, origin=FrameOrigin(str(path)), header=tuple(schema))


@contextmanager
def columnar(file: Path) -> Iterator[None]:
    """Make an InputError of whatever polars does with a damaged file of columns; it panics over some."""
    try:
        with enough_memory(file):
            yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        kind = "an Arrow file" if Path(plain_name(file)).suffix.lower() in _ARROW else "a Parquet file"
        why = next(iter(str(error).splitlines()), type(error).__name__)
        raise InputError(f"cannot read the file ({why[:200]})", file=file, expected=kind) from None
