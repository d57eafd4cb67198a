"""What is kept once is not computed again, in one call and in a folder."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from tests.papers.sample import STUDY, TINY

from heldout.catalogue import make
from heldout.papers.bench import PaperBench
from heldout.progress import STEPS, WorkBar
from heldout.study.record import recorded_study


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
    assert told[:2] == [(names[0], 0, STEPS), (f"{names[0]}: fitting kNN", STEPS // 2, STEPS)]


def test_studies_are_noted_once_however_many_splits_they_are_run_on_and_with_their_data() -> None:
    bench = PaperBench(data="simulated")
    for experiment in ("a-paper table-2", "a-paper fig-1"):
        with bench.experiment(experiment):
            studies = [STUDY.study(bench, TINY, seed) for seed in (1, 2)]
    with bench.experiment("a-paper fig-1"):
        bench.study(TINY, {**STUDY.keys, "filters": "core(5)"})
    assert [(name, len(noted)) for name, noted in bench.studies.items()] == [("a-paper table-2", 1), ("a-paper fig-1", 2)]
    [noted] = bench.studies["a-paper table-2"]
    assert recorded_study(noted).metrics == studies[0].metrics and noted["seeds"] == [1, 2]
    assert bench.computed == 0
    every, core = bench.profiles()
    assert [step.label for step in every.steps] == ["as read"] and every.steps[0].profile["ratings"] == 500
    assert core.steps[0].label == "as read" and len(core.steps) == 2 and core.filter.startswith("core(")
    assert bench.computed == 2, "a profile for each filter, taken once"


def test_simulated_purchases_with_profits_are_named_as_what_they_are() -> None:
    bench = PaperBench(data="simulated")
    bench.study(replace(TINY, profits=True), STUDY.keys)
    [name] = [data.name for data in bench.profiles()]
    assert name == f"{make('reader', TINY.stand_in)} with profits" and "alpha" not in name, "without its defaults"
