"""Rows and lines that cannot be read: the first is an error that names it, or they are skipped and counted."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from tests.data.files import log_of, rows, write
from tests.refusals import refused

from heldout import InputError, SpecError, make, read, read_log
from heldout.catalogue import classes
from heldout.data.runs import read_run


def test_bad_rows_are_skipped_and_counted(tmp_path: Path) -> None:
    good = "".join(f"{u},{i},{u % 5 + 1},100\n" for u in range(1, 6) for i in range(1, 6))
    text = f"user,item,rating,timestamp\n{good}1,9\n2,9,5,100,7\n3,9,bad,100\n,9,1,100\n4,9,1,soon\n"
    path = write(tmp_path / "r.csv", text.encode() + b"5,\xff,1,100\n")
    with refused(InputError, line=27, found=2, expected="4 fields", hint="all 6 bad rows"):
        read(path)
    last = write(tmp_path / "last.csv", f"user,item,rating,timestamp\n{good}".encode() + b"5,\xff,1,100\n")
    with refused(InputError, file="last.csv", line=27, found=b"\xff", expected="UTF-8", hint='encoding="latin-1"'):
        read(last)
    early = write(tmp_path / "early.csv", f"user,item,rating,timestamp\n{good}3,9,bad,100\n1,9\n")
    with refused(InputError, line=27, column="rating", found="bad", expected="a finite number", hint="all 2 bad rows"):
        read(early)
    log = read_log(path, on_bad_rows="skip")
    assert len(log) == 25
    assert {s.reason: s.count for s in log.skipped} == {
        "too few fields": 1,
        "too many fields": 1,
        "not UTF-8": 1,
        "column 'user': the id is missing": 1,
        "column 'rating': not a finite number": 1,
        "column 'timestamp': not a time": 1,
    }
    write(path, f"user,item,rating,timestamp\n{good}1,9\n1,8\n")
    with refused(InputError, line=27, found=2, expected="4 fields", hint="these 2 rows"):
        read(path)
    quoted = write(tmp_path / "q.csv", 'user,item,rating\n"a, b",x,5\n"c,y,4\nd,z,3\n')
    log = read_log(quoted, on_bad_rows="skip")
    assert rows(log) == [("a, b", "x", 5.0), ("d", "z", 3.0)]
    assert [(s.reason, s.count) for s in log.skipped] == [("an open quotation mark", 1)]


def test_frames_and_columns_skip_too(tmp_path: Path) -> None:
    frame = pl.DataFrame({"user": ["a", None, "c"], "item": [1, 2, 3], "rating": [1.0, 2.0, None]})
    assert rows(read_log(frame, on_bad_rows="skip")) == [("a", 1, 1.0)]
    frame.write_parquet(tmp_path / "r.parquet")
    log = read_log(tmp_path / "r.parquet", on_bad_rows="skip")
    assert sum(s.count for s in log.skipped) == 2
    with refused(InputError, file="frame", found=["column 'user': the id is missing (1)"], expected="one good row of 1"):
        read_log(frame[1:2], on_bad_rows="skip")
    with refused(SpecError, where="on_bad_rows", found="skip", expected="error"):
        read(make("reader", "simulate"), on_bad_rows="skip")


def test_a_quoted_field_may_go_on_over_the_end_of_a_line(tmp_path: Path) -> None:
    text = 'user,item,rating,review\na,x,5,"long,\nand good"\nb,y,4\nc,z,x,"short"\nd,z,3,"last"\n'
    path = write(tmp_path / "reviews.csv", text)
    with refused(InputError, line=4, found=3, expected="4 fields", hint="all 2 bad rows"):
        read(path)
    log = read_log(path, on_bad_rows="skip")
    assert rows(log) == [("a", "x", 5.0), ("d", "z", 3.0)]
    write(path, text.replace("b,y,4\n", ""))
    with refused(InputError, line=4, column="rating", found="x", expected="a finite number"):
        read(path)


def test_lines_that_end_in_a_carriage_return_alone(tmp_path: Path) -> None:
    assert rows(read_log(write(tmp_path / "old.csv", "user,item,rating\r1,2,5\r1,3,4\r"))) == [(1, 2, 5.0), (1, 3, 4.0)]


def test_a_run_is_no_judgement_and_a_judgement_no_run(tmp_path: Path) -> None:
    run = "".join(f"u{u} Q0 i{i} {i} {1 / i} tag\n" for u in (1, 2) for i in (1, 2))
    for name in ("run.txt", "run.qrels"):
        with refused(InputError, file=name, expected="ratings or judgements"):
            read(write(tmp_path / name, run))
    with refused(InputError, file="run.txt", expected="ratings or judgements"):
        make("reader", f'trec_qrels("{tmp_path}/run.txt")').read()
    with refused(InputError, file="qrels.txt", expected="a run"):
        read_run(write(tmp_path / "qrels.txt", "u1 0 i1 4\nu1 0 i2 1\nu2 0 i1 3\n"))


def test_every_reader_of_files_can_skip_bad_rows() -> None:
    assert {cls.key for cls in classes("reader") if not hasattr(cls, "on_bad_rows")} == {"simulate"}


def test_where_most_lines_are_bad_the_format_is_another(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", "user,item,rating\n1,2,5,\n1,3,4,\n1,4,3\n")
    with refused(InputError, file="r.csv", found=["too many fields (2)"], hint="check the separator"):
        read_log(path, on_bad_rows="skip")


def test_bad_lines_of_a_matrix_are_skipped_and_others_keep_their_numbers(tmp_path: Path) -> None:
    write(tmp_path / "test.ascii", "1 0 0\n0 2 0\n")
    write(tmp_path / "train.ascii", "0 0\n0 0 4\n5 zero 0\n0 3 nan\n1 0 0\n")
    with refused(
        InputError, file="train.ascii", line=1, found=2, expected="3 fields, as in most lines", hint="all 3 bad lines"
    ):
        read(tmp_path)
    log = read_log(tmp_path, on_bad_rows="skip")
    assert rows(log) == [(2, 3, 4.0), (5, 1, 1.0)]
    assert [(s.reason, s.count) for s in log.skipped] == [("another number of fields", 1), ("not a finite number", 2)]
    write(tmp_path / "train.ascii", "x y z\n")
    with refused(InputError, found=["not a finite number (1)"], expected="at least one good line of 1"):
        read_log(tmp_path, on_bad_rows="skip")


MANY = "1" * 400


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"user":1,"item":1,"rating":' + MANY + "}", "column 'rating': not a finite number"),
        ('{"user":1,"item":1,"x":' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
        ('{"user":"\\ud800","item":1}', "not a text: it contains half of a character"),
        ('{"user":1,"item":1,"user":2}', "an object that has a key twice"),
        ('{"user":1,"item":1,"rating":' + "1" * 5000 + "}", "not a JSON object"),
    ],
)
def test_strange_json_lines(tmp_path: Path, line: str, reason: str) -> None:
    path = write(tmp_path / "r.jsonl", '{"user":1,"item":5,"rating":2.5}\n' + line + "\n")
    with refused(InputError, line=2, found=MANY if MANY in line and len(line) < 1000 else line):
        read_log(path)
    log = read_log(path, on_bad_rows="skip")
    assert len(log) == 1 and [(s.reason, s.count) for s in log.skipped] == [(reason, 1)]


def test_large_whole_numbers_among_fractions_are_told_apart_or_refused(tmp_path):
    """JSON numbers of both kinds become fractions, which are exact only below 2**53."""
    path = tmp_path / "a.jsonl"
    rows = '{{"user":1,"item":1,"rating":0.5}}\n{{"user":1,"item":2,"rating":{}}}\n{{"user":1,"item":3,"rating":{}}}\n'
    path.write_text(rows.format(2**53, 2**53 + 1))
    with refused(InputError, line=3, column="rating", found=f"{2**53 + 1}", expected=f"difference from {2**53}"):
        read_log(path)
    path.write_text(rows.format(2**53, 2**53 + 2))
    assert read_log(path).value.tolist() == [0.5, 2.0**53, 2.0**53 + 2]


def test_a_key_of_json_lines_that_comes_late_is_seen(tmp_path: Path) -> None:
    lines = [json.dumps({"user": k, "item": k}) for k in range(1500)]
    late = [*lines, json.dumps({"user": 1, "item": 2, "rating": 4})]
    with refused(InputError, line=1, column="rating", found=None, expected="a finite number", hint="these 1,500 rows"):
        log_of(tmp_path, "\n".join(late), "r.jsonl")
    first = json.dumps({"rating": 3, "user": 9, "item": 9})
    whole = [first, *(json.dumps({"user": k, "rating": k % 5, "item": k}) for k in range(1500))]
    assert log_of(tmp_path, "\n".join(whole), "r.jsonl").value[:4].tolist() == [3, 0, 1, 2]


@pytest.mark.parametrize("name", ["r.csv", "r.jsonl", "r.parquet", "r.dat", "r.txt", "u.data"])
def test_what_stands_for_a_file_is_not_it(tmp_path: Path, name: str) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935\nsize 12345\n"
    with refused(InputError, file=name, found="a pointer of Git LFS", expected="the file itself", hint="git lfs pull"):
        log_of(tmp_path, pointer, name)
    with refused(InputError, file=name, found="a pointer of Git LFS"):
        read_run(tmp_path / name)
    with refused(InputError, file=name, found="a web page", hint="download the file again"):
        log_of(tmp_path, "\n<!DOCTYPE html>\n<title>Not, found</title>\n", name)


def test_ragged_lines_of_numbers(tmp_path: Path) -> None:
    text = "196 242 3 881250949\n186 302 3\n22 377\n244 51 2 880606923\n"
    with refused(InputError, file="r.txt", found=["2", "3", "4"], hint="for baskets"):
        log_of(tmp_path, text, "r.txt")
    with refused(InputError, line=2, found=3, expected="4 fields"):
        read_log(f'csv("{tmp_path / "r.txt"}")')
    assert len(read_log(f'fimi("{tmp_path / "r.txt"}")')) == 13


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_nul_byte_far_down(tmp_path: Path, quote: str) -> None:
    good = "".join(f"{k},{k},{quote}3{quote}\n" for k in range(100, 3100))
    text = good.encode() + b"4\0,5,3\n1,3,4\n"
    with refused(InputError, line=3001, found=b"\0", expected="text"):
        log_of(tmp_path, text)
    left = log_of(tmp_path, text, on_bad_rows="skip")
    assert len(left) == 3001 and left.user_id.dtype.is_integer()
    assert [(s.reason, s.count) for s in left.skipped] == [("a NUL byte", 1)]


def test_unnamed_times_are_no_ratings(tmp_path: Path) -> None:
    text = "196,242,881250949\n186,302,891717742\n"
    with refused(InputError, found="881250949", hint="value=none, time=3 if they are times, or value=3"):
        log_of(tmp_path, text)
    assert log_of(tmp_path, text, value="3").value[0] == 881250949
    timed = log_of(tmp_path, text, value=None, time="3")
    assert timed.value.tolist() == [1, 1] and timed.time is not None and timed.time[1] == 891717742
