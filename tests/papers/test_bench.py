"""What is kept once is not computed again, in one call and in a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from heldout.experiment.work_share import STEPS, WorkBar
from heldout.papers.bench import PaperBench


@dataclass(frozen=True)
class Row:
    """What is kept."""

    number: float


@pytest.mark.parametrize("kept", [False, True])
def test_rows_are_computed_once(kept: bool, tmp_path: Path) -> None:
    calls: list[int] = []

    def compute() -> list[Row]:
        calls.append(1)
        return [Row(0.25)]

    bench = PaperBench(data="simulated", out=tmp_path if kept else None)
    assert bench.kept("a stage", ["x"], Row, compute) == bench.kept("a stage", ["x"], Row, compute) == [Row(0.25)]
    assert len(calls) == 1
    bench.kept("a stage", ["y"], Row, compute)
    assert len(calls) == 2
    PaperBench(data="simulated", out=tmp_path if kept else None).kept("a stage", ["x"], Row, compute)
    assert len(calls) == (2 if kept else 3)


def test_who_watches_is_told_what_is_run() -> None:
    told: list[tuple[str, int, int]] = []
    names = ("a-paper table-2", "a-paper table-3")
    bench = PaperBench(data="simulated")
    bench.bar = WorkBar(lambda *words: told.append(words), dict.fromkeys(names, 1), weights={names[0]: 3.0, names[1]: 1.0})
    with bench.experiment(names[0]):
        bench.piece = (1, 2)  # the second of two studies
        bench.tell("fitting kNN", 1, 3)
    PaperBench(data="simulated").tell("nobody watches", 0, 0)
    # The first experiment is 3 of 4 minutes; one of its studies and a third of the other are done: 3/4 · 2/3.
    assert told[:2] == [(names[0], 0, 0), (f"{names[0]}: fitting kNN", STEPS // 2, STEPS)]
