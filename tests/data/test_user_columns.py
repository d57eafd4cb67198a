"""Columns of a table of users, in the order of those who are weighed."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from heldout.data.user_columns import table_digest, user_column
from heldout.errors import InputError, UnknownNameError

ROWS = {"user_id": [3, 1, 2], "age": [30, None, 20]}


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_numbers_follow_the_users_and_not_the_table(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"users.{ending}"
    frame = pl.DataFrame(ROWS)
    frame.write_parquet(path) if ending == "parquet" else frame.write_csv(path, separator="\t" if ending == "tsv" else ",")
    expected = [20, np.nan, 30, np.nan]  # 1 has no age, 9 is not in the table
    np.testing.assert_array_equal(user_column(path, "age", pl.Series([2, 1, 3, 9])), expected)
    np.testing.assert_array_equal(user_column(path, "age", pl.Series(["2", "1", "3", "9"])), expected)
    assert table_digest(path) == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("id,age\n1,2\n", "age", "has no column 'user_id' to tell users by; found id, age"),
        ("user_id,age\n1,2\n1,3\n", "age", "holds user 1 twice"),
        ("user_id,age\n1,old\n", "age", "holds something that is no number"),
        ("", "age", "cannot be parsed"),
    ],
)
def test_what_is_wrong_with_a_table(text: str, column: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "users.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        user_column(path, column, pl.Series([1]))


def test_ids_are_read_as_in_ratings(tmp_path: Path) -> None:
    path = tmp_path / "users.tsv.gz"
    path.write_bytes(gzip.compress('user_id\tage\n007 \t 1\n\u00a07\t2\n" 7"\t3\n7\t \n'.encode()))
    users = pl.Series(["007", "\u00a07", " 7", "7"])
    np.testing.assert_array_equal(user_column(path, "age", users), [1, 2, 3, np.nan])


def test_a_column_that_there_is_not_and_no_table(tmp_path: Path) -> None:
    path = tmp_path / "users.csv"
    path.write_text("user_id,age\n1,2\n")
    with pytest.raises(UnknownNameError, match="unknown column 'agee'; did you mean age"):
        user_column(path, "agee", pl.Series([1]))
    with pytest.raises(InputError, match="no such table of users"):
        table_digest(tmp_path / "nowhere.csv")
