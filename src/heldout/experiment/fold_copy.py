"""A split as plain arrays on disk, from which processes beside this one read it without a copy in memory."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from heldout.tables import Interactions, Split, Vocabulary
from heldout.tables.arrays import frozen
from heldout.writing import write_file

_COLUMNS: dict[str, Any] = {"user": np.int32, "item": np.int32, "value": np.float64, "time": np.int64, "utility": np.float64}


def copy_fold(folder: Path, split: Split, users: Any) -> None:
    """Write train, test and the tested users; the folder appears when it is whole."""
    making = folder.with_name(folder.name + ".tmp")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(parents=True)
    _save(making / "tested.npy", users)
    for name, vocabulary in (("users", split.train.users), ("items", split.train.items)):
        _save_ids(making / f"{name}.arrow", vocabulary)
    for name, part in (("train", split.train), ("test", split.test)):
        for column in _COLUMNS:
            values = getattr(part, column)
            if values is not None:
                _save(making / f"{name}-{column}.npy", values)
    making.rename(folder)


def _save(path: Path, values: Any) -> None:
    def save(temporary: Path) -> None:
        with temporary.open("wb") as stream:  # given a path, numpy would add an ending
            np.save(stream, values)

    write_file(path, save, flush=False)


def _save_ids(path: Path, vocabulary: Vocabulary) -> None:
    frame = pl.DataFrame({"id": vocabulary.series})
    write_file(path, lambda temporary: frame.write_ipc(temporary, compression="uncompressed"), flush=False)


def copied_fold(folder: Path, fold: int) -> tuple[Split, Any]:
    """The split and the tested users, read where they are."""
    users, items = (_vocabulary(folder / f"{name}.arrow") for name in ("users", "items"))
    train, test = (_part(folder, name, users, items) for name in ("train", "test"))
    return Split(train=train, test=test, fold=fold), np.load(folder / "tested.npy")


def _part(folder: Path, name: str, users: Vocabulary, items: Vocabulary) -> Interactions:
    columns = {}
    for column, dtype in _COLUMNS.items():
        path = folder / f"{name}-{column}.npy"
        columns[column] = frozen(np.asarray(np.load(path, mmap_mode="r")), dtype) if path.exists() else None
    return Interactions(users=users, items=items, **columns)  # type: ignore[arg-type]


def _vocabulary(path: Path) -> Vocabulary:
    column = pl.read_ipc(path)["id"]
    ids = np.array(column.to_list(), dtype=object) if column.dtype == pl.String else column.to_numpy().copy()
    ids.flags.writeable = False
    return Vocabulary(ids)
