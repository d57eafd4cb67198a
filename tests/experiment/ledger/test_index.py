"""The index tells of every part, and is made anew from the files."""

from __future__ import annotations

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
    assert found.outcome is not None
    assert found.outcome.manifest["reused"] == "2 of 2 cells reused"
    assert [row[:8] for row in Index(out).parts()] == expected
    assert scores(out) == scores(whole)
