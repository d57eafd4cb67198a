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

from heldout.data import sources
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


PACKED = [s for s in PACKERS if s]


@pytest.mark.parametrize("suffix", PACKED)
def test_members_one_after_another_are_one_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"r.tsv{suffix}"
    pack = PACKERS[suffix]
    path.write_bytes(pack(TEXT) + pack(b"") + pack(b"3\t4\n"))
    assert read_bytes(path) == TEXT + b"3\t4\n"
    path.write_bytes(pack(b""))
    assert read_bytes(path) == b""


@pytest.mark.parametrize("suffix", PACKED)
@pytest.mark.parametrize("damage", ["flipped", "cut", "trailing garbage", "one byte more", "zeros and garbage"])
def test_damage_behind_the_first_member_is_an_error(tmp_path: Path, suffix: str, damage: str) -> None:
    path = tmp_path / f"r.tsv{suffix}"
    first, second = PACKERS[suffix](TEXT), PACKERS[suffix](TEXT[::-1])
    middle = len(second) // 2
    path.write_bytes(
        {
            "flipped": first + second[:1] + bytes([second[1] ^ 255]) + second[2:],
            "cut": first + second[:middle],
            "trailing garbage": first + b"1\t2\t3\n" * 20,
            "one byte more": first + b"x",
            "zeros and garbage": first + bytes(8) + b"1\t2\t3\n",
        }[damage]
    )
    with pytest.raises(InputError, match="damaged"):
        read_bytes(path)


@pytest.mark.parametrize("chunk", [1, 7, 1 << 16])
def test_zeros_between_members_of_xz(tmp_path: Path, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_CHUNK", chunk)
    path = tmp_path / "r.tsv.xz"
    one, two = lzma.compress(b"1\t2\n"), lzma.compress(b"3\t4\n")
    path.write_bytes(one + bytes(8) + two + bytes(4))
    assert read_bytes(path) == b"1\t2\n3\t4\n"
    path.write_bytes(one + bytes(6) + two)
    with pytest.raises(InputError, match="the padding between two members has a wrong length"):
        read_bytes(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    (tmp_path / "ratings.dat").write_text("x")
    with pytest.raises(InputError, match=r"no such file; did you mean ratings\.dat\?"):
        read_bytes(tmp_path / "rating.dat")
    with pytest.raises(InputError, match="this is a folder, a file is expected"):
        read_bytes(tmp_path)
