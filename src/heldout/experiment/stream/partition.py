"""Rows by user: every source is read once, and written to a scratch folder in ranges of shards that fit into memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from heldout.data.parquet_files import ParquetFiles
from heldout.tables import Vocabulary
from heldout.tables.arrays import Int64
from heldout.tables.id_hash import SHARDS, hash_ids, shards_of
from heldout.writing import write_file

ROWS_AT_ONCE = 1 << 24
"""Rows of all sources that are judged at a time, about 70 bytes of memory each."""


def ranges_needed(rows: int, at_once: int) -> int:
    """Into how many ranges of shards, a power of two, rows are divided so that each holds about `at_once` of them."""
    ranges = 1
    while ranges < SHARDS and ranges * at_once < rows:
        ranges *= 2
    return ranges


def partition(files: ParquetFiles, roles: tuple[str, ...], items: Vocabulary, ranges: int, folder: Path) -> None:
    """Write the rows of a source by range of shards, items as codes; rows of a range keep the order of files and rows."""
    from heldout.kernels.hashing import order_by_group

    folder.mkdir(parents=True)
    for number, (_, rows) in enumerate(files.blocks(*roles)):
        coded = rows.with_columns(item=pl.Series(items.encode(rows["item"])))
        of_row = (shards_of(hash_ids(rows["user"])) // (SHARDS // ranges)).astype(np.uint16)
        counts = np.bincount(of_row, minlength=ranges)
        starts: Int64 = np.concatenate([[0], np.cumsum(counts)])
        order = np.empty(len(of_row), dtype=np.uint32)
        order_by_group(of_row, starts[:-1].copy(), order)
        sorted_rows = coded[pl.Series(order)] if ranges > 1 else coded
        for place in np.flatnonzero(counts).tolist():
            own = sorted_rows.slice(int(starts[place]), int(counts[place]))
            _write(own, folder / f"{place:04}" / f"{number:06}.arrow")


def _write(rows: pl.DataFrame, path: Path) -> None:
    write_file(path, lambda temporary: rows.write_ipc(temporary), make_folder=True, flush=False)


def range_rows(folder: Path, place: int) -> pl.DataFrame | None:
    """The rows of a source that are in a range of shards; None where there is none."""
    files = sorted(_files(folder / f"{place:04}"))
    if not files:
        return None
    return pl.concat([pl.read_ipc(file) for file in files], rechunk=True)


def _files(folder: Path) -> Iterator[Path]:
    return folder.glob("*.arrow") if folder.is_dir() else iter(())
