"""Rows that cannot be read, columns that could be several, and files of another kind than they are taken for."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.data.files import rows, write

from heldout import read, read_log
from heldout.catalogue import make
from heldout.data.runs import read_run
from heldout.errors import InputError, SpecError


def test_bad_rows_are_skipped_and_counted(tmp_path: Path) -> None:
    good = "".join(f"{u},{i},{u % 5 + 1},100\n" for u in range(1, 6) for i in range(1, 6))
    text = f"user,item,rating,timestamp\n{good}1,9\n2,9,5,100,7\n3,9,bad,100\n,9,1,100\n4,9,1,soon\n"
    path = write(tmp_path / "r.csv", text.encode() + b"5,\xff,1,100\n")
    with pytest.raises(InputError, match=r"line 27: too few fields: 2 where the first line has 4 \(6 bad rows in all\)"):
        read(path)
    last = write(tmp_path / "last.csv", f"user,item,rating,timestamp\n{good}".encode() + b"5,\xff,1,100\n")
    with pytest.raises(InputError, match="line 27: byte 3 of this line is not UTF-8"):
        read(last)
    early = write(tmp_path / "early.csv", f"user,item,rating,timestamp\n{good}3,9,bad,100\n1,9\n")
    with pytest.raises(InputError, match=r"line 27, column 'rating': 'bad' is not a finite number \(2 bad rows in all\)"):
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
    with pytest.raises(InputError, match=r"line 27: too few fields: 2 where the first line has 4 \(2 such rows\)"):
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
    with pytest.raises(InputError, match=r"all 1 rows are bad \(column 'user': the id is missing: 1\)"):
        read_log(frame[1:2], on_bad_rows="skip")
    with pytest.raises(SpecError, match="simulate cannot skip bad rows"):
        read(make("reader", "simulate"), on_bad_rows="skip")


def test_a_quoted_field_may_go_on_over_the_end_of_a_line(tmp_path: Path) -> None:
    text = 'user,item,rating,review\na,x,5,"long,\nand good"\nb,y,4\nc,z,x,"short"\nd,z,3,"last"\n'
    path = write(tmp_path / "reviews.csv", text)
    with pytest.raises(InputError, match=r"line 4: too few fields: 3 where the first line has 4 \(2 bad rows in all\)"):
        read(path)
    log = read_log(path, on_bad_rows="skip")
    assert rows(log) == [("a", "x", 5.0), ("d", "z", 3.0)]
    write(path, text.replace("b,y,4\n", ""))
    with pytest.raises(InputError, match="line 4, column 'rating': 'x' is not a finite number"):
        read(path)


def test_lines_that_end_in_a_carriage_return_alone(tmp_path: Path) -> None:
    assert rows(read_log(write(tmp_path / "old.csv", "user,item,rating\r1,2,5\r1,3,4\r"))) == [(1, 2, 5.0), (1, 3, 4.0)]


def test_a_run_is_no_judgement_and_a_judgement_no_run(tmp_path: Path) -> None:
    run = "".join(f"u{u} Q0 i{i} {i} {1 / i} tag\n" for u in (1, 2) for i in (1, 2))
    for name in ("run.txt", "run.qrels"):
        with pytest.raises(InputError, match=r"this is a run \(user Q0 item rank score tag\), and ratings or judgements"):
            read(write(tmp_path / name, run))
    with pytest.raises(InputError, match="this is a run"):
        make("reader", f'trec_qrels("{tmp_path}/run.txt")').read()
    with pytest.raises(InputError, match=r"these are judgements \(user 0 item grade\), and a run is expected"):
        read_run(write(tmp_path / "qrels.txt", "u1 0 i1 4\nu1 0 i2 1\nu2 0 i1 3\n"))
