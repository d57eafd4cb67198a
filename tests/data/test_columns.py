"""Which column is which."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.data.files import csv_log, rows, write

from heldout import read
from heldout.catalogue import make
from heldout.errors import InputError


@pytest.mark.parametrize(
    "header",
    [
        "user,item,rating",
        "userId,movieId,rating",
        "User-ID,ISBN,Book-Rating",
        "user_id:token,item_id:token,rating:float",
        '"user","item","value"',
    ],
)
def test_usual_names_are_known(tmp_path: Path, header: str) -> None:
    assert rows(csv_log(tmp_path, f"{header}\na,x,5\n")) == [("a", "x", 5.0)]


@pytest.mark.parametrize("name", ["timestamp", "time", "ts", "Date"])
def test_usual_names_of_times(tmp_path: Path, name: str) -> None:
    log = csv_log(tmp_path, f"user,item,rating,{name}\na,x,5,1000000\n")
    assert log.time is not None and log.time.tolist() == [1000000]


def test_columns_in_another_order_are_found_by_name(tmp_path: Path) -> None:
    log = csv_log(tmp_path, "rating\ttimestamp\titem_id\tuser_id\n5\t9\tx\ta\n")
    assert rows(log) == [("a", "x", 5.0)]
    assert log.time is not None and log.time.tolist() == [9]


def test_columns_the_caller_names(tmp_path: Path) -> None:
    text = "who,what,much\na,x,5\n"
    assert rows(csv_log(tmp_path, text, user="who", item="what", value="much")) == [("a", "x", 5.0)]
    assert rows(csv_log(tmp_path, text, user="who", item="what", value=None)) == [("a", "x", 1.0)]


def test_positions_count_from_one_without_a_header(tmp_path: Path) -> None:
    assert rows(csv_log(tmp_path, "5,x,a\n4,y,b\n", user="3", item="2", value="1")) == [("a", "x", 5.0), ("b", "y", 4.0)]


def test_without_a_value_column_every_value_is_one(tmp_path: Path) -> None:
    assert rows(csv_log(tmp_path, "a\tx\nb\ty\n")) == [("a", "x", 1.0), ("b", "y", 1.0)]
    assert rows(csv_log(tmp_path, "user_id\titem_id\n1\t2\n")) == [(1, 2, 1.0)]


def test_a_column_that_is_not_there_suggests_near_ones(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column 'usr' for the user; found user, item, rating; did you mean user"):
        csv_log(tmp_path, "user,item,rating\na,x,5\n", user="usr")
    with pytest.raises(InputError, match="there is no header, so no column 'who'"):
        csv_log(tmp_path, "1,2,3\n", user="who", header=False)
    with pytest.raises(InputError, match="the item would be in column 7, but the first line has 3"):
        csv_log(tmp_path, "1,2,3\n", item="7")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"user": [1], "user_id": [2], "item": [3]},
            "2 columns could be the user: user, user_id; say user=user or user=user_id",
        ),
        ({"userId": [1], "session_id": [2], "item": [3]}, "could be the user: userId, session_id"),
        ({"user": [1], "item": [3], "movieId": [4]}, "could be the item: item, movieId; say item=item or item=movieId"),
        ({"user": [1], "item": [3], "rating": [4], "count": [5]}, "could be the value: rating, count"),
        ({"user": [1], "item": [3], "date": [4], "timestamp": [5]}, "could be the time: date, timestamp"),
    ],
)
def test_columns_that_could_both_be_meant_are_for_the_caller_to_choose(columns: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(columns)


def test_a_choice_between_columns(tmp_path: Path) -> None:
    both = {"user": [1], "user_id": [2], "item": [3]}
    assert read(both, user="user_id").users.ids.tolist() == [2]
    with pytest.raises(InputError, match="2 columns could be the user: user_id, userId"):
        read({"user_id": [1], "userId": [2], "item": [3]}, user="USERID")
    twice = write(tmp_path / "twice.csv", "user,user,item,rating\n1,2,3,4\n")
    with pytest.raises(InputError, match="2 columns are called 'user'; give them different names"):
        read(twice)
    atomic = write(tmp_path / "a.inter", "session_id:token\tuser_id:token\titem_id:token\n5\t1\t7\n")
    with pytest.raises(InputError, match="could be the user: session_id:token, user_id:token"):
        read(atomic)
    assert rows(make("reader", f'recbole("{atomic}", user=user_id)').read()) == [(1, 7, 1.0)]
