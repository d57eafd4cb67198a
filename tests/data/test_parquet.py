"""Files of columns."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from heldout import read
from heldout.errors import InputError


@pytest.mark.parametrize("ending", ["parquet", "feather", "arrow"])
def test_columnar_files(tmp_path: Path, ending: str) -> None:
    frame = pl.DataFrame(
        {
            "extra": [0, 0],
            "user_id": ["007", "8"],
            "item_id": [3, 4],
            "rating": [5, 4],
            "timestamp": pl.Series([1_000_000_000_000, 0]).cast(pl.Datetime("ms")),
        }
    )
    path = tmp_path / f"r.{ending}"
    frame.write_parquet(path) if ending == "parquet" else frame.write_ipc(path)
    found = read(path)
    assert found.users.ids.tolist() == ["007", "8"]
    assert found.value.tolist() == [5.0, 4.0]
    assert found.time is not None and found.time.tolist() == [1_000_000_000, 0]
    with pytest.raises(InputError, match="no column 'who' for the user; found extra, user_id"):
        read(path, user="who")


def test_a_parquet_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "r.parquet").write_text("user,item\n1,2\n")
    with pytest.raises(InputError, match="not a readable Parquet file"):
        read(tmp_path / "r.parquet")
