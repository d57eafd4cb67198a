"""A bar in the output of a cell: one place, drawn over and empty at the end."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from threading import Thread
from time import sleep
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from heldout.progress import WorkState
from heldout.reports.render.progress import MARIMO_STEPS, PAUSE, bar_of, drawn_bar, jupyter_cell, marimo_cell


@pytest.fixture
def jupyter(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the cell of a notebook shows, one after the other; a place that is made is None."""
    shown: list[Any] = []

    def display(_: object, **__: object) -> SimpleNamespace:
        shown.append(None)
        return SimpleNamespace(update=lambda bar, raw: shown.append(bar))

    module = ModuleType("IPython.display")
    module.display = display  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    return shown


def test_a_bar_is_text_and_html() -> None:
    work = WorkState()
    work.tell("reading <x>", 0, 0)
    assert bar_of(work) == {"text/plain": "reading <x>", "text/html": "<progress></progress> reading &lt;x&gt;"}
    work.tell("EASE", 0, 4)
    work.tell("EASE", 1, 4)
    bar = bar_of(work)
    assert bar["text/plain"].startswith("EASE 25%") and '<progress value="0.250">' in bar["text/html"]


def test_there_is_one_place_which_is_empty_at_the_end(jupyter: list[Any]) -> None:
    with drawn_bar(jupyter_cell, patience=0.0) as tell:
        for done in range(100):
            tell("EASE", done, 100)
        sleep(1.5 * PAUSE)
    place, bar, empty = jupyter  # not a line for each of the hundred calls
    assert place is None and "EASE 99%" in bar["text/plain"] and empty == {"text/plain": "", "text/html": ""}


def test_quick_work_shows_nothing(jupyter: list[Any]) -> None:
    with drawn_bar(jupyter_cell) as tell:
        tell("reading", 0, 0)
    assert jupyter == []


def test_marimo_draws_its_own_bar_in_its_own_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[int, str]] = []
    threads: list[Thread] = []

    class OwnThread(Thread):
        def start(self) -> None:
            threads.append(self)
            super().start()

    @contextmanager
    def progress_bar(*, total: int, remove_on_exit: bool, **_: object) -> Any:
        assert total == MARIMO_STEPS and remove_on_exit
        yield SimpleNamespace(update=lambda more, title, subtitle: shown.append((more, f"{title} {subtitle}")))

    marimo = SimpleNamespace(Thread=OwnThread, status=SimpleNamespace(progress_bar=progress_bar))
    monkeypatch.setitem(sys.modules, "marimo", marimo)
    with drawn_bar(marimo_cell, OwnThread, patience=0.0, pause=0.05) as tell:
        tell("reading", 0, 0)
        sleep(0.12)
        tell("EASE", 0, 8)
        tell("EASE", 2, 8)
        sleep(0.12)
    assert len(threads) == 1 and sum(more for more, _ in shown) == MARIMO_STEPS // 4
    assert shown[0] == (0, "reading ") and shown[-1] == (0, "EASE 25%")
