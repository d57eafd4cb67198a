"""Which column is which: by name, by place, and columns that are not what they are taken for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.data.files import csv_log, log_of, rows, write
from tests.refusals import refused

import heldout as ho
from heldout import InputError, make, read
from heldout.data.runs import read_run
from heldout.errors import UNKNOWN


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
    with refused(InputError, column="usr", found=["user", "item", "rating"], hint="did you mean user?"):
        csv_log(tmp_path, "user,item,rating\na,x,5\n", user="usr")
    with refused(InputError, column="who", found=UNKNOWN, hint="header=true"):
        csv_log(tmp_path, "1,2,3\n", user="who", header=False)
    with refused(InputError, found=3, expected="at least 7 columns", hint="separator"):
        csv_log(tmp_path, "1,2,3\n", item="7")


@pytest.mark.parametrize(
    ("columns", "role", "first", "second"),
    [
        ({"user": [1], "user_id": [2], "item": [3]}, "user", "user", "user_id"),
        ({"userId": [1], "session_id": [2], "item": [3]}, "user", "userId", "session_id"),
        ({"user": [1], "item": [3], "movieId": [4]}, "item", "item", "movieId"),
        ({"user": [1], "item": [3], "rating": [4], "count": [5]}, "value", "rating", "count"),
        ({"user": [1], "item": [3], "date": [4], "timestamp": [5]}, "time", "date", "timestamp"),
    ],
)
def test_columns_that_could_both_be_meant_are_for_the_caller_to_choose(
    columns: dict[str, Any], role: str, first: str, second: str
) -> None:
    with refused(InputError, found=[first, second], hint=f"{role}={first} or {role}={second}"):
        read(columns)


def test_a_choice_between_columns(tmp_path: Path) -> None:
    both = {"user": [1], "user_id": [2], "item": [3]}
    assert read(both, user="user_id").users.ids.tolist() == [2]
    with refused(InputError, found=["user_id", "userId"], hint="user=user_id or user=userId"):
        read({"user_id": [1], "userId": [2], "item": [3]}, user="USERID")
    twice = write(tmp_path / "twice.csv", "user,user,item,rating\n1,2,3,4\n")
    with refused(InputError, file="twice.csv", column="user", hint="different names"):
        read(twice)
    atomic = write(tmp_path / "a.inter", "session_id:token\tuser_id:token\titem_id:token\n5\t1\t7\n")
    with refused(InputError, file="a.inter", found=["session_id:token", "user_id:token"]):
        read(atomic)
    assert rows(make("reader", f'recbole("{atomic}", user=user_id)').read()) == [(1, 7, 1.0)]


def test_strange_names_above_numbers_are_no_row(tmp_path: Path) -> None:
    (tmp_path / "clicks.csv").write_text("wer,was\n1,2\n1,3\n2,3\n")
    with refused(ho.InputError, file="clicks.csv", found=["wer", "was"], hint="pass user=<column>"):
        ho.read(tmp_path / "clicks.csv")
    assert len(ho.read(tmp_path / "clicks.csv", user="wer", item="was")) == 3


@pytest.mark.parametrize("text", ["a,x\nb,y\n", "1,2\n3,4\n", "user,item\n1,2\n3,4\n"])
def test_rows_of_words_or_numbers_stay_rows(tmp_path: Path, text: str) -> None:
    (tmp_path / "clicks.csv").write_text(text)
    assert len(ho.read(tmp_path / "clicks.csv")) == 2


@pytest.mark.parametrize(
    ("text", "shifted"),
    [
        ("0,196,242,3,881250949\n1,186,302,3,891717742\n", "user=2, item=3, value=4, time=5"),
        ("1,196,242,3\n2,186,302,3\n3,22,377,1\n", "user=2, item=3, value=4"),
        ("0\tu7\t242\n1\tu9\t302\n2\tu9\t377\n", "user=2, item=3"),
    ],
)
def test_a_first_column_that_counts_the_rows(tmp_path: Path, text: str, shifted: str) -> None:
    with refused(InputError, hint=f"pass {shifted} if it is an index, or user=1, item=2"):
        log_of(tmp_path, text)
    columns = dict(part.split("=") for part in shifted.split(", "))
    assert log_of(tmp_path, text, **columns).user_id[0] in (196, "u7")
    assert log_of(tmp_path, text, user="1", item="2").user_id[0] in (0, 1)


def test_users_of_one_row_each_are_no_index(tmp_path: Path) -> None:
    assert rows(log_of(tmp_path, "0\t25\t5\t978824351\n1\t133\t3\t978300174\n2\t207\t4\t978298504\n"))[1] == (1, 133, 3.0)
    assert rows(log_of(tmp_path, "1,10,4.5,100\n2,20,3,200\n3,30,5,300\n"))[0] == (1, 10, 4.5)
    assert rows(log_of(tmp_path, "1,10,4\n2,20,3\n3,30,5\n"))[0] == (1, 10, 4.0)


def test_the_index_of_a_run(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("0,196,242,0.9\n1,196,302,0.8\n2,22,377,0.7\n")
    with refused(InputError, found=0, hint="pass user=2, item=3, score=4 if it is an index"):
        read_run(tmp_path / "r.csv")


def test_swapped_columns_are_noticed(tmp_path: Path) -> None:
    draw = np.random.default_rng(1)
    frame = pl.DataFrame({"user": draw.integers(1, 200, 3000), "item": draw.integers(1, 90, 3000)}).unique(
        maintain_order=True
    )
    frame = frame.with_columns(
        rating=pl.Series(draw.integers(1, 6, frame.height)),
        timestamp=pl.Series(range(978_300_000, 978_300_000 + frame.height)),
    )
    path = tmp_path / "r.csv"
    frame.write_csv(path)
    assert len(read(path)) == frame.height
    with refused(InputError, column="rating", found=199, expected="than users (5)", hint="pass user=user, value=rating"):
        read(path, user="rating", value="user")
    with refused(InputError, column="rating", found=89, expected="than items (5)", hint="pass item=item, value=rating"):
        read(path, item="rating", value="item", duplicates="latest")
    with refused(InputError, column="timestamp", found="978300000", hint="pass value=rating, time=timestamp"):
        read(path, value="timestamp", time="rating")


def test_play_counts_of_few_users_are_not_taken_for_ids() -> None:
    n = 40
    data = read({"user": [1] * n + [2] * n, "item": list(range(n)) * 2, "plays": list(range(2 * n))})
    assert (data.n_users, len(data)) == (2, 2 * n)
