"""Files that are damaged, impossible or hostile: each ends in a sentence that names it, never in a traceback."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import zstandard

from heldout.data import parquet
from heldout.data.read import read, read_log
from heldout.data.runs import read_run
from heldout.data.side import read_side
from heldout.errors import HeldoutError, InputError

WAYS: list[Callable[[Any], Any]] = [read, lambda p: read(p, on_bad_rows="skip"), read_run, read_side]
LONG = "x" * 140_000
MANY = "1" * 400


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def refused_or_read(path: Path) -> None:
    """Every way of reading a file gives something or a HeldoutError that can be shown."""
    for way in WAYS:
        try:
            way(path)
        except HeldoutError as error:
            str(error).encode()


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_damaged_files_of_columns(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame({"user": list(range(300)), "item": [str(k) for k in range(300)], "rating": [1.5] * 300})
    path = tmp_path / f"r.{suffix}"
    frame.write_parquet(path) if suffix == "parquet" else frame.write_ipc(path)
    whole = path.read_bytes()
    draw = np.random.default_rng(2)
    for _ in range(40):
        damaged = bytearray(whole)
        for place in draw.integers(0, len(whole), draw.choice([1, 3, 30])):
            damaged[place] = int(draw.integers(256))
        refused_or_read(write(path, bytes(damaged)))
        refused_or_read(write(path, whole[: int(draw.integers(len(whole)))]))


def test_a_panic_of_polars_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r.parquet"
    pl.DataFrame({"user": [1], "item": [2]}).write_parquet(path)

    def panic(*_: Any, **__: Any) -> None:
        raise pl.exceptions.PanicException("called `Result::unwrap()`")

    monkeypatch.setattr(parquet.pl, "read_parquet", panic)
    for way in (read, read_run, read_side):
        with pytest.raises(InputError, match=r"r\.parquet: not a readable Parquet file \(called"):
            way(path)


@pytest.mark.parametrize(
    "text",
    [
        'user,item,rating,text\n1,2,3,"a\rb"\n2,3,4,"c"\n',
        'user,item,rating,text\n1,2,3,a\rb\n2,3,4,"c"\n',
        '"us\rer",item,rating\n1,2,3\n',
        '1,a\rb,3\n2,"3",4\n',
        f'user,item,rating,text\n1,2,bad,"{LONG}"\n2,3,4,"c"\n',
        f'"{LONG}",item,rating,text\n1,2,3,"a"\n',
        f'user,item,rating,text\n1,2,3,"a"\n2,3,"{LONG}\n',
        *(
            "|",
            "|\n|\n",
            "||||\n",
            ",\n,\n",
            ";\n",
            "\t\n",
            "::\n::\n",
            '"\n',
            '"",""\n',
            '"|"',
            "\ufeff",
            "\ufeff|",
            "a|\n|",
        ),
        *(f"user,item,rating,time\n{row}\n" for row in (f"{MANY},2,3,4", f"1,{MANY},3,4", f"1,2,{MANY},4", f"1,2,3,{MANY}")),
        *(f"1,2,3,4\n{row}\n" for row in (f"1,2,1e{MANY},4", f"1,2,-{MANY},-{MANY}", f"1,2,{'1' * 5000},4")),
        b"user,item,rating\n\xed\xa0\x80,2,3\n",
        b"\xed\xa0\x80,2,3\n",
    ],
)
def test_strange_texts(tmp_path: Path, text: str | bytes) -> None:
    refused_or_read(write(tmp_path / "r.csv", text))


def test_long_fields_and_lone_returns_are_read(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", f'user,item,rating,text\n1,2,3,"{LONG}"\n2,3,4,"a\rb"\n')
    assert read_log(path).value.tolist() == [3.0, 4.0]
    with pytest.raises(InputError, match=r"line 3, column 'rating': 'x' is not a finite number"):
        read_log(write(path, f'user,item,rating,text\n1,2,3,"{LONG}"\n2,3,x,"{LONG}"\n'))


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


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"user":1,"item":1,"rating":' + MANY + "}", "'inf' is not a finite number"),
        ('{"user":1,"item":1,"x":' + "[" * 100_000 + "]" * 100_000 + "}", "this line is nested too deeply"),
        ('{"user":"\\ud800","item":1}', "this line is no text: it holds half of a character"),
        ('{"user":1,"item":1,"user":2}', "this line is an object that has a key twice"),
        ('{"user":1,"item":1,"rating":' + "1" * 5000 + "}", "this line is no JSON object"),
    ],
)
def test_strange_json_lines(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path / "r.jsonl", '{"user":1,"item":5,"rating":2.5}\n' + line + "\n")
    with pytest.raises(InputError, match=rf"line 2.*{message}"):
        read_log(path)
    assert len(read_log(path, on_bad_rows="skip")) == 1


@pytest.mark.parametrize("suffix", ["gz", "xz", "bz2", "zst"])
def test_damaged_compressed_files(tmp_path: Path, suffix: str) -> None:
    text = b"".join(b"%d\t%d\t5\n" % (k, k) for k in range(1000))
    pack = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress, "zst": zstandard.ZstdCompressor().compress}
    whole = pack[suffix](text)
    draw = np.random.default_rng(3)
    for _ in range(20):
        damaged = bytearray(whole)
        damaged[int(draw.integers(len(whole)))] ^= 1 << int(draw.integers(8))
        refused_or_read(write(tmp_path / f"r.tsv.{suffix}", bytes(damaged)))
        refused_or_read(write(tmp_path / f"r.tsv.{suffix}", whole[: int(draw.integers(len(whole)))]))
    if suffix != "bz2":
        with pytest.raises(InputError, match=r"this is a (gzip|xz|zstd) file, text is expected"):
            read(write(tmp_path / "r.tsv", whole))


def test_paths_that_cannot_be_followed(tmp_path: Path) -> None:
    loop = tmp_path / "loop.csv"
    loop.symlink_to(loop)
    bad = {
        str(tmp_path / ("x" * 300)): "File name too long",
        str(tmp_path) + "/x" * 3000: "File name too long",
        "x" * 300 + "*": "no file matches|too long",
        str(loop): "Too many levels of symbolic links",
        "~nosuchuser/r.csv": "no home folder of this name",
        "a\0b": "no path holds a NUL",
        "/dev/zero": "neither a file nor a pipe",
        str(tmp_path / "none" / "r.csv"): "no such file; nor is there a folder",
    }
    for path, message in bad.items():
        for way in WAYS[:3]:
            with pytest.raises(InputError, match=message):
                way(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_folders_that_may_not_be_read(tmp_path: Path) -> None:
    inside = tmp_path / "closed"
    inside.mkdir()
    write(inside / "r.csv", "1,2,3\n")
    inside.chmod(0)
    try:
        for path in (inside / "r.csv", inside):
            with pytest.raises(InputError, match="Permission denied"):
                read(path)
    finally:
        inside.chmod(0o700)


def test_too_little_memory_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "r.csv", "1,2,3\n")

    def full(*_: Any, **__: Any) -> None:
        raise MemoryError

    for place in ("heldout.data.sources._stream", "heldout.data.tabular.plain_columns", "heldout.data.readers.csv.log_of"):
        with monkeypatch.context() as patched:
            patched.setattr(place, full)
            with pytest.raises(InputError, match=r"r\.csv: there is not enough memory to read this file"):
                read(path)
