"""Patterns that name many files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tests.data.files import rows, write

from heldout import read, read_log
from heldout.data.read import reader_of
from heldout.errors import InputError


def test_a_pattern_reads_many_files(tmp_path: Path) -> None:
    for k in (1, 2, 3):
        write(tmp_path / f"day-{k}.csv", f"user,item,rating\nu{k},i,{k}\n")
    (tmp_path / "day-4.csv.gz").write_bytes(gzip.compress(b"user,item,rating\n7,i,4\n"))
    log = read_log(str(tmp_path / "day-*.csv*"))
    assert rows(log) == [("u1", "i", 1.0), ("u2", "i", 2.0), ("u3", "i", 3.0), ("7", "i", 4.0)]
    assert len({reader_of(str(tmp_path / f"day-{k}.csv")).source_digest() for k in ("*", "[12]", "1")}) == 3
    with pytest.raises(InputError, match="no file matches this pattern"):
        read(str(tmp_path / "night-*.csv"))
    (tmp_path / "night-6.csv").mkdir()
    write(tmp_path / "night-7.csv", "user,item,rating\na,b,1\n")
    with pytest.raises(
        InputError, match=r"night-6\.csv: the pattern '.*night-\*\.csv' matches this folder, whose files would"
    ):
        read(str(tmp_path / "night-*.csv"))
    write(tmp_path / "night-6.csv" / "night-6a.csv", "user,item,rating\na,c,2\n")
    assert rows(read_log(str(tmp_path / "**" / "night-*.csv"))) == [("a", "c", 2.0), ("a", "b", 1.0)]
    write(tmp_path / "day-5.csv", "user,item,rating,timestamp\na,b,1,5\n")
    with pytest.raises(InputError, match="there is no time here, but in other files there is"):
        read(str(tmp_path / "day-?.csv"))
