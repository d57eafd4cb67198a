"""Arrays as columns: each once, small, and read back to the last bit."""

from __future__ import annotations

import numpy as np
import polars as pl

from heldout.experiment.ledger.columns import Columns, closure, names_of, read_columns


def test_arrays_are_told_once_and_small() -> None:
    """10 values that differ from others in one place: only a difference of one byte each is kept; a constant keeps none."""
    columns = Columns()
    first = np.arange(10, dtype=np.int32)
    second = np.where(first == 3, 70_000, first - 1).astype(np.int32)
    numbers = [
        columns.add(first),
        columns.add(first.copy()),
        columns.add(second, like=0, plus=-1),
        columns.add(np.full(7, 4, np.int64)),
        columns.add(np.array([0.5, np.nan])),
        columns.add(np.array([0.1, np.nan])),
        columns.add(np.array([], np.int32)),
        columns.add(np.arange(25, dtype=np.int64)),
    ]
    assert numbers == [0, 0, 1, 2, 3, 4, 5, 6]
    frame, told = columns.frame(10)
    kinds = dict(zip(frame.columns, frame.dtypes, strict=True))
    assert kinds == {
        "0": pl.UInt8,
        "1": pl.UInt32,  # nine zeros and 70,000 − 2
        "3": pl.Float32,  # 0.5 is exact in single precision, 0.1 is not
        "4": pl.Float64,
        "6": pl.UInt8,
        "6.1": pl.UInt8,
        "6.2": pl.UInt8,  # 25 values in columns of 10
    }
    found = read_columns(frame, told, set(numbers))
    for number, array in enumerate(columns.arrays):
        assert found[number].dtype == array.dtype
        np.testing.assert_array_equal(found[number], array)
    assert closure(told, {1}) == {0, 1}
    assert names_of(told, {1, 2}) == ["0", "1"]
