"""The index tells of every part, and is made anew from the files."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

import pytest
from tests.experiment.conftest import LEAST, copied, scores

import heldout as ho
from heldout.experiment.ledger.index import Index


def test_the_index_tells_of_every_part(whole: Path) -> None:
    rows = Index(whole).parts()
    files = {str(p.relative_to(whole)): p.stat().st_size for p in whole.rglob("*.parquet")}
    assert {row[0]: row[6] for row in rows} == files
    assert {(row[1], row[4]) for row in rows} == {("scores", 0), ("ranks", 0)}
    assert sorted(row[3] for row in rows if row[1] == "scores") == ["Popularity", "Random"]
    assert all(row[5] == ho.__version__ and len(row[7]) == 64 for row in rows)
    assert Index(whole).failures() == []
    with sqlite3.connect(whole / "index.sqlite") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize("damage", ["gone", "garbage", "cut"])
def test_the_index_is_made_anew_from_the_files(damage: str, whole: Path, tmp_path: Path) -> None:
    out = copied(whole, tmp_path)
    expected = [row[:8] for row in Index(out).parts()]
    path = out / "index.sqlite"
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(b"x" * 5000 if damage == "garbage" else path.read_bytes()[:700])
    found = ho.run(LEAST, out=out)
    assert found._source is not None
    assert found._source.manifest["reused"] == "scores of 2 of 2 cells reused"
    assert [row[:8] for row in Index(out).parts()] == expected
    assert scores(out) == scores(whole)


def test_failures_are_noted_until_the_cell_is_done(tmp_path: Path) -> None:
    index = Index(tmp_path)
    index.fail("c1", "A", 0, "fit: no", "traceback")
    index.fail("c1", "A", 0, "score: no", "")
    index.fail("c2", "B", 1, "fit: no", "")
    assert [row[:5] for row in index.failures()] == [("c1", "A", 0, "score: no", ""), ("c2", "B", 1, "fit: no", "")]
    index.done("c1")
    index.done("never failed")
    assert [row[0] for row in index.failures()] == ["c2"]


def test_files_that_come_and_go_are_noted_anew(tmp_path: Path) -> None:
    (tmp_path / "scores").mkdir()
    first, second = tmp_path / "scores" / "a.parquet", tmp_path / "universes.parquet"
    first.write_bytes(b"no parquet")
    index = Index(tmp_path)
    index.refresh()
    assert [(row[0], row[1], row[2], row[6]) for row in index.parts()] == [("scores/a.parquet", "scores", "a", 10)]
    second.write_bytes(b"x")
    first.write_bytes(b"longer now")
    first.write_bytes(b"longer than that")
    index.refresh()
    assert [(row[0], row[1], row[6]) for row in index.parts()] == [
        ("scores/a.parquet", "scores", 16),
        ("universes.parquet", "universes", 1),
    ]
    first.unlink()
    index.refresh()
    assert [row[0] for row in index.parts()] == ["universes.parquet"]


def test_a_disk_without_room_is_no_damaged_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index(tmp_path)
    index.fail("c", "A", 0, "no", "")
    for message, number in (("database or disk is full", errno.ENOSPC), ("disk I/O error", errno.EIO)):

        def refuse(*_: object, message: str = message) -> None:
            raise sqlite3.OperationalError(message)

        with monkeypatch.context() as patched:
            patched.setattr(index, "_write", refuse)
            with pytest.raises(OSError) as told:
                index.done("c")
        assert told.value.errno == number
    assert len(index.failures()) == 1  # nothing was thrown away
