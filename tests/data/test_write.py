"""What is written is read back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.data.files import write

from heldout import read
from heldout.data.write import FORMATS, write_ratings
from heldout.errors import SpecError, WriteError


@pytest.mark.parametrize("ending", sorted(FORMATS))
def test_what_is_written_is_read_back(tmp_path: Path, ending: str) -> None:
    data = read({"user": ["a", "b", "b"], "item": [3, 1, 3], "rating": [1.5, 2.0, 4.0], "timestamp": [5, 6, 7]})
    path = write_ratings(data, tmp_path / f"r{ending}")
    again = read(path)
    assert (
        again.to_polars()
        .select("user_id", "item_id", "value")
        .equals(data.to_polars().select("user_id", "item_id", "value"))
    )
    if ending != ".qrels":
        assert again.digest == data.digest


@pytest.mark.parametrize("ending", sorted(set(FORMATS) - {".qrels"}))
@pytest.mark.parametrize(
    "times",
    [
        pl.Series([1_465_000_000_123, 1_465_000_000_124, 1_465_000_000_125]),
        pl.Series([1_465_000_000_123_456, 1_465_000_000_123_457, 1_465_000_000_123_458]),
        pl.Series([1_465_000_000_123_456_789, 1_465_000_000_123_456_790, 1_465_000_000_123_456_791]),
        pl.Series([5, 200_000_000, 7]).cast(pl.Datetime("ms")),  # numbers that would be seconds
        pl.Series([-1, 2, 10**12]).cast(pl.Datetime("us")),
        pl.Series([1, 2, 3]).cast(pl.Datetime("ns")),
        pl.Series([1_999_000, 2_000_000, 2_001_000]).cast(pl.Datetime("ms")),  # seconds that look like years
    ],
)
def test_times_are_read_back_in_their_unit(tmp_path: Path, ending: str, times: pl.Series) -> None:
    data = read({"user": ["a", "b", "b"], "item": [3, 1, 3], "rating": [1.5, 2.0, 4.0], "timestamp": times})
    again = read(write_ratings(data, tmp_path / f"r{ending}"))
    assert again.time_unit == data.time_unit
    assert again.digest == data.digest
    if data.time_unit != "s":
        assert read(data.to_polars()).digest == data.digest


def test_milliseconds_stay_numbers_in_texts(tmp_path: Path) -> None:
    data = read({"user": ["a"], "item": [3], "timestamp": [1_465_000_000_123]})
    assert write_ratings(data, tmp_path / "r.csv").read_text() == "user_id,item_id,rating,timestamp\na,3,1.0,1465000000123\n"
    part = data.select(np.array([], dtype=np.int64))
    assert part.time_unit == "ms"


def test_an_ending_that_is_not_known(tmp_path: Path) -> None:
    data = read({"user": ["a b"], "item": [3], "rating": [1.5]})
    with pytest.raises(SpecError, match=r"cannot write ratings as '\.xls'.*use \.parquet"):
        write_ratings(data, tmp_path / "r.xls")
    with pytest.raises(SpecError, match="ids with blanks"):
        write_ratings(data, tmp_path / "r.qrels")
    write(tmp_path / "file", "")
    with pytest.raises(WriteError, match="cannot be written"):
        write_ratings(data, tmp_path / "file" / "r.csv")
