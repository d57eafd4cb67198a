"""One bar for the whole work, and an estimate that says what it is made from."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep

import polars as pl
import pytest
from tests.biases.sample import OPTIONS

import heldout as ho
from heldout.progress import Progress
from heldout.reports.render.progress import PATIENCE, QUICK_PAUSE, drawn_bar, shown, terminal
from heldout.reports.render.screen import Screen

STUDY = {
    "data": "simulate(users=60, items=40, ratings=900)",
    "recommend": ["Popularity", "Random", "AverageRating"],
    "relevance": "threshold(4)",
    "metrics": "P@5",
}


def bar_on(console: Screen, patience: float = 0.0) -> AbstractContextManager[Progress]:
    return drawn_bar(lambda: terminal(console), patience=patience, pause=QUICK_PAUSE)


def test_a_bar_appears_after_a_moment_and_never_goes_back() -> None:
    text = io.StringIO()
    with bar_on(Screen(file=text, force_terminal=True, width=80)) as tell:
        tell("reading", 0, 0)
        tell("EASE", 500, 1000)
        tell("Popularity", 200, 1000)
        sleep(0.3)
        tell("comparing", 0, 0)
        sleep(0.2)
    assert "50%" in text.getvalue() and "20%" not in text.getvalue() and "comparing" in text.getvalue()


@pytest.mark.parametrize("width", [60, 80, 140])
def test_a_long_stage_hides_neither_bar_nor_estimate(width: int) -> None:
    text = io.StringIO()
    with bar_on(Screen(file=text, force_terminal=True, width=width, no_color=True)) as tell:
        tell("fitting UserKNN(k=100, similarity=cosine, normalise=true) on ratio(train=0.8, by=user), seed 12", 1, 4)
        sleep(0.3)
    lines = [
        line for line in re.split(r"[\r\n]", re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text.getvalue())) if "fitting" in line
    ]
    assert lines and all(re.match(r"━+ +25% fitting .*(…|seed 12)$", line.rstrip()) and len(line) <= width for line in lines)


def test_quick_work_shows_nothing() -> None:
    text = io.StringIO()
    with bar_on(Screen(file=text, force_terminal=True), PATIENCE) as tell:
        tell("reading", 0, 0)
    assert text.getvalue().strip("\x1b[?25hl\n\r") == ""


@pytest.mark.parametrize("split", ["ratio(train=0.8)", "folds(3)"])
def test_a_run_tells_of_the_whole_work(split: str) -> None:
    calls: list[tuple[str, int, int]] = []
    ho.run(STUDY | {"split": split}, progress=lambda *of: calls.append(of))
    steps = [(done, total) for _, done, total in calls if total]
    assert len({total for _, total in steps}) == 1
    assert [done for done, _ in steps] == sorted(done for done, _ in steps) and steps[-1][0] == steps[-1][1]


def test_a_multiverse_tells_of_the_whole_work() -> None:
    calls: list[tuple[str, int, int]] = []
    grid = STUDY | {"split": ["ratio(train=0.8)", "folds(2)"], "target": ["AllItems", "TestItems"]}
    ho.multiverse(grid, progress=lambda *of: calls.append(of))
    steps = [(done, total) for _, done, total in calls if total]
    assert len({total for _, total in steps}) == 1
    assert [done for done, _ in steps] == sorted(done for done, _ in steps) and steps[-1][0] == steps[-1][1]
    assert len(steps) > 6  # not only split by split


SPLIT = STUDY | {"split": "ratio(train=0.8)"}
FEW = OPTIONS | {"sweeps": {"uniform": (0.1,), "skew": (0.0,)}}


def of_a_stream(tell: Progress) -> None:
    with TemporaryDirectory() as folder:
        test, run = Path(folder, "test.parquet"), Path(folder, "run.parquet")
        pl.DataFrame({"user": [1, 2, 3], "item": [1, 2, 3], "rating": [5, 5, 4]}).write_parquet(test)
        pl.DataFrame({"user": [1, 2, 3], "item": [1, 3, 3], "score": [1.0, 1.0, 1.0]}).write_parquet(run)
        ho.evaluate(test, {"A": run, "B": run}, "P@5", relevance="threshold(4)", stream=True, progress=tell)


VERBS: dict[str, Callable[[Progress], object]] = {
    "meta": lambda tell: ho.meta(
        SPLIT, {"samples": 2, "flips": 200, "shares": [0.5]}, metrics=["P"], depths=[5], seeds=[2], progress=tell
    ),
    "bias": lambda tell: ho.bias(STUDY | {"split": "folds(2)"}, **FEW, progress=tell),
    "truth": lambda tell: ho.truth(SPLIT, metrics=["P@5"], draws=3, protocols=["AI-AR", "UAR"], progress=tell),
    "tune": lambda tell: ho.tune("UserKNN", SPLIT, trials=3, progress=tell),
    "evaluate": of_a_stream,
    "reproduce": lambda tell: ho.reproduce("gunawardana-2009", ["fig-1", "table-3"], data="simulated", progress=tell),
}


@pytest.mark.parametrize("verb", VERBS)
def test_every_long_verb_has_one_bar_that_ends_with_its_work(verb: str) -> None:
    """One whole from the first to the last call, nothing goes back, and the last unit that was planned ends the work."""
    calls: list[tuple[str, int, int]] = []
    VERBS[verb](lambda *of: calls.append(of))
    steps = [(done, total) for _, done, total in calls if total]
    assert len({total for _, total in steps}) == 1 and len(steps) > 2
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    assert {done for done, _ in steps[-2:]} == {steps[-1][1]} or verb == "tune"
    assert steps[-1][0] == steps[-1][1]


def test_who_sees_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    with shown(None) as tell:
        assert tell is None  # stderr is no terminal here
    with shown(False) as tell:
        assert tell is None
    with shown(True) as tell:
        assert tell is not None
    with shown(print) as tell:
        assert tell is print
    monkeypatch.setattr("heldout.reports.render.progress.is_watched", lambda: True)
    with shown(None) as tell:
        assert tell is not None
