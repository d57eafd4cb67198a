"""What is seen of all rows at once."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from tests.refusals import refused

from heldout.data.parquet_files import open_files
from heldout.errors import InputError
from heldout.experiment.stream.inspection import inspect

RATED = {"user": "auto", "item": "auto", "value": "auto"}
RUN = {"user": "auto", "item": "auto", "score": "auto"}


def test_items_ratings_and_rows_are_counted(tmp_path: Path) -> None:
    pl.DataFrame({"user": [1, 1, 2], "item": [7, 3, 7], "rating": [5.0, 2.0, 5.0]}).write_parquet(tmp_path / "t.parquet")
    pl.DataFrame({"user": [1, 2], "item": [3, 9], "score": [1.0, 2.0]}).write_parquet(tmp_path / "r.parquet")
    test = open_files(tmp_path / "t.parquet", RATED, ("user", "item"))
    run = open_files(tmp_path / "r.parquet", RUN, ("user", "item"))
    seen = inspect(test, None, {"A": run})
    assert seen.items.ids.tolist() == [3, 7, 9]
    assert [part.tolist() for part in seen.grades] == [[2.0, 5.0], [1, 2]]
    assert seen.test.of_items(3).tolist() == [1, 2, 0]
    assert seen.test.of_items(3, seen.test.value).tolist() == [2, 10, 0]
    assert seen.listed["A"].tolist() == [True, False, True]
    assert seen.catalogue_size("A") == 3
    assert seen.rows == {"test set": 3, "A": 2}


def test_without_ratings_each_is_1_and_a_bad_one_names_its_file(tmp_path: Path) -> None:
    pl.DataFrame({"user": [1, 1], "item": [7, 3]}).write_parquet(tmp_path / "t.parquet")
    test = open_files(tmp_path / "t.parquet", RATED, ("user", "item"))
    assert [part.tolist() for part in inspect(test, None, {}).grades] == [[1.0], [2]]
    pl.DataFrame({"user": [1], "item": [7], "rating": [float("inf")]}).write_parquet(tmp_path / "u.parquet")
    bad = open_files(tmp_path / "u.parquet", RATED, ("user", "item"))
    with refused(InputError, file="u.parquet", column="rating", expected="a finite number"):
        inspect(bad, None, {})
    pl.DataFrame({"user": [1], "item": [None], "rating": [1.0]}, schema_overrides={"item": pl.Int64}).write_parquet(
        tmp_path / "v.parquet"
    )
    with refused(InputError, file="v.parquet", column="item", expected="an id"):
        inspect(open_files(tmp_path / "v.parquet", RATED, ("user", "item")), None, {})
