"""Files that are damaged, impossible or hostile: each ends in a sentence that names it, never in a traceback."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import zstandard
from tests.data.files import refused_or_read, write
from tests.refusals import refused

from heldout import InputError, read, read_log, read_side
from heldout.data import parquet
from heldout.data.runs import read_run

LONG = "x" * 140_000


MANY = "1" * 400


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
    with refused(InputError, line=3, column="rating", found="x", expected="a finite number"):
        read_log(write(path, f'user,item,rating,text\n1,2,3,"{LONG}"\n2,3,x,"{LONG}"\n'))


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
        with refused(
            InputError, file="r.tsv", found={"gz": "gzip", "zst": "zstd"}.get(suffix, suffix), expected="a text file"
        ):
            read(write(tmp_path / "r.tsv", whole))


def test_too_little_memory_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "r.csv", "1,2,3\n")

    def full(*_: Any, **__: Any) -> None:
        raise MemoryError

    for place in (
        "heldout.data.sources._uncompressed",
        "heldout.data.text_rows.TextRows.columns",
        "heldout.data.readers.csv.log_of",
    ):
        with monkeypatch.context() as patched:
            patched.setattr(place, full)
            with refused(InputError, file="r.csv", hint="memory"):
                read(path)


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
        with refused(InputError, file="r.parquet", expected="a Parquet file"):
            way(path)
