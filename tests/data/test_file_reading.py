"""How far the reading of a file is."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from heldout import read
from heldout.data import tabular
from heldout.data.file_reading import FileReading, file_being_read, file_reading, listening
from heldout.errors import InputError

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

    monkeypatch.setattr(tabular, "BLOCK", len(data) // 5 + 1)
    monkeypatch.setattr(FileReading, "advance", noted)
    assert len(read(path)) == 2000
    assert len(parsed) == 5 and parsed == sorted(parsed) and parsed[-1] == path.stat().st_size
    assert compressed or parsed[0] == len(data) // 5 + 1
    assert file_being_read() is None


def test_a_file_is_no_longer_read_when_it_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "ratings.csv").write_text("1,2,3\n1,3,x\n")
    with pytest.raises(InputError):
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
