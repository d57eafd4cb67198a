"""Times become seconds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.data.files import csv_log, write

from heldout.data.read import read, read_log
from heldout.errors import InputError


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
    log = csv_log(tmp_path, f"1,2,3,{text}\n")
    assert log.time is not None
    assert log.time.dtype == np.int64
    assert log.time.tolist() == [seconds]


def test_times_of_two_units_and_of_two_forms(tmp_path: Path) -> None:
    head = "user,item,rating,timestamp\n"
    path = write(tmp_path / "r.csv", head + "1,2,3,978300760000\n1,3,3,978300761\n1,4,3,978300762\n")
    with pytest.raises(InputError, match=r"line 3, column 'timestamp': 978300761 would be seconds.*\(2 such rows\)"):
        read(path)
    write(path, head + "1,2,3,2001-01-01T02:00:00+02:00\n1,3,3,2001-01-01T01:00:00\n1,4,3,2001-01-02\n")
    log = read_log(path)  # without a zone it is UTC
    assert log.time is not None and log.time.tolist() == [978_307_200, 978_310_800, 978_393_600]


@pytest.mark.parametrize(
    "time",
    [
        *("2004-02-30", "2004-13-01", "0000-00-00", "2004-05-31T25:00:00", "2004-05-31T12:00:00+99:99"),
        *("12:00:00 PM", "2004-05-31 12:00:00 PM", "2004-05-31 12:00 CET", "CET"),
        *("nan", "1e300", "99999999999999999999"),
    ],
)
def test_impossible_times(tmp_path: Path, time: str) -> None:
    path = write(tmp_path / "r.csv", f"user,item,rating,time\n1,2,3,{time}\n")
    with pytest.raises(InputError, match=r"line 2, column 'time': '.*' is not a time"):
        read_log(path)
    write(path, f"user,item,rating,time\n1,2,3,2004-05-31 12:00:00\n1,3,3,{time}\n1,4,3,2004-05-31\n")
    with pytest.raises(InputError, match=r"line 3, column 'time': '.*' is not a time"):
        read_log(path)
    left = read_log(path, on_bad_rows="skip")
    assert left.time is not None and left.time.tolist() == [1086004800, 1085961600]


@pytest.mark.parametrize(
    "times",
    [
        pl.Series([-(2**63) + 1, 2**63 - 1], dtype=pl.Datetime("ms")),
        pl.Series([-(2**63) + 1, 2**63 - 1], dtype=pl.Datetime("us")),
        pl.Series([-(2**31), 2**31 - 1], dtype=pl.Int32).cast(pl.Date),
        pl.Series([2**64 - 1, 0], dtype=pl.UInt64),
        pl.Series([1e300, 1.0]),
        pl.Series([None, None]),
    ],
)
def test_times_out_of_range_in_files_of_columns(tmp_path: Path, times: pl.Series) -> None:
    pl.DataFrame({"user": [1, 2], "item": [1, 2], "time": times}).write_parquet(tmp_path / "r.parquet")
    with pytest.raises(InputError, match=r"column 'time': row 1: .* is not a time"):
        read_log(tmp_path / "r.parquet")


def test_times_at_the_ends_of_their_range(tmp_path: Path) -> None:
    ends = pl.Series([-(2**63), 2**63 - 1])
    pl.DataFrame({"user": [1, 2], "item": [1, 2], "time": ends}).write_parquet(tmp_path / "r.parquet")
    found = read_log(tmp_path / "r.parquet").time  # nanoseconds, of 1677 and 2262
    assert found is not None and found.tolist() == [-9223372037, 9223372036]
    found = read_log(write(tmp_path / "r.csv", "1,2,3,0001-01-01\n1,3,3,9999-12-31T23:59:59\n")).time
    assert found is not None and found.tolist() == [-62135596800, 253402300799]
