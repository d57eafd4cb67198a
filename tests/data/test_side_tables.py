"""Tables of items and of users."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.data.files import write
from tests.refusals import refused

from heldout import InputError, UnknownNameError, read, read_side
from heldout.data.side import user_column
from heldout.data.sources import file_digest


def test_side_tables(tmp_path: Path) -> None:
    side = read_side({"item_id": [3, 1], "genres": ["A|B", ""]})
    vocabulary = read({"user": [1, 1, 1], "item": [1, 2, 3], "rating": [1, 1, 1]}).items
    assert side.aligned(vocabulary)["genres"].to_list() == ["", None, "A|B"]
    found = side.features("genres", vocabulary)
    assert (found.names, found.indptr.tolist(), found.feature.tolist()) == (("A", "B"), [0, 0, 0, 2], [0, 1])
    with refused(InputError, file="table of items", column="item", found=7, expected="one row for each id"):
        read_side({"item": [7, 7], "x": [1, 2]})
    path = write(tmp_path / "items.csv", 'asin,title\nx,"a, b"\n')
    assert read_side(path).columns["title"].to_list() == ["a, b"]
    with refused(InputError, file=path, found=["asin", "title"], hint="pass id=<column>"):
        read_side(path, of="users")
    named = {"item": ["Toy Story", "Heat"], "item_id": [3, 1], "song": ["a", "b"]}
    assert read_side(named).ids.to_list() == [3, 1]
    with refused(InputError, found=["movieId", "artist_id"], hint="id=movieId or id=artist_id"):
        read_side({"movieId": [1], "artist_id": [2]})
    assert read_side({"movieId": [1], "artist_id": [2]}, id="artist_id").ids.to_list() == [2]
    with refused(InputError, file="simulate", hint="one row for each of the users"):
        read_side("simulate", of="users")
    with refused(InputError, found="int", expected="a table of items"):
        read_side(3)


ROWS = {"user_id": [3, 1, 2], "age": [30, None, 20]}


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_numbers_follow_the_users_and_not_the_table(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"users.{ending}"
    frame = pl.DataFrame(ROWS)
    frame.write_parquet(path) if ending == "parquet" else frame.write_csv(path, separator="\t" if ending == "tsv" else ",")
    expected = [20, np.nan, 30, np.nan]  # 1 has no age, 9 is not in the table
    np.testing.assert_array_equal(user_column(path, "age", pl.Series([2, 1, 3, 9])), expected)
    np.testing.assert_array_equal(user_column(path, "age", pl.Series(["2", "1", "3", "9"])), expected)
    assert file_digest(path) == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("id,age\n1,2\n", {"found": ["id", "age"], "expected": "'user_id'"}),
        ("user_id,age\n1,2\n1,3\n", {"column": "user_id", "found": "1", "expected": "one row for each user"}),
        ("user_id,age\n1,old\n", {"column": "age", "found": "old", "expected": "numbers"}),
        ("", {"expected": "a table"}),
    ],
)
def test_what_is_wrong_with_a_table(text: str, parts: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "users.csv"
    path.write_text(text)
    with refused(InputError, file=path, **parts):
        user_column(path, "age", pl.Series([1]))


def test_ids_are_read_as_in_ratings(tmp_path: Path) -> None:
    path = tmp_path / "users.tsv.gz"
    path.write_bytes(gzip.compress('user_id\tage\n007 \t 1\n\u00a07\t2\n" 7"\t3\n7\t \n'.encode()))
    users = pl.Series(["007", "\u00a07", " 7", "7"])
    np.testing.assert_array_equal(user_column(path, "age", users), [1, 2, 3, np.nan])


def test_a_column_that_there_is_not_and_no_table(tmp_path: Path) -> None:
    path = tmp_path / "users.csv"
    path.write_text("user_id,age\n1,2\n")
    with refused(UnknownNameError, where="users.csv", hint="did you mean age?"):
        user_column(path, "agee", pl.Series([1]))
    with refused(InputError, file="nowhere.csv"):
        file_digest(tmp_path / "nowhere.csv")
