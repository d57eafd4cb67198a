"""Columns in files are the same numbers, and leave no file behind."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from heldout.errors import WriteError
from heldout.tables import Interactions, Vocabulary
from heldout.tables.mapped import let_go, mapped


def ratings(rows: int = 6, **columns: object) -> Interactions:
    user, item = np.divmod(np.arange(rows), 3)
    return Interactions.build(
        Vocabulary.numbered(rows), Vocabulary.numbered(3), user, item, np.linspace(1, 5, rows), **columns
    )  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float64])
def test_numbers_stay_the_same_also_after_they_were_let_go(tmp_path: Path, dtype: type[np.generic]) -> None:
    numbers = np.arange(100_000).astype(dtype)
    column = mapped(numbers, tmp_path)
    assert column.dtype == dtype and not column.flags.writeable and np.array_equal(column, numbers)
    let_go(column)
    let_go(column[3:7])
    assert np.array_equal(column, numbers)
    assert not list(tmp_path.iterdir())


def test_columns_in_memory_and_none_are_left_alone() -> None:
    numbers = np.arange(5)
    let_go(numbers)
    let_go(None)
    assert numbers.tolist() == [0, 1, 2, 3, 4]
    assert mapped(numbers[:0]).tolist() == []


def test_ratings_on_disk_are_the_same_ratings(tmp_path: Path) -> None:
    data = ratings(time=np.arange(6), utility=np.arange(6) / 2)
    on_disk = data.on_disk(tmp_path)
    assert on_disk.digest == data.digest and on_disk.nbytes == data.nbytes
    chosen = np.array([True, False, True, True, False, True])
    assert on_disk.select(chosen).digest == data.select(chosen).digest
    assert on_disk.select(np.flatnonzero(chosen)).digest == data.select(chosen).digest
    assert not on_disk.select(chosen).value.flags.writeable


def test_where_no_file_can_be_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteError, match="file"):
        ratings().on_disk(tmp_path / "file")
