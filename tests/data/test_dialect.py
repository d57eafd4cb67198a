"""Headers, quotation marks and encodings."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.data.files import csv_log, rows

from heldout.data.dialect import first_lines
from heldout.errors import InputError


def test_blank_lines_byte_order_mark_and_quotes(tmp_path: Path) -> None:
    text = b'\xef\xbb\xbf\n"user", "item","rating"\n\n"a, b",x,5\n   \n"c ""d""",y,4\n\n'
    assert rows(csv_log(tmp_path, text)) == [("a, b", "x", 5.0), ('c "d"', "y", 4.0)]


def test_a_quotation_mark_inside_a_field_of_a_tab_file_is_a_character(tmp_path: Path) -> None:
    assert rows(csv_log(tmp_path, 'a\t5" disc\t3\nb\ty\t4\n')) == [("a", '5" disc', 3.0), ("b", "y", 4.0)]


def test_an_open_quotation_mark_never_swallows_rows(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 3, column 'item': a quoted id goes on over the end of the line"):
        csv_log(tmp_path, 'user,item,rating\n1,2,3\n1,"3,4\n1,5,6\n1,7",8\n')


def test_backslashes_before_quotation_marks(tmp_path: Path) -> None:
    escaped = '"user";"item";"rating"\n"1";"\\"04\\"";"6"\n"2";"5";"7"\n'
    assert rows(csv_log(tmp_path, escaped)) == [(1, '"04"', 6.0), (2, "5", 7.0)]
    at_the_end = '"user";"item";"rating"\n"1";"a\\";"6"\n'
    assert rows(csv_log(tmp_path, at_the_end)) == [(1, "a\\", 6.0)]


def test_first_lines_are_whole_and_of_the_first_megabyte() -> None:
    assert first_lines(b"\n a\r\n\xc3\xa9\n\nb", 2) == [" a", "\u00e9"]
    assert first_lines(b"a\n" + b"x" * (1 << 20) + b"\nb\n", 3) == ["a"]
    assert first_lines(b"", 3) == []
