"""Delimited text: separators, quotation marks, blocks and the lines that errors name."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.data.files import csv_log, log_of, rows, write
from tests.refusals import refused

import heldout as ho
from heldout import InputError, read_log
from heldout.data import column_table, delimited, dialect
from heldout.data.column_table import FrameOrigin
from heldout.data.columns import AUTO
from heldout.data.runs import read_run
from heldout.data.sniffing import first_lines
from heldout.data.text_rows import TextRows
from heldout.errors import UNKNOWN
from heldout.tables import Log


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
    ("text", "parts"),
    [
        (
            "u,i,rating\n1,2,3\n\n1,3,abc\n1,4,x\n",
            {"line": 4, "column": "rating", "found": "abc", "expected": "a finite number", "hint": "these 2 rows"},
        ),
        ("1,2,3\n1,3,nan\n", {"line": 2, "column": "value", "found": "nan", "expected": "a finite number"}),
        ("1,2,3\n1,3,-inf\n", {"line": 2, "column": "value", "found": "-inf", "expected": "a finite number"}),
        ("1,2,3\n1,3,\n", {"line": 2, "column": "value", "found": "", "expected": "a finite number"}),
        ("1,2,3\n,3,4\n", {"line": 2, "column": "user", "found": "", "expected": "a user id"}),
        ("1,2,3\n1,,4\n", {"line": 2, "column": "item", "found": "", "expected": "an item id"}),
        ("1,2,3,9\n1,4\n1,3,4,9\n", {"line": 2, "found": 2, "expected": "4 fields", "hint": "comma"}),
        ("user,item,rating,tag\n1,2,3,\n1,4,5\n", {"line": 3, "found": 3, "expected": "4 fields"}),
        ("1,2,3\n1,3,4\n1,4,5,6\n", {"line": 3, "found": 4, "expected": "3 fields"}),
        ("1,2,3,100\n1,3,4,soon\n", {"line": 2, "column": "time", "found": "soon", "expected": "seconds"}),
        ("1,2,3,2001-01-01\n1,3,4,2001-13-01\n", {"line": 2, "column": "time", "found": "2001-13-01"}),
        ("", {"expected": "at least one line"}),
        ("\n\n", {"expected": "at least one line"}),
        ("user,item,rating\n", {"found": 0, "expected": "one row below the header"}),
        ("abc\ndef\n", {"line": 1, "found": "abc", "hint": "separator=tab"}),
        ("name,item,rating\na,x,5\n", {"found": ["name", "item", "rating"], "hint": "pass user=<column>"}),
        ("user,itm,rating\na,x,5\n", {"found": ["user", "itm", "rating"], "hint": "pass item=itm"}),
        ("1,2,x\n1,3,4\n", {"line": 1, "found": ["1", "2", "x"], "expected": "a number as value"}),
        ('user,item,rating\n1,2,3\n1,"3,4\n1,5,6\n', {"line": 3, "found": UNKNOWN, "hint": "close it"}),
        (b"1,2,3\n1,\xe9,4\n", {"line": 2, "found": b"\xe9", "expected": "UTF-8", "hint": 'encoding="latin-1"'}),
        ("1,2,3\n".encode("utf-16"), {"found": "UTF-16", "expected": "UTF-8"}),
        (b"PAR1\x00\x00", {"found": "Parquet", "expected": "a text file"}),
        (b"PK\x03\x04\x00", {"found": "zip", "expected": "a text file"}),
        (b"1\x00,2,3\n", {"found": b"\0", "expected": "text"}),
        (
            " ".join(["1"] * 30) + "\n" + " ".join(["2"] * 30),
            {"found": 30, "expected": "at most 8 columns", "hint": "user=1, item=2"},
        ),
    ],
)
def test_what_is_wrong_and_where(tmp_path: Path, text: str | bytes, parts: dict[str, Any]) -> None:
    with refused(InputError, file="r.txt", **parts):
        csv_log(tmp_path, text)


@pytest.mark.parametrize(
    ("encoding", "parts"),
    [
        ("latin-9000", {"found": "latin-9000", "expected": "an encoding"}),
        ("utf-16", {"expected": "utf-16 text"}),
    ],
)
def test_encodings_that_do_not_fit(tmp_path: Path, encoding: str, parts: dict[str, Any]) -> None:
    with refused(InputError, file="r.txt", **parts):
        csv_log(tmp_path, "1,2,3\n1,3,4", encoding=encoding)


def test_blank_lines_byte_order_mark_and_quotes(tmp_path: Path) -> None:
    text = b'\xef\xbb\xbf\n"user", "item","rating"\n\n"a, b",x,5\n   \n"c ""d""",y,4\n\n'
    assert rows(csv_log(tmp_path, text)) == [("a, b", "x", 5.0), ('c "d"', "y", 4.0)]


