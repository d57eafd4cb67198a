"""What other processes can see of the work on a folder."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from heldout.experiment.failure import Failure
from heldout.experiment.ledger import Ledger, work_seen, writer_of


def test_the_work_is_seen_while_it_lasts(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    ledger = Ledger(folder)
    with ledger.writing():
        ledger.announce({"complete": False, "parts": {"a": "0" * 32, "b": "1" * 32}})
        ledger.begin()
        ledger.note_progress({"stage": "fitting", "done": 3, "total": 10, "stages": ["reading", "fitting"]})
        ledger.note_failure(Failure(cell="cell", system="A", fold=0, stage="fit", reason="no luck", details="", error=None))
        seen = work_seen(folder)
        assert seen.writer["pid"] == os.getpid()
        assert seen.progress == {"stage": "fitting", "done": 3, "total": 10, "stages": ["reading", "fitting"]}
        assert seen.failures == (("cell", "no luck"),) and (seen.kept, seen.cells) == (0, 2)
        (folder / "scores").mkdir()
        (folder / "scores" / f"{'1' * 32}.parquet").touch()
        assert work_seen(folder).kept == 1
    seen = work_seen(folder)
    assert seen.writer == {} and seen.progress == {} and not (folder / ".work").exists()
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert seen.failures == (("cell", "no luck"),)
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before  # looking changes nothing


def test_a_killed_writer_is_none(tmp_path: Path) -> None:
    about = {"pid": 2**22 + 1, "host": os.uname().nodename, "since": "2026-01-01"}  # larger than any process has
    (tmp_path / ".lock").write_text(json.dumps(about))
    assert writer_of(tmp_path) == {}
    (tmp_path / ".lock").write_text(json.dumps({**about, "host": "another"}))
    assert writer_of(tmp_path)["host"] == "another"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "[" * 100_000,
        '{"pid": "x", "host": 1, "since": 2}',
        '{"pid": Infinity, "host": 1, "since": 2}',
        '{"pid": 4194304000, "host": 1, "since": 2}',
        '{"pid": -1, "host": 1, "since": 2}',
        '{"pid": 1, "host": 1, "since": 2}' + " " * 2**20,
    ],
)
def test_a_lock_that_says_nothing_is_no_writer(tmp_path: Path, content: str) -> None:
    (tmp_path / ".lock").write_text(content)
    assert writer_of(tmp_path) == {}


def test_a_damaged_index_or_manifest_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "index.sqlite").write_bytes(b"nonsense")
    (tmp_path / "manifest.json").write_bytes(b"{")
    seen = work_seen(tmp_path)
    assert seen.failures == () and seen.cells == 0
