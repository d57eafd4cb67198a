"""One bar for the whole work, and an estimate that says what it is made from."""

from __future__ import annotations

import io
from time import sleep

import pytest

import heldout as ho
from heldout.api.progress import shown
from heldout.reports.terminal.progress import progress_bar
from heldout.reports.terminal.screen import Screen

STUDY = {
    "data": "simulate(users=60, items=40, ratings=900)",
    "recommend": ["Popularity", "Random", "AverageRating"],
    "relevance": "threshold(4)",
    "metrics": "P@5",
}


def test_a_bar_appears_after_a_moment_and_never_goes_back() -> None:
    text = io.StringIO()
    with progress_bar(Screen(file=text, force_terminal=True, width=80), patience=0.0) as tell:
        tell("reading", 0, 0)
        tell("EASE", 500, 1000)
        tell("Popularity", 200, 1000)
        sleep(0.3)
        tell("comparing", 0, 0)
        sleep(0.2)
    assert "50%" in text.getvalue() and "20%" not in text.getvalue() and "comparing" in text.getvalue()


def test_quick_work_shows_nothing() -> None:
    text = io.StringIO()
    with progress_bar(Screen(file=text, force_terminal=True)) as tell:
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


def test_who_sees_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    with shown(None) as tell:
        assert tell is None  # stderr is no terminal here
    with shown(False) as tell:
        assert tell is None
    with shown(True) as tell:
        assert tell is not None
    with shown(print) as tell:
        assert tell is print
    monkeypatch.setattr("heldout.api.progress.is_watched", lambda: True)
    with shown(None) as tell:
        assert tell is not None
