"""Delimited text: what is read, and where it says an error is."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.data.files import csv_log, rows

from heldout.errors import InputError


def test_leading_zeros_make_ids_texts(tmp_path: Path) -> None:
    log = csv_log(tmp_path, "007,1,5\n7,2,5\n")
    assert log.user_id.to_list() == ["007", "7"]
    assert log.item_id.dtype == pl.Int64


def test_blanks_around_ids_are_dropped_unless_quotation_marks_tell(tmp_path: Path) -> None:
    assert rows(csv_log(tmp_path, "user, item, rating\na, x , 5\n")) == [("a", "x", 5.0)]
    assert rows(csv_log(tmp_path, 'user,item,rating\n"a "," x", 5\n')) == [("a ", " x", 5.0)]


def test_utilities_and_other_encodings(tmp_path: Path) -> None:
    log = csv_log(tmp_path, "user,item,value,utility\né,x,1,2.5\n".encode("latin-1"), encoding="latin-1")
    assert log.user_id.to_list() == ["é"]
    assert log.utility is not None and log.utility.tolist() == [2.5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("u,i,rating\n1,2,3\n\n1,3,abc\n1,4,x\n", r"line 4, column 'rating': 'abc' is not a finite number \(2 such rows\)"),
        ("1,2,3\n1,3,nan\n", r"line 2, column 'value': 'nan' is not a finite number"),
        ("1,2,3\n1,3,-inf\n", r"line 2, column 'value': '-inf' is not"),
        ("1,2,3\n1,3,\n", r"line 2, column 'value': an empty field is not"),
        ("1,2,3\n,3,4\n", r"line 2, column 'user': the user id is missing"),
        ("1,2,3,9\n1,4\n1,3,4,9\n", r"line 2: too few fields: 2 where the first line has 4.*comma"),
        ("user,item,rating,tag\n1,2,3,\n1,4,5\n", "line 3: too few fields: 3"),
        ("1,2,3\n1,3,4\n1,4,5,6\n", r"line 3: too many fields: 4 where the first line has 3"),
        ("1,2,3,100\n1,3,4,soon\n", r"line 2, column 'time': 'soon' is not a time; expected seconds"),
        ("1,2,3,2001-01-01\n1,3,4,2001-13-01\n", r"line 2, column 'time': '2001-13-01' is not a time"),
        ("", "this file is empty"),
        ("\n\n", "this file is empty"),
        ("user,item,rating\n", "a header but no row"),
        ("abc\ndef\n", "no separator was found in 'abc'"),
        ("name,item,rating\na,x,5\n", "no column for the user; found name, item, rating"),
        ("user,itm,rating\na,x,5\n", "no column for the item; found user, itm, rating; say item=itm"),
        ("1,2,x\n1,3,4\n", "line 1: neither a row nor a header.*found 1, 2, x"),
        ('user,item,rating\n1,2,3\n1,"3,4\n1,5,6\n', "line 3: a quotation mark is opened and not closed"),
        (b"1,2,3\n1,\xe9,4\n", r"line 2: byte 3 of this line is not UTF-8; say the encoding"),
        ("1,2,3\n".encode("utf-16"), "UTF-16"),
        (b"PAR1\x00\x00", "this is a Parquet file"),
        (b"1\x00,2,3\n", "binary"),
        (" ".join(["1"] * 30) + "\n" + " ".join(["2"] * 30), "no header and 30 columns"),
    ],
)
def test_what_is_wrong_and_where(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        csv_log(tmp_path, text)
    assert "r.txt" in str(caught.value)
