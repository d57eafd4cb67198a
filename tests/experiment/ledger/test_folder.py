"""The results folder under adversity: damage, full disks, a second writer, another program's hands."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.experiment.conftest import LEAST, content, copied, scores

import heldout as ho
from heldout.errors import ResultsError
from heldout.experiment.ledger import Ledger, files
from heldout.experiment.ledger.index import Index
from heldout.experiment.ledger.part import read_header, write_part
from heldout.experiment.reuse import lasting, reuse_sentence, why_again

# Damage


def test_every_changed_byte_of_a_part_is_noticed(whole: Path, tmp_path: Path) -> None:
    """Thirty bytes all over a file: a changed one is not read as results."""
    out = copied(whole, tmp_path)
    part = next((out / "scores").glob("*.parquet"))
    good, key = part.read_bytes(), part.stem
    unchanged = Ledger(out).load(key)
    for at in range(0, len(good), len(good) // 30):
        part.write_bytes(good[:at] + bytes([good[at] ^ 0x55]) + good[at + 1 :])
        with pytest.raises(ResultsError, match="delete this file and run the study again") as told:
            Ledger(out).load(key)
        assert str(told.value).startswith(f"{part}: this part of the results is not what was written here")
    part.write_bytes(good)
    assert [s.digest for s in Ledger(out).load(key).scores] == [s.digest for s in unchanged.scores]


@pytest.mark.parametrize("change", ["gone", "edited"])
def test_curves_beside_a_part_are_missed(change: str, whole: Path, tmp_path: Path) -> None:
    out = copied(whole, tmp_path)
    curves = next((out / "scores").glob("*.curves.json"))
    if change == "gone":
        curves.unlink()
    else:
        curves.write_text(curves.read_text().replace("0.5", "0.6", 1))
    before = content(out)
    with pytest.raises(
        ResultsError, match=r"curves\.json: this part of the results (cannot be read|is not what was written here)"
    ) as error:
        ho.run(LEAST, out=out)
    assert ("No such file" if change == "gone" else "does not hold what was written") in str(error.value)
    assert {k: v for k, v in content(out).items() if k.startswith("scores")} == {
        k: v for k, v in before.items() if k.startswith("scores")
    }


def test_parts_know_their_key_and_their_bytes(tmp_path: Path) -> None:
    """Whichever byte is changed, added or cut off, the part is refused before a reader of Parquet sees it."""
    frame = pl.DataFrame({"a": [1, None, 3], "b": ["x", "x", None], "c": [0.5, float("nan"), 1.0]})
    path = tmp_path / "t.parquet"
    write_part(frame, path, "k", {"about": {"system": "A"}, "text": "heldout.seal é"})
    assert read_header(path, "k") == {"about": {"system": "A"}, "text": "heldout.seal é", "key": "k"}
    assert pl.read_parquet(path).equals(frame, null_equal=True)
    with pytest.raises(files.ChangedPartError, match="it is the part k of A, under another name"):
        read_header(path, "other")
    good = path.read_bytes()
    changed = [good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :] for at in range(len(good))]
    for damaged in (*changed, good[:-1], good[: len(good) // 2], good + b"x", b"", b"PAR1"):
        path.write_bytes(damaged)
        with pytest.raises(files.ChangedPartError):
            read_header(path, "k")
    write_part(frame, path, "k", {"about": {"system": "A"}, "text": "heldout.seal é"})
    assert path.read_bytes() == good


# The index


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


def test_what_killed_runs_leave_is_cleared(whole: Path, tmp_path: Path) -> None:
    out = copied(whole, tmp_path)
    (out / "scores" / ".x.parquet.part-9-0~").write_text("half")
    (out / ".facts.json.part-9-1~").write_text("half")
    (out / ".work").mkdir()
    (out / ".work" / "fold").write_text("x")
    (out / ".lock").write_text("{")
    ho.run(LEAST, out=out)
    assert set(content(out)) == set(content(whole))


# Disks


def _fails_with(number: int, left: int) -> Any:
    """A flush that fails after some have not: when a file of some size reaches the disk."""
    count = 0
    flush = os.fsync

    def fail(handle: int) -> None:
        nonlocal count
        count += 1
        if count > left:
            raise OSError(number, os.strerror(number))
        flush(handle)

    return fail


@pytest.mark.parametrize("left", [0, 3, 7])
def test_a_full_disk_loses_nothing(left: int, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", _fails_with(errno.ENOSPC, left))
        with pytest.raises(ResultsError, match=r"cannot be written \(the disk is full\); what was kept before is") as told:
            ho.run(LEAST, out=out, threads=1)
    assert str(told.value).endswith("make room and run the same study again: it goes on where it stopped")
    kept = content(out) if out.exists() else {}
    expected = content(whole)
    assert all(kept[name] == expected[name] for name in kept if name.endswith((".parquet", ".curves.json")))
    assert not any(".part-" in name for name in kept)
    ho.run(LEAST, out=out, threads=1)
    assert scores(out) == scores(whole)
    assert (out / "facts.json").read_bytes() == (whole / "facts.json").read_bytes()


_SMALL = """
import resource, signal, sys, json
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
import heldout as ho
from heldout.errors import ResultsError
study, out = json.loads(sys.argv[1]), sys.argv[2]
ho.run(study)
resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))
try:
    ho.run(study, out=out)
except ResultsError as error:
    print(error)
