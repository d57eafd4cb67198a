"""Separators that are found, said, or ambiguous."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.data.files import csv_log, log_of, rows

from heldout.data.runs import read_run
from heldout.errors import InputError


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("u;0,i0,1\nu;1,i1,2\n", r"semicolon \(2 fields\)", r"comma \(3 fields\)"),
        ("u i,x 5\nv i,y 4\n", r"comma \(2 fields\)", r"whitespace \(3 fields\)"),
        ("a::b,c,5\nd::e,f,4\n", r":: \(2 fields\)", r"comma \(3 fields\)"),
        ("u\t0,i0,1\n", r"tab \(2 fields\)", r"comma \(3 fields\)"),
        ("u\t0;i0;1\nu\t1;i1;2\n", r"tab \(2 fields\)", r"semicolon \(3 fields\)"),
    ],
)
def test_two_separators_that_could_both_be_meant(tmp_path: Path, text: str, first: str, second: str) -> None:
    with pytest.raises(InputError, match=rf"the separator may be {first} or {second}.*say separator=\S+ or separator=\S+"):
        log_of(tmp_path, text)
    with pytest.raises(InputError, match="the separator may be"):
        read_run(tmp_path / "r.csv")


def test_a_separator_that_is_said_or_plain_is_taken(tmp_path: Path) -> None:
    text = "u;0,i0,1\nu;1,i1,2\n"
    assert rows(log_of(tmp_path, text, separator="comma")) == [("u;0", "i0", 1.0), ("u;1", "i1", 2.0)]
    assert rows(log_of(tmp_path, "user,item,rating\n" + text)) == [("u;0", "i0", 1.0), ("u;1", "i1", 2.0)]
    assert rows(log_of(tmp_path, "a b, x y, 5\nc d, z w, 4\n")) == [("a b", "x y", 5.0), ("c d", "z w", 4.0)]
    assert rows(log_of(tmp_path, "1, 2, 5\n3, 4, 4\n")) == [(1, 2, 5.0), (3, 4, 4.0)]
    assert rows(log_of(tmp_path, "u\ti,0\t5\nv\ti,1\t4\n")) == [("u", "i,0", 5.0), ("v", "i,1", 4.0)]
    dated = log_of(tmp_path, "1\t2\t5\t2004-05-31 12:00:00\n1\t3\t4\t2004-05-31 13:00:00\n")
    assert dated.time is not None and dated.time.tolist() == [1086004800, 1086008400]


@pytest.mark.parametrize("header", ["user\titem\trating\n", "user item rating\n"])
@pytest.mark.parametrize("line", ["1\t\t2\t3\n", "\t1\t2\t3\n", "1\t \t2\t3\n"])
def test_an_empty_field_between_tabs_is_not_left_out(tmp_path: Path, header: str, line: str) -> None:
    text = header + line + "4\t5\t2\n"
    with pytest.raises(
        InputError, match=r"tab \(4 fields\) or whitespace \(3 fields\).*say separator=tab or separator=white"
    ):
        log_of(tmp_path, text)
    assert rows(log_of(tmp_path, text, separator="whitespace")) == [(1, 2, 3.0), (4, 5, 2.0)]
    with pytest.raises(InputError, match="too many fields: 4 where the first line has 3"):
        log_of(tmp_path, header.replace(" ", "\t") + line, separator="tab")
    trailing = log_of(tmp_path, "user\titem\trating\n1\t2\t3\t\n4\t5\t2\t\n")
    assert rows(trailing) == [(1, 2, 3.0), (4, 5, 2.0)]


def test_a_control_character_is_no_separator(tmp_path: Path) -> None:
    assert rows(log_of(tmp_path, "a\x1fb::x::5\nc::y\x1e::4\n", "r.txt")) == [("a\x1fb", "x", 5.0), ("c", "y\x1e", 4.0)]
    found = log_of(tmp_path, "a\x1fb x\u00a0y 5\nc z 4\n", "r.txt")
    assert rows(found) == [("a\x1fb", "x\u00a0y", 5.0), ("c", "z", 4.0)]


@pytest.mark.parametrize("separator", ["\t", ",", ";", "::", "|", " ", " \t  "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_separator_is_found(tmp_path: Path, separator: str, end: str) -> None:
    lines = [separator.join(fields) for fields in (("1", "10", "4.5", "100"), ("2", "20", "3", "200"))]
    log = csv_log(tmp_path, end.join(lines) + end)
    assert rows(log) == [(1, 10, 4.5), (2, 20, 3.0)]
    assert log.time is not None
    assert log.time.tolist() == [100, 200]
