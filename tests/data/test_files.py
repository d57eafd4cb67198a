"""Where files are and how their bytes are read: paths, patterns, pipes, compression, progress."""

from __future__ import annotations

import bz2
import errno
import gzip
import hashlib
import lzma
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from tests.data.files import WAYS, rows, write
from tests.refusals import refused

from heldout import InputError, read, read_log
from heldout.data import delimited, sources
from heldout.data.read import reader_of
from heldout.data.runs import read_run
from heldout.data.sources import file_digest, plain_name, read_bytes, read_head
from heldout.progress import FileReading, file_being_read, file_reading, listening

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
    with refused(InputError, file=path, expected=f"data in the format {suffix}"):
        read_bytes(path)


@pytest.mark.parametrize("suffix", [s for s in PACKERS if s])
def test_a_file_that_is_not_what_its_name_says_is_an_error(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"r.tsv{suffix}"
    path.write_bytes(b"1\t2\t3\n")
    with refused(InputError, file=path, expected=f"data in the format {suffix}"):
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
    with refused(InputError, file=path, expected=f"data in the format {suffix}"):
        read_bytes(path)


@pytest.mark.parametrize("chunk", [1, 7, 1 << 16])
def test_zeros_between_members_of_xz(tmp_path: Path, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_CHUNK", chunk)
    path = tmp_path / "r.tsv.xz"
    one, two = lzma.compress(b"1\t2\n"), lzma.compress(b"3\t4\n")
    path.write_bytes(one + bytes(8) + two + bytes(4))
    assert read_bytes(path) == b"1\t2\n3\t4\n"
    path.write_bytes(one + bytes(6) + two)
    with refused(InputError, file=path, found="the padding between two members has a wrong length"):
        read_bytes(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    (tmp_path / "ratings.dat").write_text("x")
    with refused(InputError, file="rating.dat", hint="did you mean ratings.dat?"):
        read_bytes(tmp_path / "rating.dat")
    with refused(InputError, file=tmp_path, expected="a file", hint="such as ratings.dat"):
        read_bytes(tmp_path)


def test_paths_that_cannot_be_followed(tmp_path: Path) -> None:
    loop = tmp_path / "loop.csv"
    loop.symlink_to(loop)
    too_long = {"found": os.strerror(errno.ENAMETOOLONG)}
    parts_by_path: dict[str, dict[str, Any]] = {
        str(tmp_path / ("x" * 300)): too_long,
        str(tmp_path) + "/x" * 3000: too_long,
        "x" * 300 + "*": too_long,
        str(loop): {"found": os.strerror(errno.ELOOP)},
        "~nosuchuser/r.csv": {"file": "r.csv", "hint": "write the path in full"},
        "a\0b": {"file": "a\\0b", "found": "\0"},
        "/dev/zero": {"file": "zero", "expected": "a file or a pipe"},
        str(tmp_path / "none" / "r.csv"): {"file": "r.csv", "hint": f"there is no folder {tmp_path / 'none'}"},
    }
    for path, parts in parts_by_path.items():
        for way in WAYS[:3]:
            with refused(InputError, **parts):
                way(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_folders_that_may_not_be_read(tmp_path: Path) -> None:
    inside = tmp_path / "closed"
    inside.mkdir()
    write(inside / "r.csv", "1,2,3\n")
    inside.chmod(0)
    try:
        for path in (inside / "r.csv", inside):
            with refused(InputError, found=os.strerror(errno.EACCES)):
                read(path)
    finally:
        inside.chmod(0o700)


def test_a_pattern_reads_many_files(tmp_path: Path) -> None:
    for k in (1, 2, 3):
        write(tmp_path / f"day-{k}.csv", f"user,item,rating\nu{k},i,{k}\n")
    (tmp_path / "day-4.csv.gz").write_bytes(gzip.compress(b"user,item,rating\n7,i,4\n"))
    log = read_log(str(tmp_path / "day-*.csv*"))
    assert rows(log) == [("u1", "i", 1.0), ("u2", "i", 2.0), ("u3", "i", 3.0), ("7", "i", 4.0)]
    assert len({reader_of(str(tmp_path / f"day-{k}.csv")).source_digest() for k in ("*", "[12]", "1")}) == 3
    with refused(InputError, file="night-*.csv", found=0, expected="at least one matching file"):
        read(str(tmp_path / "night-*.csv"))
    (tmp_path / "night-6.csv").mkdir()
    write(tmp_path / "night-7.csv", "user,item,rating\na,b,1\n")
    with refused(
        InputError, file="night-6.csv", found=str(tmp_path / "night-*.csv"), hint=str(tmp_path / "**" / "night-*.csv")
    ):
        read(str(tmp_path / "night-*.csv"))
    write(tmp_path / "night-6.csv" / "night-6a.csv", "user,item,rating\na,c,2\n")
    assert rows(read_log(str(tmp_path / "**" / "night-*.csv"))) == [("a", "c", 2.0), ("a", "b", 1.0)]
    write(tmp_path / "day-5.csv", "user,item,rating,timestamp\na,b,1,5\n")
    with refused(InputError, file="day-1.csv", column="time"):
        read(str(tmp_path / "day-?.csv"))


PIPED = "user,item,rating\n" + "".join(f"{k},{k % 7},{k % 5}\n" for k in range(30_000))


def piped(path: Path, text: str) -> threading.Thread:
    thread = threading.Thread(target=lambda: path.write_text(text))
    thread.start()
    return thread


@pytest.mark.parametrize("name", ["r", "r.csv", "r.dat"])
def test_a_named_pipe(tmp_path: Path, name: str) -> None:
    pipe = tmp_path / name
    os.mkfifo(pipe)
    thread = piped(pipe, PIPED)
    reader = reader_of(pipe)
    assert len(reader.read()) == 30_000
    digest = reader.source_digest()
    thread.join()
    assert len(reader.read()) == 30_000  # again: it is kept
    (tmp_path / "file").write_text(PIPED)
    assert digest == reader_of(tmp_path / "file").source_digest()


def test_a_pipe_that_is_written_to_again_is_read_again(tmp_path: Path) -> None:
    pipe = tmp_path / "r.csv"
    os.mkfifo(pipe)
    for lines in ("1,2,3\n", "1,2,3\n4,5,6\n"):
        thread = piped(pipe, "user,item,rating\n" + lines)
        time.sleep(0.2)  # the writer waits for a reader
        assert len(read(pipe)) == lines.count("\n")
        thread.join()


@pytest.mark.parametrize("command", ["describe", "evaluate"])
def test_standard_input(tmp_path: Path, command: str) -> None:
    (tmp_path / "run.csv").write_text("user,item,score\n1,2,0.5\n1,3,0.4\n2,2,0.1\n")
    given = {
        "describe": ["data", "describe", "/dev/stdin", "--json"],
        "evaluate": ["evaluate", "--qrels", "/dev/stdin", "--run", "run.csv", "-m", "P@1", "--format", "csv"],
    }[command]
    done = subprocess.run(
        [sys.executable, "-c", "from heldout.cli import main; main()", *given],
        input="user,item,rating\n1,2,5\n1,3,1\n2,2,4\n",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"ratings": 3' in done.stdout if command == "describe" else ",1.0" in done.stdout


def test_runs_through_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "run.txt"
    os.mkfifo(pipe)
    thread = piped(pipe, "u Q0 x 1 0.9 me\nu Q0 y 2 0.5 me\n")
    assert read_run(pipe).score.tolist() == [0.9, 0.5]
    thread.join()


ROWS = "".join(f"{user},{item},{1 + (user + item) % 5}\n" for user in range(100) for item in range(20))


@pytest.mark.parametrize("compressed", [False, True])
def test_a_large_text_says_how_far_it_is_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, compressed: bool
) -> None:
    """In blocks of a fifth of the text; of a compressed one, the bytes that are stored count."""
    path = tmp_path / ("ratings.csv.gz" if compressed else "ratings.csv")
    data = ROWS.encode()
    path.write_bytes(gzip.compress(data) if compressed else data)
    parsed: list[int] = []

    def noted(reading: FileReading, position: int) -> None:
        assert reading is file_being_read() and (reading.name, reading.size) == (path.name, path.stat().st_size)
        parsed.append(position)

    monkeypatch.setattr(delimited, "BLOCK", len(data) // 5 + 1)
    monkeypatch.setattr(FileReading, "advance", noted)
    assert len(read(path)) == 2000
    assert len(parsed) == 5 and parsed == sorted(parsed) and parsed[-1] == path.stat().st_size
    assert compressed or parsed[0] == len(data) // 5 + 1
    assert file_being_read() is None


def test_a_file_is_no_longer_read_when_it_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "ratings.csv").write_text("1,2,3\n1,3,x\n")
    with refused(InputError, line=2):
        read(tmp_path / "ratings.csv")
    assert file_being_read() is None


def test_of_several_files_the_first_is_told_until_it_is_read(tmp_path: Path) -> None:
    with file_reading(tmp_path / "pipe") as first:
        with file_reading(tmp_path / "other"):
            assert file_being_read() is first
        assert file_being_read() is first and first.size is None  # what is no file has no size
    assert file_being_read() is None


def test_listeners_are_called_when_a_file_begins_and_when_it_is_parsed_further(tmp_path: Path) -> None:
    seen: list[tuple[str, int] | None] = []

    def look() -> None:
        reading = file_being_read()
        seen.append((reading.name, reading.parsed) if reading else None)

    with listening(look), file_reading(tmp_path / "ratings.csv") as reading:
        reading.advance(300)
        reading.advance(700)
    with file_reading(tmp_path / "other.csv"):
        pass
    assert seen == [("ratings.csv", 0), ("ratings.csv", 300), ("ratings.csv", 700)]
