"""Columns that grow hold what they were given, in its order."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from heldout.tables import growing
from heldout.tables.growing import GrowingColumn, GrowingIds


@pytest.mark.parametrize("sizes", [[], [3], [2, 0, 4], [1, 2, 3, 4, 50_000]])
@pytest.mark.parametrize("dtype", [np.float64, np.int64])
def test_rows_follow_one_another_and_no_part_is_changed(sizes: list[int], dtype: type[np.generic]) -> None:
    parts = [np.arange(size).astype(dtype) * (k + 1) for k, size in enumerate(sizes)]
    before = [part.copy() for part in parts]
    column = GrowingColumn()
    for part in parts:
        column.extend(part)
    assert np.array_equal(column.rows, np.concatenate([np.empty(0), *before]))
    assert all(np.array_equal(part, copy) for part, copy in zip(parts, before, strict=True))


@pytest.mark.parametrize(
    ("parts", "dtype"),
    [
        ([[1, 2], [3, 4]], pl.Int32),
        ([[1, 2], [], [-(2**31), 2**31 - 1]], pl.Int32),
        ([[1, 2], [2**31, 4]], pl.Int64),
        ([[2**40], [3, 4, 5]], pl.Int64),
        ([[1], [2]], pl.Int64),
    ],
    ids=["small", "the ends of 4 bytes", "one too large", "a large one first", "few"],
)
def test_many_ids_take_four_bytes_where_all_fit(
    parts: list[list[int]], dtype: type[pl.DataType], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growing, "MANY", 3)
    ids = GrowingIds()
    for part in parts:
        ids.extend(pl.Series(part, dtype=pl.Int64))
    assert ids.series().to_list() == [number for part in parts for number in part] and ids.series().dtype == dtype


def test_numbers_are_texts_beside_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "MANY", 1)
    ids = GrowingIds()
    ids.extend(pl.Series([5, 3]))
    ids.extend(pl.Series(["a", "3"]))
    assert ids.series().to_list() == ["5", "3", "a", "3"]
