"""Rows by range of shards: all of them, each user in one range, in the order they came."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.experiment.stream.sharded import evaluated, write

from heldout.data.parquet_files import open_files
from heldout.experiment.stream.partition import partition, range_rows, ranges_needed
from heldout.tables import Vocabulary
from heldout.tables.id_hash import GROUPS, SHARDS, groups_of, hash_ids


@pytest.mark.parametrize("text", [False, True])
def test_every_row_is_in_the_range_of_its_user(tmp_path: Path, text: bool) -> None:
    test = evaluated(text=text).test
    pattern = write(test, tmp_path / "test", 3)
    files = open_files(pattern, {"user": "auto", "item": "auto", "value": "auto"}, ("user", "item"))
    items = Vocabulary.of(test["item"])
    partition(files, ("user", "item", "value"), items, 8, tmp_path / "scratch")
    pieces = []
    for place in range(8):
        rows = range_rows(tmp_path / "scratch", place)
        assert rows is not None
        assert set((groups_of(hash_ids(rows["user"])) // (GROUPS // 8)).tolist()) == {place}
        pieces.append(rows.with_columns(item=items.decode(rows["item"].to_numpy())))
    columns = ["user", "item", "rating"]
    together = pl.concat(pieces).rename({"value": "rating"}).sort(columns)
    assert together.equals(test.with_columns(pl.col("rating").cast(pl.Float64)).sort(columns))


def test_one_range_keeps_the_order_and_a_missing_one_is_none(tmp_path: Path) -> None:
    rows = pl.DataFrame({"user": [3, 1, 3], "item": [1, 1, 0], "score": [0.0, 1.0, 2.0]})
    rows.write_parquet(tmp_path / "r.parquet")
    files = open_files(tmp_path / "r.parquet", {"user": "auto", "item": "auto", "score": "auto"}, ("user", "item"))
    partition(files, ("user", "item", "score"), Vocabulary.numbered(2), 1, tmp_path / "scratch")
    own = range_rows(tmp_path / "scratch", 0)
    assert own is not None
    assert own.to_dict(as_series=False) == rows.to_dict(as_series=False)
    assert range_rows(tmp_path / "scratch", 1) is None


def test_numbers_take_half_their_bytes_where_no_digit_is_lost(tmp_path: Path) -> None:
    columns = {"user": "auto", "item": "auto", "score": "auto"}
    blocks = {
        "exact": ([3, 1], [0.5, 2.0], pl.Int32, pl.Float32),
        "wide": ([2**40, -(2**31) - 1], [0.1, 1e300], pl.Int64, pl.Float64),
    }
    for name, (users, scores, of_user, of_score) in blocks.items():
        pl.DataFrame({"user": users, "item": [0, 1], "score": scores}).write_parquet(tmp_path / f"{name}.parquet")
        files = open_files(tmp_path / f"{name}.parquet", columns, ("user", "item"))
        partition(files, ("user", "item", "score"), Vocabulary.numbered(2), 1, tmp_path / name)
        rows = range_rows(tmp_path / name, 0)
        assert rows is not None
        assert (rows["user"].to_list(), rows["score"].to_list()) == (users, scores)
        assert (rows["user"].dtype, rows["score"].dtype) == (of_user, of_score)
        for file in (tmp_path / name / "0000").iterdir():  # a range of both kinds of blocks
            (tmp_path / "both" / "0000").mkdir(parents=True, exist_ok=True)
            file.rename(tmp_path / "both" / "0000" / f"{name}.arrow")
    both = range_rows(tmp_path / "both", 0)
    assert both is not None
    assert both["user"].to_list() == [3, 1, 2**40, -(2**31) - 1]
    assert both["score"].to_list() == [0.5, 2.0, 0.1, 1e300]


def test_ranges_are_as_many_as_memory_asks_for() -> None:
    assert [ranges_needed(rows, 100) for rows in (1, 100, 101, 800, 801)] == [1, 1, 2, 8, 16]
    assert ranges_needed(10**12, 1) == SHARDS
