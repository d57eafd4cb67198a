"""Delimited text: what is read, and where it says an error is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from heldout.data.dialect import first_lines
from heldout.data.readers.csv import Csv
from heldout.errors import InputError
from heldout.tables import Log


def read(folder: Path, text: str | bytes, **options: Any) -> Log:
    path = folder / "r.txt"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return Csv(str(path), **options).read()


def rows(log: Log) -> list[tuple[Any, ...]]:
    return list(zip(log.user_id.to_list(), log.item_id.to_list(), log.value.tolist(), strict=True))


@pytest.mark.parametrize("separator", ["\t", ",", ";", "::", "|", " ", " \t  "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_separator_is_found(tmp_path: Path, separator: str, end: str) -> None:
    lines = [separator.join(fields) for fields in (("1", "10", "4.5", "100"), ("2", "20", "3", "200"))]
    log = read(tmp_path, end.join(lines) + end)
    assert rows(log) == [(1, 10, 4.5), (2, 20, 3.0)]
    assert log.time is not None
    assert log.time.tolist() == [100, 200]


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
    assert rows(read(tmp_path, f"{header}\na,x,5\n")) == [("a", "x", 5.0)]


def test_columns_in_another_order_are_found_by_name(tmp_path: Path) -> None:
    log = read(tmp_path, "rating\ttimestamp\titem_id\tuser_id\n5\t9\tx\ta\n")
    assert rows(log) == [("a", "x", 5.0)]
    assert log.time is not None and log.time.tolist() == [9]


def test_columns_the_caller_names(tmp_path: Path) -> None:
    text = "who,what,much\na,x,5\n"
    assert rows(read(tmp_path, text, user="who", item="what", value="much")) == [("a", "x", 5.0)]
    assert rows(read(tmp_path, text, user="who", item="what", value=None)) == [("a", "x", 1.0)]


def test_positions_count_from_one_without_a_header(tmp_path: Path) -> None:
    assert rows(read(tmp_path, "5,x,a\n4,y,b\n", user="3", item="2", value="1")) == [("a", "x", 5.0), ("b", "y", 4.0)]


def test_without_a_value_column_every_value_is_one(tmp_path: Path) -> None:
    assert rows(read(tmp_path, "a\tx\nb\ty\n")) == [("a", "x", 1.0), ("b", "y", 1.0)]
    assert rows(read(tmp_path, "user_id\titem_id\n1\t2\n")) == [(1, 2, 1.0)]


def test_leading_zeros_make_ids_texts(tmp_path: Path) -> None:
    log = read(tmp_path, "007,1,5\n7,2,5\n")
    assert log.user_id.to_list() == ["007", "7"]
    assert log.item_id.dtype == pl.Int64


def test_blanks_around_ids_are_dropped_unless_quotation_marks_tell(tmp_path: Path) -> None:
    assert rows(read(tmp_path, "user, item, rating\na, x , 5\n")) == [("a", "x", 5.0)]
    assert rows(read(tmp_path, 'user,item,rating\n"a "," x", 5\n')) == [("a ", " x", 5.0)]


def test_blank_lines_byte_order_mark_and_quotes(tmp_path: Path) -> None:
    text = b'\xef\xbb\xbf\n"user", "item","rating"\n\n"a, b",x,5\n   \n"c ""d""",y,4\n\n'
    assert rows(read(tmp_path, text)) == [("a, b", "x", 5.0), ('c "d"', "y", 4.0)]


def test_a_quotation_mark_inside_a_field_of_a_tab_file_is_a_character(tmp_path: Path) -> None:
    assert rows(read(tmp_path, 'a\t5" disc\t3\nb\ty\t4\n')) == [("a", '5" disc', 3.0), ("b", "y", 4.0)]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1000000000", 1_000_000_000),
        ("1000000000123", 1_000_000_000),
        ("1000000000.9", 1_000_000_000),
        ("-5", -5),
        ("2001-09-09", 999_993_600),
        ("2001-09-09T01:46:40", 1_000_000_000),
        ("2001-09-09 01:46:40", 1_000_000_000),
        ("2001-09-09T01:46:40.5Z", 1_000_000_000),
        ("2001-09-09T03:46:40+02:00", 1_000_000_000),
    ],
)
def test_times_become_seconds(tmp_path: Path, text: str, seconds: int) -> None:
    log = read(tmp_path, f"1,2,3,{text}\n")
    assert log.time is not None
    assert log.time.dtype == np.int64
    assert log.time.tolist() == [seconds]


def test_utilities_and_other_encodings(tmp_path: Path) -> None:
    log = read(tmp_path, "user,item,value,utility\né,x,1,2.5\n".encode("latin-1"), encoding="latin-1")
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
        read(tmp_path, text)
    assert "r.txt" in str(caught.value)


def test_a_line_number_after_a_quoted_line_break(tmp_path: Path) -> None:
    # The first record takes lines 2 and 3, so the bad one is on line 4.
    with pytest.raises(InputError, match="line 4, column 'rating': 'bad'"):
        read(tmp_path, 'user,item,rating,review\na,x,5,"so\nso"\nc,y,bad,no\n')


def test_an_open_quotation_mark_never_swallows_rows(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 3, column 'item': a quoted id goes on over the end of the line"):
        read(tmp_path, 'user,item,rating\n1,2,3\n1,"3,4\n1,5,6\n1,7",8\n')


def test_backslashes_before_quotation_marks(tmp_path: Path) -> None:
    escaped = '"user";"item";"rating"\n"1";"\\"04\\"";"6"\n"2";"5";"7"\n'
    assert rows(read(tmp_path, escaped)) == [(1, '"04"', 6.0), (2, "5", 7.0)]
    at_the_end = '"user";"item";"rating"\n"1";"a\\";"6"\n'
    assert rows(read(tmp_path, at_the_end)) == [(1, "a\\", 6.0)]


def test_a_column_that_is_not_there_suggests_near_ones(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column 'usr' for the user; found user, item, rating; did you mean user"):
        read(tmp_path, "user,item,rating\na,x,5\n", user="usr")
    with pytest.raises(InputError, match="there is no header, so no column 'who'"):
        read(tmp_path, "1,2,3\n", user="who", header=False)
    with pytest.raises(InputError, match="the item would be in column 7, but the first line has 3"):
        read(tmp_path, "1,2,3\n", item="7")


def test_the_place_of_a_bad_row_far_down(tmp_path: Path) -> None:
    text = "1::2::3::4\n" * 30_000 + "1::2::?::4\n" + "1::2::3::4\n" * 5
    with pytest.raises(InputError, match="line 30001, column 'value'"):
        read(tmp_path, text)


def test_first_lines_are_whole_and_of_the_first_megabyte() -> None:
    assert first_lines(b"\n a\r\n\xc3\xa9\n\nb", 2) == [" a", "\u00e9"]
    assert first_lines(b"a\n" + b"x" * (1 << 20) + b"\nb\n", 3) == ["a"]
    assert first_lines(b"", 3) == []
