"""Rows by user: every source is read once, and written to a scratch folder in ranges of shards that fit into memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heldout.data.parquet_files import ROWS_OF_BLOCK, ParquetFiles
from heldout.storage.files import write_scratch
from heldout.tables import Vocabulary
from heldout.tables.arrays import Int64
from heldout.tables.id_hash import SHARDS, hash_ids

ROWS_AT_ONCE = 1 << 23
"""Rows of all sources that are judged at a time, about 70 bytes of memory each; twice as many take a sixth more time."""


def ranges_needed(rows: int, at_once: int) -> int:
    """Into how many ranges of shards, a power of two, rows are divided so that each holds about `at_once` of them."""
    ranges = 1
    while ranges < SHARDS and ranges * at_once < rows:
        ranges *= 2
    return ranges


def partition(files: ParquetFiles, roles: tuple[str, ...], items: Vocabulary, ranges: int, folder: Path) -> None:
    """Write the rows of a source by range of shards, items as codes; rows of a range keep the order of files and rows.

    Numbers are written in half their bytes where that loses no digit: most of the work is moving them to the disk and back.
    """
    folder.mkdir(parents=True)
    at_once = min(max(ROWS_OF_BLOCK, ranges << 15), 1 << 24)  # many ranges: larger blocks, or files would be tiny
    for number, rows in enumerate(_blocks(files, roles, at_once)):
        coded = rows.with_columns(item=pl.Series(items.encode(rows["item"])))
        of_row, counts = _ranges_of(rows["user"], ranges)
        starts: Int64 = np.concatenate([[0], np.cumsum(counts)])
        by_range = pl.DataFrame([_by_range(column, of_row, starts) for column in coded])
        for place in np.flatnonzero(counts).tolist():
            own = by_range.slice(int(starts[place]), int(counts[place]))
            _write(own, folder / f"{place:04}" / f"{number:06}.arrow")


def _blocks(files: ParquetFiles, roles: tuple[str, ...], at_once: int) -> Iterator[pl.DataFrame]:
    """The rows of all files, `at_once` or more at a time, so that there are few files in the scratch folder."""
    waiting: list[pl.DataFrame] = []
    for _, rows in files.blocks(*roles):
        waiting.append(rows)
        if sum(block.height for block in waiting) >= at_once:
            yield pl.concat(waiting)
            waiting = []
    if waiting:
        yield pl.concat(waiting)


def _ranges_of(users: pl.Series, ranges: int) -> tuple[NDArray[np.uint16], Int64]:
    """The range of every user, and how many rows each has: a range is a share of the shards, so the first bits of hashes."""
    from heldout.kernels.hashing import divide_hashes, divide_numbers

    of_row, counts = np.empty(len(users), dtype=np.uint16), np.zeros(ranges, dtype=np.int64)
    bits = ranges.bit_length() - 1
    if users.dtype.is_integer():
        divide_numbers(users.to_numpy(), bits, of_row, counts)
    else:
        divide_hashes(hash_ids(users), bits, of_row, counts)
    return of_row, counts


def _by_range(column: pl.Series, of_row: NDArray[np.uint16], starts: Int64) -> pl.Series:
    """A column in the order of ranges; numbers in 32 bits where these hold all of them."""
    from heldout.kernels.hashing import order_by_group, scatter

    if not column.dtype.is_numeric():
        order = np.empty(len(of_row), dtype=np.uint32)
        order_by_group(of_row, starts[:-1].copy(), order)
        return column.gather(pl.Series(order))
    values = column.to_numpy()
    small = np.empty(len(values), np.float32 if column.dtype.is_float() else np.int32)
    if scatter(values, of_row, starts[:-1].copy(), small):
        return pl.Series(column.name, small)
    large = np.empty_like(values)
    scatter(values, of_row, starts[:-1].copy(), large)
    return pl.Series(column.name, large)


def _write(rows: pl.DataFrame, path: Path) -> None:
    write_scratch(path, rows.write_ipc_stream)


def range_rows(folder: Path, place: int) -> pl.DataFrame | None:
    """The rows of a source that are in a range of shards, numbers in 32 or 64 bits; None where there is none."""
    files = sorted(_files(folder / f"{place:04}"))
    if not files:
        return None
    return pl.concat([pl.read_ipc_stream(file) for file in files], how="vertical_relaxed", rechunk=True)


def _files(folder: Path) -> Iterator[Path]:
    return folder.glob("*.arrow") if folder.is_dir() else iter(())
