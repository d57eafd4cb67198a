"""Progress that is told."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from tests.api.test_results import STUDY

import heldout as ho
from heldout.data import delimited
from heldout.progress import STEPS, FileReading
from heldout.reports.render.progress import notebook
from heldout.web.summaries import study_work


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    ho.run({**STUDY, "recommend": "Popularity"}, progress=lambda *step: told.append(step))
    steps = [(done, total) for stage, done, total in told if stage == "Popularity"]
    assert steps[-1] == (STEPS, STEPS) and len(steps) > 1  # the only system
    assert steps == sorted(steps)


@pytest.mark.parametrize("verb", [ho.run, ho.multiverse])
def test_progress_is_noted_in_the_folder_while_the_work_lasts(
    tmp_path: Path, verb: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heldout.reports.render.progress.PAUSE", 0.0)
    seen: list[dict[str, Any]] = []
    folder = tmp_path / "out"
    systems = ["Popularity", "Random"]
    verb({**STUDY, "recommend": systems}, out=folder, progress=lambda *_: seen.append(study_work(folder).progress))
    stages = [state["stages"] for state in seen if state]
    assert "reading" in stages[0][0] and len(stages[-1]) > 2
    done = [(state["done"], state["total"]) for state in seen if state.get("total")]
    assert done == sorted(done) and done[-1][0] > 0
    assert not (folder / ".work").exists() and study_work(folder).writer == {}


def test_the_file_that_is_read_is_noted_in_the_folder_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text of 1.1 MB in blocks of 0.3: no stage begins between them, and each is noted."""
    monkeypatch.setattr("heldout.reports.render.progress.PAUSE", 0.0)
    monkeypatch.setattr(delimited, "BLOCK", 300_000)
    ratings, folder = tmp_path / "ratings.csv", tmp_path / "out"
    ratings.write_text("".join(f"{user},{item},{1 + (user + item) % 5}\n" for user in range(1100) for item in range(110)))
    estimates: list[str] = []
    advance = FileReading.advance

    def advance_and_look(reading: FileReading, parsed: int) -> None:
        advance(reading, parsed)
        estimates.append(study_work(folder).progress["estimate"])

    monkeypatch.setattr(FileReading, "advance", advance_and_look)
    ho.run({**STUDY, "data": str(ratings), "recommend": "Popularity"}, out=folder)
    shares = [re.fullmatch(r"(\d+)% of ratings.csv \(1 MB\).*", estimate) for estimate in estimates]
    assert len(shares) >= 4 and all(shares)
    assert [int(share[1]) for share in shares if share] == sorted({int(share[1]) for share in shares if share})


@pytest.mark.parametrize(
    ("shell", "kernel"), [(None, None), (SimpleNamespace(), None), (SimpleNamespace(kernel=1), "jupyter")]
)
def test_a_notebook_has_a_kernel(shell: object, kernel: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script may import ipykernel, or run in IPython's terminal, and has no cells to draw into."""
    ipython = ModuleType("IPython")
    monkeypatch.setattr(ipython, "get_ipython", lambda: shell, raising=False)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    assert notebook() == kernel
    monkeypatch.delitem(sys.modules, "ipykernel")
    assert notebook() is None


@pytest.mark.parametrize(("running", "kernel"), [(True, "marimo"), (False, None)])
def test_marimo_says_whether_its_notebook_runs(running: bool, kernel: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    marimo = ModuleType("marimo")
    monkeypatch.setattr(marimo, "running_in_notebook", lambda: running, raising=False)
    monkeypatch.setitem(sys.modules, "marimo", marimo)
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    assert notebook() == kernel
