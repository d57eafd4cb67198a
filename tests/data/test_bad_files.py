"""Files that are damaged, impossible or hostile: each ends in a sentence that names it, never in a traceback."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard
from tests.data.files import refused_or_read, write

from heldout import read, read_log
from heldout.errors import InputError

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
    with pytest.raises(InputError, match=r"line 3, column 'rating': 'x' is not a finite number"):
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
        with pytest.raises(InputError, match=r"this is a (gzip|xz|zstd) file, text is expected"):
            read(write(tmp_path / "r.tsv", whole))


def test_too_little_memory_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "r.csv", "1,2,3\n")

    def full(*_: Any, **__: Any) -> None:
        raise MemoryError

    for place in (
        "heldout.data.sources._uncompressed",
        "heldout.data.tabular.plain_columns",
        "heldout.data.readers.csv.log_of",
    ):
        with monkeypatch.context() as patched:
            patched.setattr(place, full)
            with pytest.raises(InputError, match=r"r\.csv: there is not enough memory to read this file"):
                read(path)


def test_a_zip_is_named_as_what_it_is(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "r.csv", "w") as archive:
        archive.writestr("r.csv", "1,2,3\n")
    with pytest.raises(InputError, match="this is a zip file"):
        read(tmp_path / "r.csv")
