"""Damaged Parquet files are refused or read; they never end the process."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.heavy import ALL, heavy, sampled
from tests.refusals import refused

import heldout as ho
from heldout import InputError
from heldout.data.parquet_check import read_checked, refuse_damaged

FLIPS = """
import sys
from pathlib import Path
import heldout as ho
from heldout import HeldoutError
from heldout.data.parquet_files import open_files

whole, place = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2])
outcome = {"read": 0, "refused": 0}
for bit in range(8 * len(whole)):
    if bit % 8 and bit % int(sys.argv[4]):
        continue  # the lowest bit of a byte is the sign of a number in Thrift
    damaged = bytearray(whole)
    damaged[bit // 8] ^= 1 << bit % 8
    place.write_bytes(damaged)
    try:
        ho.read(place)
        outcome["read"] += 1
    except HeldoutError:
        outcome["refused"] += 1
    if sys.argv[3] == "streamed":
        try:
            files = open_files(place, {"user": "user", "item": "item", "value": "value"}, ("user", "item"))
            list(files.blocks("user", "item", "value"))
        except HeldoutError:
            pass
print(outcome["read"], outcome["refused"])
"""


def ratings(rows: int = 24) -> pl.DataFrame:
    item = [f"i{k % 5}" for k in range(rows)]
    return pl.DataFrame({"user": np.arange(rows) // 5, "item": item, "value": np.arange(rows) % 5 + 1.0})


def v1(path: Path) -> None:
    ratings().select("user", "item").write_parquet(path, statistics=False, compression="uncompressed")


def several_groups(path: Path) -> None:
    ratings(12).write_parquet(path, compression="zstd", row_group_size=7)


def v2(path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    pq.write_table(ratings().to_arrow(), path, data_page_version="2.0", write_statistics=False, store_schema=False)


@sampled
@pytest.mark.parametrize("write", [v1, pytest.param(several_groups, marks=heavy), pytest.param(v2, marks=heavy)])
def test_no_flipped_bit_ends_the_process(tmp_path: Path, write: object) -> None:
    write(tmp_path / "whole.parquet")  # type: ignore[operator]
    step = 1 if ALL else 11
    way = "streamed" if write is several_groups else "read"
    flips = subprocess.run(
        [sys.executable, "-c", FLIPS, tmp_path / "whole.parquet", tmp_path / "damaged.parquet", way, str(step)],
        capture_output=True,
        text=True,
    )
    assert flips.returncode == 0, flips.stderr[-500:]
    read, refused = map(int, flips.stdout.split())
    bits = 8 * (tmp_path / "whole.parquet").stat().st_size
    assert read + refused == sum(bit % 8 == 0 or bit % step == 0 for bit in range(bits))
    assert refused > 100


def test_a_page_with_a_negative_count(tmp_path: Path) -> None:
    """The page states 24 values, 0x30 in Thrift's zigzag; the lowest bit makes 0x31 of it, which is -25."""
    path = tmp_path / "r.parquet"
    v1(path)
    content = bytearray(path.read_bytes())
    at = content.index(b"\x2c\x15\x30")
    content[at + 2] ^= 1
    path.write_bytes(content)
    for read in (ho.read, read_checked, refuse_damaged):
        with refused(InputError, file="r.parquet", column="user", found=-25, expected="a whole number from 0 on"):
            read(path)  # type: ignore[operator]
    with refused(InputError, file="r.parquet", column="user", found=-25):
        refuse_damaged(io.BytesIO(bytes(content)), name="r.parquet")
    refuse_damaged(path, ["value"])  # the damage is in another column


@pytest.mark.parametrize("field", [4, 6, 8])
def test_a_page_with_an_unknown_encoding(tmp_path: Path, capfd: pytest.CaptureFixture[str], field: int) -> None:
    """Encodings of values and of two kinds of levels follow the number of values; 0x40 in zigzag is 32."""
    path = tmp_path / "r.parquet"
    v1(path)
    content = bytearray(path.read_bytes())
    content[content.index(b"\x2c\x15\x30") + field] = 0x40
    path.write_bytes(content)
    with refused(InputError, file="r.parquet", column="user", found=32, expected="one of 0, 2 to 9"):
        ho.read(path)
    assert "panicked" not in capfd.readouterr().err


@pytest.mark.parametrize(("byte", "value", "expected"), [(1, 127, "at most byte"), (0, 1, "a whole number from 0 on")])
def test_a_dictionary_that_is_not_in_the_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], byte: int, value: int, expected: str
) -> None:
    """Its place takes two bytes and follows that of the first page; in zigzag the lowest bit makes it negative."""
    path = tmp_path / "r.parquet"
    ratings().write_parquet(path, statistics=False)
    content = bytearray(path.read_bytes())
    *_, places = re.finditer(rb"\x26[\x80-\xff][\0-\x7f]\x26([\x80-\xff][\0-\x7f])\0", content)
    content[places.start(1) + byte] |= value
    path.write_bytes(content)
    pattern = str(tmp_path / "*.parquet")
    for read in (ho.read, lambda _: ho.evaluate(pattern, {"A": pattern}, "P@1", stream=True)):
        with refused(InputError, file="r.parquet", column="item", expected=expected):
            read(path)
    assert "panicked" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("find", "put", "size"),
    [(-8, (2**31).to_bytes(4, "little"), 2**31), (-5, b"\xff", None)],
)
def test_sizes_that_the_file_does_not_have(tmp_path: Path, find: int, put: bytes, size: int | None) -> None:
    path = tmp_path / "r.parquet"
    v1(path)
    content = bytearray(path.read_bytes())
    content[len(content) + find : len(content) + find + len(put)] = put
    path.write_bytes(content)
    with refused(
        InputError, found=size or int.from_bytes(content[-8:-4], "little"), expected=f"fewer than {len(content)} bytes"
    ):
        refuse_damaged(path)


def test_whole_files_of_several_writers_pass(tmp_path: Path) -> None:
    rows = 3000
    frame = pl.DataFrame(
        {
            "n": pl.Series([None if k % 3 else k for k in range(rows)]),
            "text": [f"{k % 70}" * (k % 9) for k in range(rows)],
            "list": [[1, 2, 3][: k % 4] for k in range(rows)],
            "struct": [{"a": k, "b": str(k)} for k in range(rows)],
            "constant": [1] * rows,
            "long": ["x" * 5000] * rows,
        }
    )
    path = tmp_path / "r.parquet"
    for compression in ("uncompressed", "snappy", "gzip", "zstd", "lz4", "brotli"):
        frame.write_parquet(path, compression=compression, row_group_size=700, data_page_size=300)
        assert read_checked(path).equals(frame)
    frame.head(0).write_parquet(path)
    refuse_damaged(path)
    pq = pytest.importorskip("pyarrow.parquet")
    table = frame.to_arrow()
    for options in (
        {},
        {"data_page_version": "2.0", "write_page_checksum": True},
        {"use_dictionary": False, "write_page_index": True, "data_page_size": 300},
        {"version": "1.0", "compression": "none", "row_group_size": 71},
    ):
        pq.write_table(table, path, **options)
        refuse_damaged(path)


def test_what_is_not_parquet_is_left_to_polars(tmp_path: Path) -> None:
    for content in (b"", b"PAR1", b"user,item\n1,2\n3,4\n", b"PAR1" + b"\0" * 40 + b"PARE"):
        path = tmp_path / "r.parquet"
        path.write_bytes(content)
        refuse_damaged(path)
        with refused(InputError, file="r.parquet", expected="a Parquet file"):
            ho.read(path)
