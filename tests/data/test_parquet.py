"""Parquet and Arrow files: their columns, many of them at once, and in an object store."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.data.object_store import object_store
from tests.refusals import refused

from heldout import InputError, read
from heldout.data.parquet_files import is_remote, open_files


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
    with refused(InputError, column="who", found=frame.columns):
        read(path, user="who")


WANTED = {"user": "auto", "item": "auto", "score": "auto"}


def _write(folder: Path, **files: pl.DataFrame) -> str:
    for name, frame in files.items():
        frame.write_parquet(folder / f"{name}.parquet")
    return str(folder / "*.parquet")


def _rows(**columns: object) -> pl.DataFrame:
    return pl.DataFrame({"user": [1, 2], "item": [5, 6], "score": [0.5, 0.25], **columns})


def test_blocks_hold_all_rows_in_their_order(tmp_path: Path) -> None:
    first = _rows(item=pl.Series([5, 6], dtype=pl.Int32), extra=["x", "y"])
    pattern = _write(tmp_path, a=first, b=_rows(user=[3, 4], score=pl.Series([1.0, 2.0], dtype=pl.Float32)))
    files = open_files(pattern, WANTED, ("user", "item"))
    assert [Path(file).name for file in files.files] == ["a.parquet", "b.parquet"]
    assert files.rows() == 4
    together = pl.concat([rows for _, rows in files.blocks("user", "item", "score")])
    assert together.to_dict(as_series=False) == {"user": [1, 2, 3, 4], "item": [5, 6, 5, 6], "score": [0.5, 0.25, 1.0, 2.0]}


def test_a_file_of_another_schema_is_named(tmp_path: Path) -> None:
    pattern = _write(tmp_path, a=_rows(), b=_rows().rename({"item": "thing"}))
    with refused(InputError, file="b.parquet", column="item", found=["user", "thing", "score"]):
        open_files(pattern, WANTED, ("user", "item"))
    pattern = _write(tmp_path, b=_rows(user=["1", "2"]))
    with refused(InputError, file="b.parquet", column="user", found="texts", expected="whole numbers"):
        open_files(pattern, WANTED, ("user", "item"))


def test_missing_values_and_merging_numbers_are_refused_by_file(tmp_path: Path) -> None:
    for bad, column, expected, hint in (
        (_rows(user=[1, None]), "user", "an id in each row", None),
        (_rows(user=pl.Series([None, None], dtype=pl.Int64)), "user", "an id in each row", "these 2 rows"),
        (_rows(score=[0.5, float("nan")]), "score", "a finite number in each row", None),
    ):
        files = open_files(_write(tmp_path, a=_rows(), b=bad), WANTED, ("user", "item"))
        with refused(InputError, file="b.parquet", column=column, expected=expected, hint=hint):
            list(files.blocks("user", "item", "score"))
    whole = _rows(score=[1, 2**53 + 1])
    files = open_files(_write(tmp_path, a=whole, b=whole), WANTED, ("user", "item"))
    with refused(InputError, column="score", found=2**53, expected=f"below {2**53:,}"):
        list(files.blocks("user", "item", "score"))


def test_files_that_hold_a_pair_are_found(tmp_path: Path) -> None:
    files = open_files(_write(tmp_path, a=_rows(), b=_rows(user=[2, 9])), WANTED, ("user", "item"))
    assert [Path(file).name for file in files.files_with("2", "6")] == ["a.parquet"]
    assert [Path(file).name for file in files.files_with(2, 5)] == ["b.parquet"]


def test_what_is_no_parquet_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_text("user,item\n")
    with refused(InputError, file="a.parquet", expected="a Parquet file"):
        open_files(tmp_path / "a.parquet", WANTED, ("user", "item"))
    with refused(InputError, file="b*.parquet", found=0, expected="at least one matching file"):
        open_files(tmp_path / "b*.parquet", WANTED, ("user", "item"))
    assert is_remote("s3://bucket/a.parquet")
    assert not is_remote(tmp_path)


def test_files_of_an_object_store_are_listed_and_read(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    _write(tmp_path / "run", a=_rows(), b=_rows(user=[3, 4]))
    with object_store(tmp_path) as storage:
        files = open_files("s3://bucket/run/*.parquet", WANTED, ("user", "item"), storage=storage)
        assert files.files == ("s3://bucket/run/a.parquet", "s3://bucket/run/b.parquet")
        assert files.rows() == 4
        assert pl.concat([rows for _, rows in files.blocks("user")])["user"].to_list() == [1, 2, 3, 4]


def test_an_object_store_without_permission_says_so() -> None:
    address = "s3://bucket/run/*.parquet"
    with object_store(None) as storage, refused(InputError, where=address, hint="--storage aws_region=…"):
        open_files(address, WANTED, ("user", "item"), storage=storage)