def test_a_quotation_mark_inside_a_field_of_a_tab_file_is_a_character(tmp_path: Path) -> None:
    assert rows(csv_log(tmp_path, 'a\t5" disc\t3\nb\ty\t4\n')) == [("a", '5" disc', 3.0), ("b", "y", 4.0)]


def test_an_open_quotation_mark_never_swallows_rows(tmp_path: Path) -> None:
    with refused(InputError, line=3, column="item", found="3,4\n1,5,6\n1,7", hint="close the quotation mark"):
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


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("u;0,i0,1\nu;1,i1,2\n", "semicolon", "comma"),
        ("u i,x 5\nv i,y 4\n", "comma", "whitespace"),
        ("a::b,c,5\nd::e,f,4\n", "::", "comma"),
        ("u\t0,i0,1\n", "tab", "comma"),
        ("u\t0;i0;1\nu\t1;i1;2\n", "tab", "semicolon"),
    ],
)
def test_two_separators_that_could_both_be_meant(tmp_path: Path, text: str, first: str, second: str) -> None:
    parts = {
        "expected": f"{first} (2 fields) or {second} (3 fields)",
        "hint": f"separator={first} or separator={second}",
    }
    with refused(InputError, line=1, found=text.splitlines()[0], **parts):
        log_of(tmp_path, text)
    with refused(InputError, line=1, found=text.splitlines()[0], **parts):
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
    expected, hint = "tab (4 fields) or whitespace (3 fields)", "separator=tab or separator=whitespace"
    with refused(InputError, found=line.removesuffix("\n"), expected=expected, hint=hint):
        log_of(tmp_path, text)
    assert rows(log_of(tmp_path, text, separator="whitespace")) == [(1, 2, 3.0), (4, 5, 2.0)]
    with refused(InputError, line=2, found=4, expected="3 fields", hint="tab"):
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


def test_a_line_number_after_a_quoted_line_break(tmp_path: Path) -> None:
    # The first record takes lines 2 and 3, so the bad one is on line 4.
    with refused(InputError, line=4, column="rating", found="bad"):
        csv_log(tmp_path, 'user,item,rating,review\na,x,5,"so\nso"\nc,y,bad,no\n')


def test_lines_of_empty_fields_count_as_lines_but_are_no_rows(tmp_path: Path) -> None:
    with refused(InputError, line=4, column="rating", found="x"):
        csv_log(tmp_path, "user,item,rating\n1,2,3\n,,\n1,3,x\n")
    with refused(InputError, line=4, found=1, expected="3 fields"):
        csv_log(tmp_path, "user,item,rating\n1,2,3\n,,\n1\n")
    assert rows(csv_log(tmp_path, "user,item,rating\n , ,\n1,2,3\n,,\n")) == [(1, 2, 3.0)]


def test_the_place_of_a_bad_row_far_down(tmp_path: Path) -> None:
    text = "1::2::3::4\n" * 30_000 + "1::2::?::4\n" + "1::2::3::4\n" * 5
    with refused(InputError, line=30001, column="value", found="?"):
        csv_log(tmp_path, text)


@pytest.mark.parametrize("end", ["7,8", "7,8,x"])
@pytest.mark.parametrize("quoted", [False, True])
def test_one_bad_line_costs_no_more_than_three_good_readings(tmp_path: Path, end: str, quoted: bool) -> None:
    mark = '"' if quoted else ""
    path, seconds = tmp_path / "r.csv", []
    text = "user,item,rating\n" + "".join(f"{mark}a{k}{mark},{k % 999},{k % 5}\n" for k in range(150_000))
    for last in ("", "", f"{end}\n"):  # the first one compiles
        path.write_text(text + last)
        begin = time.process_time()
        if last:
            with refused(InputError, line=150002):
                read_log(path)
        else:
            read_log(path)
        seconds.append(time.process_time() - begin)
    assert seconds[2] <= 3 * seconds[1] + 0.3, seconds


