"""Data sets that LensKit itself saved, where it is installed."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from heldout import read, read_log, read_side
from heldout.data.read import reader_of

pytest.importorskip("lenskit", reason="LensKit is not installed")
pytest.importorskip("pandas", reason="pandas is not installed")


def test_what_lenskit_saves_is_read(tmp_path: Path) -> None:
    import pandas as pd
    from lenskit.data import DatasetBuilder

    rows = {"user_id": [20, 10, 10, 20], "item_id": ["x", "y", "x", "z"], "rating": [4.0, 2.0, 5.0, 1.5]}
    frame = pd.DataFrame(rows | {"timestamp": pd.to_datetime([5, 6, 7, 8], unit="s")})
    builder = DatasetBuilder("both")
    builder.add_interactions("rating", frame, entities=["user", "item"], missing="insert", default=True)
    clicks = pd.DataFrame({"user_id": [10, 10], "item_id": ["z", "z"]})
    builder.add_interactions("click", clicks, entities=["user", "item"], missing="insert", allow_repeats=True)
    builder.build().save(tmp_path / "saved")
    assert reader_of(tmp_path / "saved").key == "lenskit"
    found = read(tmp_path / "saved")
    assert found.digest == read(pl.DataFrame(rows | {"timestamp": [5, 6, 7, 8]})).digest
    assert len(read_side(tmp_path / "saved")) == 3
    again = read_log(f'lenskit("{tmp_path}/saved", interactions=click)')
    assert (again.user_id.to_list(), again.item_id.to_list(), again.time) == ([10, 10], ["z", "z"], None)
