"""Rows that cannot be read, columns that could be several, and files of another kind than they are taken for."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.data.test_formats import rows, write

from heldout.catalogue import classes, make
from heldout.data.read import read, read_log
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


def test_every_reader_of_files_can_skip_bad_rows() -> None:
    assert {cls.key for cls in classes("reader") if not hasattr(cls, "on_bad_rows")} == {"simulate"}


def test_where_most_lines_are_bad_the_format_is_another(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", "user,item,rating\n1,2,5,\n1,3,4,\n1,4,3\n")
    with pytest.raises(InputError, match=r"most lines are bad, 2 of 3 \(too many fields: 2\); check the separator"):
        read_log(path, on_bad_rows="skip")


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


def test_times_of_two_units_and_of_two_forms(tmp_path: Path) -> None:
    head = "user,item,rating,timestamp\n"
    path = write(tmp_path / "r.csv", head + "1,2,3,978300760000\n1,3,3,978300761\n1,4,3,978300762\n")
    with pytest.raises(InputError, match=r"line 3, column 'timestamp': 978300761 would be seconds.*\(2 such rows\)"):
        read(path)
    write(path, head + "1,2,3,2001-01-01T02:00:00+02:00\n1,3,3,2001-01-01T01:00:00\n1,4,3,2001-01-02\n")
    log = read_log(path)  # without a zone it is UTC
    assert log.time is not None and log.time.tolist() == [978_307_200, 978_310_800, 978_393_600]


def test_lines_that_end_in_a_carriage_return_alone(tmp_path: Path) -> None:
    assert rows(read_log(write(tmp_path / "old.csv", "user,item,rating\r1,2,5\r1,3,4\r"))) == [(1, 2, 5.0), (1, 3, 4.0)]


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


def test_a_run_is_no_judgement_and_a_judgement_no_run(tmp_path: Path) -> None:
    run = "".join(f"u{u} Q0 i{i} {i} {1 / i} tag\n" for u in (1, 2) for i in (1, 2))
    for name in ("run.txt", "run.qrels"):
        with pytest.raises(InputError, match=r"this is a run \(user Q0 item rank score tag\), and ratings or judgements"):
            read(write(tmp_path / name, run))
    with pytest.raises(InputError, match="this is a run"):
        make("reader", f'trec_qrels("{tmp_path}/run.txt")').read()
    with pytest.raises(InputError, match=r"these are judgements \(user 0 item grade\), and a run is expected"):
        read_run(write(tmp_path / "qrels.txt", "u1 0 i1 4\nu1 0 i2 1\nu2 0 i1 3\n"))


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
            with pytest.raises(InputError, match="line 150002"):
                read_log(path)
        else:
            read_log(path)
        seconds.append(time.process_time() - begin)
    assert seconds[2] <= 3 * seconds[1] + 0.3, seconds
