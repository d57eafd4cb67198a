"""Files of any compression."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from heldout.data.sources import file_digest, plain_name, read_bytes, read_head
from heldout.errors import InputError

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": lambda b: b,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
    ".zst": lambda b: zstandard.ZstdCompressor().compress(b),
}
TEXT = b"".join(b"%d\t%d\t5\n" % (k, k) for k in range(50_000))


@pytest.mark.parametrize("suffix", PACKERS)
def test_every_compression_gives_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"r.tsv{suffix}"
    path.write_bytes(PACKERS[suffix](TEXT))
    assert read_bytes(path) == TEXT
    assert read_head(path, 10) == TEXT[:10]
    assert plain_name(path) == "r.tsv"
    assert file_digest(path) == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("suffix", [s for s in PACKERS if s])
def test_a_file_cut_short_is_an_error(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"r.tsv{suffix}"
    packed = PACKERS[suffix](TEXT)
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(InputError, match="damaged"):
        read_bytes(path)


@pytest.mark.parametrize("suffix", [s for s in PACKERS if s])
def test_a_file_that_is_not_what_its_name_says_is_an_error(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"r.tsv{suffix}"
    path.write_bytes(b"1\t2\t3\n")
    with pytest.raises(InputError, match="not compressed as its name says"):
        read_bytes(path)


def test_zstd_frames_one_after_another_are_one_file(tmp_path: Path) -> None:
    path = tmp_path / "r.zst"
    pack = zstandard.ZstdCompressor().compress
    path.write_bytes(pack(b"1\t2\n") + pack(b"3\t4\n"))
    assert read_bytes(path) == b"1\t2\n3\t4\n"


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    (tmp_path / "ratings.dat").write_text("x")
    with pytest.raises(InputError, match=r"no such file; did you mean ratings\.dat\?"):
        read_bytes(tmp_path / "rating.dat")
    with pytest.raises(InputError, match="this is a folder, a file is expected"):
        read_bytes(tmp_path)
