"""Whether and how a verb shows its progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from heldout.experiment.ledger import Ledger

Tell = Callable[[str, int, int], None]

ProgressOption = Tell | bool | None
"""A function that is told (stage, done, total), True for a bar, False for none; None: a bar where a person looks on."""


def notebook() -> Literal["jupyter", "marimo"] | None:
    """Whose notebook this process is the kernel of; a script that only imports ipykernel or marimo is none."""
    if "marimo" in sys.modules and sys.modules["marimo"].running_in_notebook():
        return "marimo"
    if "ipykernel" in sys.modules:
        from IPython import get_ipython

        return "jupyter" if getattr(get_ipython(), "kernel", None) is not None else None
    return None


def is_watched() -> bool:
    """Whether stderr is a terminal, or this is a notebook; not so in pipes, tests and batch jobs."""
    return notebook() is not None or (sys.stderr is not None and sys.stderr.isatty())


@contextmanager
def shown(progress: ProgressOption, ledger: Ledger | None = None) -> Iterator[Tell | None]:
    """What is told of progress while a verb works; it is noted in the results folder too, where there is one."""
    with _shown_here(progress) as tell:
        if ledger is None:
            yield tell
        else:
            with _noted(ledger, tell) as tell_and_note:
                yield tell_and_note


NOTED_EVERY = 0.5
"""Seconds between two notes of progress in a results folder."""
MOST_STAGES = 40
"""Stages that a note lists, the last ones."""


@contextmanager
def _noted(ledger: Ledger, tell: Tell | None) -> Iterator[Tell]:
    """Tell of progress, and note it in the folder every now and then, whenever a stage begins, and while files are read."""
    from heldout.data.file_reading import listening
    from heldout.reports.work_state import WorkState

    work, stages, noted_at = WorkState(), list[str](), float("-inf")

    def note(*, at_once: bool) -> None:
        nonlocal noted_at
        if at_once or monotonic() - noted_at >= NOTED_EVERY:
            noted_at = monotonic()
            ledger.note_progress({**work.record(), "stages": stages[-MOST_STAGES:]})

    def tell_and_note(stage: str, done: int, total: int) -> None:
        if tell is not None:
            tell(stage, done, total)
        begins = stage != work.stage
        work.tell(stage, done, total)
        if begins:
            stages.append(stage)
        note(at_once=begins and total == 0)

    with listening(lambda: note(at_once=False)):
        yield tell_and_note


@contextmanager
def _shown_here(progress: ProgressOption) -> Iterator[Tell | None]:
    if callable(progress):
        yield progress
    elif progress is False or (progress is None and not is_watched()):
        yield None
    elif (kernel := notebook()) is not None:
        from heldout.reports.notebook_progress import marimo_bar, notebook_bar

        with marimo_bar() if kernel == "marimo" else notebook_bar() as tell:
            yield tell
    else:
        from heldout.reports.render.screen import Screen
        from heldout.reports.render.terminal_progress import progress_bar

        with progress_bar(Screen(stderr=True)) as tell:
            yield tell
