"""The results folder under adversity: damage, full disks, a second writer, another program's hands."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from tests.experiment.conftest import LEAST, content, copied, scores
from tests.refusals import refused

import heldout as ho
from heldout.errors import ResultsError
from heldout.experiment.provenance import lasting, reuse_sentence, why_again

# Damage


# The index


def test_what_killed_runs_leave_is_cleared(whole: Path, tmp_path: Path) -> None:
    out = copied(whole, tmp_path)
    (out / "scores" / ".x.parquet.part-9-0~").write_text("half")
    (out / ".findings.json.part-9-1~").write_text("half")
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
        with refused(
            ResultsError, where=str(out), hint="make room and run the same study again: it goes on where it stopped"
        ):
            ho.run(LEAST, out=out, threads=1)
    kept = content(out) if out.exists() else {}
    expected = content(whole)
    assert all(kept[name] == expected[name] for name in kept if name.endswith((".parquet", ".curves.json")))
    assert not any(".part-" in name for name in kept)
    ho.run(LEAST, out=out, threads=1)
    assert scores(out) == scores(whole)
    assert (out / "facts.json").read_bytes() == (whole / "facts.json").read_bytes()


def test_a_folder_that_turns_read_only(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = copied(whole, tmp_path)
    before = content(out)
    monkeypatch.setattr("os.access", lambda _, mode: not mode & os.W_OK)  # root may write anywhere
    with refused(ResultsError, where=str(tmp_path), hint="choose another --out"):
        ho.run({**LEAST, "metrics": "Recall@5"}, out=out)
    assert content(out) == before
    assert ho.load(out).per_user().height > 0


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
    assert lasting({**now, "seconds": {}, "reused": "", "engine": "Ray"}).keys() == now.keys() - {"cells"}


def test_what_is_told_of_a_run() -> None:
    assert reuse_sentence({"a | A": {"done": "fitted", "because": ""}}) == ""
    cells = {f"0 | {name}": {"done": "reused", "because": ""} for name in "ABC"}
    assert reuse_sentence(cells) == "scores of 3 of 3 cells reused"
    cells["0 | WRMF"] = {"done": "fitted", "because": "its parameters changed"}
    assert reuse_sentence(cells) == "scores of 3 of 4 cells reused; WRMF fitted: its parameters changed"


def test_a_changed_file_and_version_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "ratings.csv"
    ho.read("simulate(users=40, items=20, ratings=300)").to_polars().write_csv(data)
    study = {**LEAST, "data": str(data), "metrics": "P@5"}
    reused = []
    for _ in range(2):
        outcome = ho.run(study, out=tmp_path / "out")._source
        assert outcome is not None
        reused.append(outcome.manifest["reused"])
    lines = data.read_text().splitlines()
    data.write_text("\n".join([*lines[:-1], lines[-1].rpartition(",")[0] + ",5.0"]) + "\n")
    outcome = ho.run(study, out=tmp_path / "out")._source
    assert outcome is not None
    reused.append(outcome.manifest["reused"])
    for module in ("experiment.cell", "experiment.ranks"):
        monkeypatch.setattr(f"heldout.{module}.__version__", "99.0")
    monkeypatch.setattr("heldout.experiment.run.versions", lambda: {"heldout": "99.0"})
    outcome = ho.run(study, out=tmp_path / "out")._source
    assert outcome is not None
    reused.append(outcome.manifest["reused"])
    assert reused == [
        "",
        "scores of 2 of 2 cells reused",
        "scores of 0 of 2 cells reused; Popularity, Random fitted: its ratings changed",
        "scores of 0 of 2 cells reused; Popularity, Random fitted: Heldout's version changed",
    ]


def test_a_disk_that_cannot_lock_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", refuse)
    with refused(ResultsError, where="out", hint="choose --out on another disk"):
        ho.run(LEAST, out=tmp_path / "out")
