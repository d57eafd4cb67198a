"""A study small enough to run in a moment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import heldout as ho
from heldout.experiment.cell import CellTask

STUDY: dict[str, Any] = {
    "data": "simulate(users=90, items=40, ratings=1500)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "UserKNN(k=5)", "WRMF(factors=4, iterations=2)"],
    "target": ["AllItems", "OnePlusRandom(10)"],
    "metrics": ["nDCG(gain=binary)@5", "P@5"],
    "compare": ["t"],
}


def scores(folder: Path) -> dict[str, bytes]:
    """The parts of a results folder, by name."""
    return {path.name: path.read_bytes() for path in sorted((folder / "scores").glob("*"))}


SMALL = {**STUDY, "recommend": ["Popularity", "Random"], "target": "AllItems", "metrics": "P@5"}
LABEL = "simulate(users=90, items=40, ratings=1500) | none | ratio(train=0.7, by=user) | 0"
"""The label of the only fold of SMALL."""
LEAST = {**STUDY, "recommend": ["Popularity", "Random"], "target": "AllItems", "metrics": ["P@5", "UROC"]}


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "out"
    ho.run(LEAST, out=folder, threads=1)
    return folder


def copied(whole: Path, to: Path) -> Path:
    for path in (p for p in whole.rglob("*") if p.is_file()):
        (to / path.relative_to(whole)).parent.mkdir(parents=True, exist_ok=True)
        (to / path.relative_to(whole)).write_bytes(path.read_bytes())
    return to


def content(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture
def count_cells(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The systems that are computed, as they are."""
    computed: list[str] = []

    compute = CellTask.compute

    def counted(task: CellTask, arrived: Any) -> Any:
        computed.append(f"{task.system.name} {task.fold.split.fold}")
        return compute(task, arrived)

    monkeypatch.setattr(CellTask, "compute", counted)
    return computed