WANTED = {"user": AUTO, "item": AUTO, "value": AUTO, "time": AUTO}
NUMBERS = [(7 * k % 11 + 1, k % 13, k % 5 + 0.5, 1_000_000_000 + k) for k in range(40)]


def written(separator: str = ",", header: str = "user,item,rating,timestamp\n", end: str = "\n") -> bytes:
    return (header + "".join(separator.join(map(str, row)) + end for row in NUMBERS)).encode()


def read_table(path: Path, **how: object) -> tuple[Log, bool]:
    """The rows, and whether they were read_table in blocks."""
    table = delimited.read_table(path, WANTED, **how)  # type: ignore[arg-type]
    return column_table.log_of(table, "error"), isinstance(table.origin, FrameOrigin)


@pytest.mark.parametrize(
    ("content", "how"),
    [
        (written(), {}),
        (written().removesuffix(b"\n"), {}),
        (written(end="\r\n"), {}),
        (written("::", ""), {"separator": "::", "header": False}),
        (b"\xef\xbb\xbf" + written(), {}),
        (written().replace(b"\n", b"\n\n", 20), {}),
    ],
    ids=["plain", "no last end", "CRLF", "two colons", "byte order mark", "blank lines"],
)
@pytest.mark.parametrize("block", [64, 100, 333, 600])
def test_blocks_give_the_rows_of_the_whole(
    content: bytes, how: dict[str, object], block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ratings.csv"
    path.write_bytes(content)
    whole, in_blocks = read_table(path, **how)
    assert not in_blocks and len(whole) == len(NUMBERS)
    monkeypatch.setattr(delimited, "BLOCK", block)
    log, in_blocks = read_table(path, **how)
    assert in_blocks
    for name, column in whole.columns().items():
        assert column is None or list(column) == list(log.columns()[name])
    path.with_suffix(".csv.gz").write_bytes(gzip.compress(content))
    assert read_table(path.with_suffix(".csv.gz"), **how)[0].interactions().digest == whole.interactions().digest


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        (b"3,,4,1000000099\n", {"column": "item", "found": ""}),
        (b"3,9\n", {"found": 2, "expected": "4 fields"}),
        (b"3,9,four,1000000099\n", {"column": "rating", "found": "four"}),
    ],
)
def test_what_is_not_plain_is_refused_by_its_line(
    line: bytes, parts: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delimited, "BLOCK", 300)
    with refused(InputError, line=42, **parts):
        read_table(write(tmp_path / "ratings.csv", written() + line))


def test_texts_are_read_in_blocks_and_dates_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "BLOCK", 300)
    log, in_blocks = read_table(write(tmp_path / "ratings.csv", written() + b"3,x9,4,1000000099\n"))
    assert in_blocks and log.item_id.dtype == pl.String and log.item_id[-1] == "x9"
    log, in_blocks = read_table(write(tmp_path / "ratings.csv", written().replace(b"\n1,", b'\n"1,\n",')))
    assert in_blocks and log.user_id[0] == "1,\n"
    dated = written().replace(b"1000000039", b"2001-09-09")
    with refused(InputError, line=41, column="timestamp", found="2001-09-09"):
        read_table(write(tmp_path / "ratings.csv", dated))


def test_a_time_in_another_unit_is_noticed_in_another_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ratings.csv"
    path.write_bytes(written() + b"3,9,4,1000000099000\n")
    monkeypatch.setattr(delimited, "BLOCK", 300)
    with refused(
        InputError, row=1, column="timestamp", found="1000000000", expected="the unit of 1000000099000", hint="40 rows"
    ):
        read_table(path)


def test_a_first_column_that_numbers_the_rows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("".join(f"{k},{u},{i},{v}\n" for k, (u, i, v, _) in enumerate(NUMBERS)))
    for block in (delimited.BLOCK, 200):
        monkeypatch.setattr(delimited, "BLOCK", block)
        with refused(InputError, file=path, found=0, hint="pass user=2, item=3, value=4 if it is an index"):
            read_table(path)


