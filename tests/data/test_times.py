"""Times become whole numbers of a recorded unit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.data.files import csv_log, write
from tests.refusals import refused

from heldout import InputError, read, read_log


@pytest.mark.parametrize(
    ("text", "time", "unit"),
    [
        ("1000000000", 1_000_000_000, "s"),
        ("1000000000123", 1_000_000_000_123, "ms"),
        ("1000000000000", 1_000_000_000, "s"),
        ("1000000000123456", 1_000_000_000_123_456, "us"),
        ("1000000000123000", 1_000_000_000_123, "ms"),
        ("1000000000123456789", 1_000_000_000_123_456_789, "ns"),
        ("1000000000.9", 1_000_000_000_900, "ms"),
        ("1000000000.123456", 1_000_000_000_123_456, "us"),
        ("1000000000123.25", 1_000_000_000_123_250, "us"),
        ("0.000000001", 1, "ns"),
        ("-5", -5, "s"),
        ("-5.5", -5500, "ms"),
        ("2001-09-09", 999_993_600, "s"),
        ("2001-09-09T01:46:40", 1_000_000_000, "s"),
        ("2001-09-09 01:46:40", 1_000_000_000, "s"),
        ("2001-09-09T01:46:40.5Z", 1_000_000_000_500, "ms"),
        ("2001-09-09T01:46:40.123456789", 1_000_000_000_123_456_789, "ns"),
        ("1969-12-31T23:59:59.25", -750, "ms"),
        ("2001-09-09T03:46:40+02:00", 1_000_000_000, "s"),
    ],
)
def test_times_keep_their_precision(tmp_path: Path, text: str, time: int, unit: str) -> None:
    log = csv_log(tmp_path, f"1,2,3,{text}\n")
    assert log.time is not None
    assert log.time.dtype == np.int64
    assert (log.time.tolist(), log.time_unit) == ([time], unit)


def test_fractions_that_are_not_decimal_keep_their_order() -> None:
    times = np.sort(np.random.default_rng(1).random(500) * 1e9)
    data = read({"user": np.arange(500), "item": np.zeros(500, int), "time": times})
    assert data.time is not None and data.time_unit == "ns"
    assert (np.diff(data.time) > 0).all()
    assert (np.abs(data.time / 1e9 - times) <= np.spacing(times)).all()  # no more than the next float away


def test_times_of_two_units_and_of_two_forms(tmp_path: Path) -> None:
    head = "user,item,rating,timestamp\n"
    path = write(tmp_path / "r.csv", head + "1,2,3,978300760000\n1,3,3,978300761\n1,4,3,978300762\n")
    with refused(
        InputError, line=3, column="timestamp", found="978300761", expected="the unit of 978300760000", hint="2 rows"
    ):
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
    with refused(InputError, line=2, column="time", found=time, expected="seconds"):
        read_log(path)
    write(path, f"user,item,rating,time\n1,2,3,2004-05-31 12:00:00\n1,3,3,{time}\n1,4,3,2004-05-31\n")
    with refused(InputError, line=3, column="time", found=time, expected="seconds"):
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
    with refused(InputError, row=1, column="time", found=times.to_physical()[0], expected="seconds"):
        read_log(tmp_path / "r.parquet")


def test_times_at_the_ends_of_their_range(tmp_path: Path) -> None:
    ends = pl.Series([-(2**63), 2**63 - 1])
    pl.DataFrame({"user": [1, 2], "item": [1, 2], "time": ends}).write_parquet(tmp_path / "r.parquet")
    found = read_log(tmp_path / "r.parquet").time  # nanoseconds, of 1677 and 2262
    assert found is not None and found.tolist() == ends.to_list()
    found = read_log(write(tmp_path / "r.csv", "1,2,3,0001-01-01\n1,3,3,9999-12-31T23:59:59\n")).time
    assert found is not None and found.tolist() == [-62135596800, 253402300799]


@pytest.mark.parametrize(
    ("numbers", "written", "seconds"),
    [
        ((2004, 1999), "%Y", (1_072_915_200, 915_148_800)),
        ((200405, 199912), "%Y%m", (1_083_369_600, 944_006_400)),
        ((20040531, 19991231), "%Y%m%d", (1_085_961_600, 946_598_400)),
        ((200405311230, 199912310000), "%Y%m%d%H%M", (1_086_006_600, 946_598_400)),
        ((20040531123059, 19991231000000), "%Y%m%d%H%M%S", (1_086_006_659, 946_598_400)),
    ],
)
def test_dates_written_as_numbers_are_refused(
    tmp_path: Path, numbers: tuple[int, int], written: str, seconds: tuple[int, int]
) -> None:
    rows = "".join(f"{k},{k},3,{number}\n" for k, number in enumerate(numbers))
    path = write(tmp_path / "r.csv", "user,item,rating,day\n" + rows)
    frame = pl.DataFrame({"user": [0, 1], "item": [0, 1], "rating": [3, 3], "day": [float(n) for n in numbers]})
    for source in (path, frame):
        with refused(InputError, column="day", found=str(numbers[0]), hint=f'time_format="{written}"'):
            read_log(source, time="day")
        log = read_log(source, time="day", time_format=written)
        assert log.time is not None and (tuple(log.time.tolist()), log.time_unit) == (seconds, "s")
        if len(written) <= len("%Y%m%d"):
            log = read_log(source, time="day", time_format="%s")
            assert log.time is not None and tuple(log.time.tolist()) == numbers


@pytest.mark.parametrize("numbers", [(20040531, 20041301), (20040531, 20040500), (1999, 2101), (1899, 1950), (2004, 200405)])
def test_other_numbers_are_seconds(numbers: tuple[int, int]) -> None:
    log = read_log({"user": [0, 1], "item": [0, 1], "time": list(numbers)})
    assert log.time is not None and tuple(log.time.tolist()) == numbers


def test_days_without_their_leading_zero(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", "1,1,3,01052004\n1,2,3,31122004\n")
    log = read_log(path, time_format="%d%m%Y")
    assert log.time is not None and log.time.tolist() == [1_083_369_600, 1_104_451_200]


def test_fractions_of_a_named_form(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", "1,1,3,31.05.2004 12:00:00.123456789\n")
    log = read_log(path, time_format="%d.%m.%Y %H:%M:%S%.f")
    assert log.time is not None and (log.time.tolist(), log.time_unit) == ([1_086_004_800_123_456_789], "ns")
    write(path, "1,1,3,31.05.1004 12:00:00.123456\n")
    log = read_log(path, time_format="%d.%m.%Y %H:%M:%S%.f")  # nanoseconds of that year would not fit 64 bits
    assert log.time is not None and log.time_unit == "us" and log.time[0] % 10**6 == 123456
