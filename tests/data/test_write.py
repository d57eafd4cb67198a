"""What is written is read back."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.data.files import write

from heldout.data.read import read
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


def test_an_ending_that_is_not_known(tmp_path: Path) -> None:
    data = read({"user": ["a b"], "item": [3], "rating": [1.5]})
    with pytest.raises(SpecError, match=r"cannot write ratings as '\.xls'.*use \.parquet"):
        write_ratings(data, tmp_path / "r.xls")
    with pytest.raises(SpecError, match="ids with blanks"):
        write_ratings(data, tmp_path / "r.qrels")
    write(tmp_path / "file", "")
    with pytest.raises(WriteError, match="cannot be written"):
        write_ratings(data, tmp_path / "file" / "r.csv")