fields = st.one_of(
    st.integers(-9, 10**12).map(str),
    st.sampled_from(
        ["007", "", " 5", "5\t", " ", "1.5", "x", "-0", "0", "1e3", "4.50", "\u00a05", "é", "a b", "x\ry", "1\0", "\ufeff"]
    ),
    st.sampled_from(
        ['"5"', '" 5"', '"5" ', ' "x"', '""', '"a""b"', '"a,b"', '"a\nb"', 'a"b', '"a', 'a"', '"a"b', '"', '\\"a']
    ),
)
moments = st.one_of(st.integers(0, 2**31).map(str), st.sampled_from(["2001-01-01", "12.0", ' "5" ', "1,2"]))


WAYS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "polars": lambda patch: patch.setattr(delimited, "PLAIN_BYTES", 1 << 60),
    "kernel of plain numbers": lambda patch: patch.setattr(delimited, "PLAIN_BYTES", 0),
    "second pass": lambda patch: patch.setattr(TextRows, "columns", lambda rows: None),
    "kernel of rows": lambda patch: patch.setattr(dialect, "SMALL", 0),
    "blocks": lambda patch: patch.setattr(delimited, "BLOCK", 80),
}
"""How a text may be read; all ways give the same rows, or the same error."""


@settings(max_examples=250, deadline=None)
@example([("1", "2", "3", "4"), (" 5", "6 ", "7", "8")], ",", "\n", True, 9)
@example([("1", "2", "3", "4"), ('"a\nb"', "6", "7", "8")], ",", "\r\n", False, 9)
@example([("\u00a0a", " a ", "3", "4"), ("\u00a0a", '" a "', "7", "8")], ";", "\n", True, 9)
@given(
    lines=st.lists(st.tuples(fields, fields, fields, moments), min_size=1, max_size=6),
    separator=st.sampled_from([",", "\t", "::", ";", "whitespace"]),
    end=st.sampled_from(["\n", "\r\n", "\n\n", "\n \n"]),
    last=st.booleans(),
    good=st.sampled_from([0, 9]),
)
def test_all_ways_of_reading_agree(
    tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[str, ...]], separator: str, end: str, last: bool, good: int
) -> None:
    """Good rows come first if blocks are tried, since the first block tells the dialect."""
    path, mark = tmp_path_factory.mktemp("agree") / "r.txt", " " if separator == "whitespace" else separator
    lines = [(str(k), "2", "3", "1000000000") for k in range(good)] + lines
    path.write_text(end.join(mark.join(line) for line in lines) + (end if last else ""), newline="")
    reader = ho.readers.Csv(str(path), separator=separator, header=False)

    def outcome() -> Any:
        try:
            log = reader.read()
        except InputError as error:
            return error.line, error.column, error.found, error.expected, error.hint
        return rows(log), None if log.time is None else log.time.tolist(), log.user_id.dtype, log.item_id.dtype

    outcomes = {}
    for way, choose in WAYS.items():
        if way == "blocks" and not good:
            continue
        with pytest.MonkeyPatch.context() as patch:
            choose(patch)
            outcomes[way] = outcome()
    assert all(found == outcomes["polars"] for found in outcomes.values()), outcomes


JUDGEMENT = st.lists(st.sampled_from(["u1", "é", "007", "7", '"a"', "x,y", "i z", "2.5", "x"]), min_size=3, max_size=5)


@settings(max_examples=60, deadline=None)
@given(st.lists(JUDGEMENT, min_size=1, max_size=4), st.sampled_from(["\n", "\r\n", "\n\n"]), st.booleans())
def test_fields_between_single_blanks_are_those_between_runs_of_blanks(
    tmp_path_factory: pytest.TempPathFactory, lines: list[list[str]], end: str, ends: bool
) -> None:
    """Texts of single blanks are read in a shorter way."""
    folder, read_lines = tmp_path_factory.mktemp("blanks"), []
    for blank in (" ", "  ", " \t"):
        text = end.join(blank.join([*fields[:1], "0", *fields[1:]]) for fields in lines) + (end if ends else "")
        path = write(folder / "r.qrels", text)
        try:
            log = ho.readers.TrecQrels(str(path)).read()
            read_lines.append(repr(rows(log)))
        except InputError as error:
            read_lines.append(str(error))
    assert read_lines[0] == read_lines[1] == read_lines[2]