"""


def test_files_that_a_system_cuts_off_are_not_kept(tmp_path: Path) -> None:
    """The real thing, by a limit of the process: Parquet's writer, not Python's, is what fails."""
    out = tmp_path / "out"
    large = {**LEAST, "recommend": "Random", "data": "simulate(users=300, items=60, ratings=8000)"}
    ran = subprocess.run(
        [sys.executable, "-c", _SMALL, json.dumps(large), str(out)], capture_output=True, text=True, check=True
    )
    assert "cannot be written" in ran.stdout, ran.stdout + ran.stderr
    assert "what was kept before is untouched" in ran.stdout
    assert not list(out.rglob("*.parquet"))
    assert not list(out.rglob(".*.part-*"))


def test_a_folder_that_turns_read_only(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = copied(whole, tmp_path)
    before = content(out)
    monkeypatch.setattr("os.access", lambda _, mode: not mode & os.W_OK)  # root may write anywhere
    with pytest.raises(ResultsError, match=r"cannot write there \(no permission\)"):
        ho.run({**LEAST, "metrics": "Recall@5"}, out=out)
    assert content(out) == before
    assert ho.Results.load(out).per_user().height > 0


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.EIO, errno.EDQUOT, errno.EFBIG])
def test_what_cannot_be_written_is_told_plainly(number: int, tmp_path: Path) -> None:
    def write(_: Path) -> None:
        raise OSError(number, os.strerror(number))

    with pytest.raises(ResultsError, match=r"cannot be written \(.+\); what was kept before is untouched; ") as told:
        files.write_whole(tmp_path / "x" / "part", write)
    assert str(told.value).startswith(str(tmp_path / "x" / "part"))
    assert list((tmp_path / "x").iterdir()) == []


# What is used again


def test_why_a_cell_is_done_again() -> None:
    now: dict[str, Any] = {
        "complete": True,
        "seed": 1,
        "versions": {"heldout": "1"},
        "inputs": {"a.csv": "0"},
        "study": {
            "recommend": [{"name": "A", "model": "A(k=1)"}],
            **{stage: ["x"] for stage in ("users", "fallback", "relevance", "target", "unrated", "ties", "metrics")},
        },
        "parts": {"d | f | s | 0 | A": "k1"},
        "folds": {"d | f | s | 0": "f1"},
        "cells": {},
    }

    def why(**changes: Any) -> str:
        return why_again({**now, **changes}, now, "d | f | s | 0 | A", "d | f | s | 0", "A")

    other = {"parts": {"d | f | s | 0 | A": "k0"}}
    assert why_again(None, now, "d | f | s | 0 | A", "d | f | s | 0", "A") == ""
    assert why() == "its file is gone"
    assert why(complete=False) == "it was not done before"
    assert why(parts={}) == "it is new"
    assert why(parts={}, failed={"d | f | s | 0 | A": "fit: no"}) == "it failed before"
    assert why(**other, versions={"heldout": "0"}) == "Heldout's version changed"
    assert why(**other, folds={}) == "its ratings changed"
    assert why(**other, seed=2) == "the seed changed"
    model = {"study": {**now["study"], "recommend": [{"name": "A", "model": "A(k=2)"}]}}
    assert why(**other, **model) == "its parameters changed"
    assert why(**other, study={**now["study"], "ties": ["y"], "metrics": ["z"]}) == "ties and metrics changed"
    assert why(**other, inputs={}) == "a file that is read changed"
    assert lasting({**now, "seconds": {}, "reused": "", "engine": "2 processes"}).keys() == now.keys() - {"cells"}


def test_what_is_told_of_a_run() -> None:
    assert reuse_sentence({"a | A": {"done": "fitted", "because": ""}}) == ""
    cells = {f"0 | {name}": {"done": "reused", "because": ""} for name in "ABC"}
    assert reuse_sentence(cells) == "3 of 3 cells reused"
    cells["0 | WRMF"] = {"done": "fitted", "because": "its parameters changed"}
    assert reuse_sentence(cells) == "3 of 4 cells reused; WRMF fitted: its parameters changed"


def test_a_changed_file_and_version_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "ratings.csv"
    ho.read("simulate(users=40, items=20, ratings=300)").to_polars().write_csv(data)
    study = {**LEAST, "data": str(data), "metrics": "P@5"}
    reused = []
    for _ in range(2):
        outcome = ho.run(study, out=tmp_path / "out").outcome
        assert outcome is not None
        reused.append(outcome.manifest["reused"])
    lines = data.read_text().splitlines()
    data.write_text("\n".join([*lines[:-1], lines[-1].rpartition(",")[0] + ",5.0"]) + "\n")
    outcome = ho.run(study, out=tmp_path / "out").outcome
    assert outcome is not None
    reused.append(outcome.manifest["reused"])
    for module in ("experiment.cell", "experiment.ranks"):
        monkeypatch.setattr(f"heldout.{module}.__version__", "99.0")
    monkeypatch.setattr("heldout.experiment.run.versions", lambda: {"heldout": "99.0"})
    outcome = ho.run(study, out=tmp_path / "out").outcome
    assert outcome is not None
    reused.append(outcome.manifest["reused"])
    assert reused == [
        "",
        "2 of 2 cells reused",
        "0 of 2 cells reused; Popularity, Random fitted: its ratings changed",
        "0 of 2 cells reused; Popularity, Random fitted: Heldout's version changed",
    ]


def test_a_disk_that_cannot_lock_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", refuse)
    with pytest.raises(ResultsError, match=r"this disk cannot lock files \(No locks available\)"):
        ho.run(LEAST, out=tmp_path / "out")
