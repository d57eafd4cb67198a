"""Profiles and conversions."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import heldout as ho
from heldout.errors import InputError, SpecError

# --- what the command line does, in Python


def test_profile_is_data_describe(tmp_path: Path) -> None:
    table = {"userId": [1, 1, 2], "what": ["a", "b", "a"], "rating": [5, 3, 4]}
    described = ho.profile(ho.read(table, item="what"), ["positive(4)"])
    assert [label for label, _ in described.steps] == ["as read", "positive(threshold=4)"] and described.last.ratings == 2
    assert repr(described).startswith("as read: 3 ratings of 2 users and 2 items, 75.000% of all pairs\npositive")
    pl.DataFrame(table).write_csv(tmp_path / "r.csv")
    with pytest.raises(InputError, match="no column for the item"):
        ho.profile(str(tmp_path / "r.csv"))


def test_convert(tmp_path: Path) -> None:
    rows = {"user": [1, 1, 2], "item": ["a", "a", "b"], "rating": [1, 2, 3]}
    converted = ho.convert(rows, tmp_path / "r.parquet", duplicates="sum")
    assert converted.rows == 3 and ho.read(str(tmp_path / "r.parquet")).value.tolist() == [3.0, 3.0]
    with pytest.raises(SpecError):
        ho.convert(rows, tmp_path / "r.odd")
