"""One bar for all the work of a verb, in a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Timer

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Column
from rich.text import Text

from heldout.reports.work_state import PATIENCE, Tell, WorkState

WIDE = 120
"""Columns of a terminal from which on the bar has its whole length."""


class Estimate(ProgressColumn):
    """The share that is done, the time that it took, and the time that is left."""

    def __init__(self, work: WorkState, table_column: Column) -> None:
        super().__init__(table_column)
        self.work = work

    def render(self, task: Task) -> Text:
        return Text(self.work.estimate)


@contextmanager
def progress_bar(console: Console, *, patience: float = PATIENCE) -> Iterator[Tell]:
    """A bar that is told of progress; it appears after a moment and vanishes at the end."""
    work, lock = WorkState(), Lock()
    # The stage stands last and takes what room is left: however long it is, the bar and the estimate are seen.
    stage = TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1))
    columns = (BarColumn(16 if console.width < WIDE else 40), Estimate(work, Column(no_wrap=True)), stage)
    bars = Progress(*columns, console=console, transient=True, expand=True)
    task = bars.add_task("", total=None)
    ended = False

    def start() -> None:
        with lock:
            if not ended:
                bars.start()

    def tell(stage: str, done: int, total: int) -> None:
        work.tell(stage, done, total)
        bars.update(task, description=work.stage, completed=work.done, total=work.total or None)

    timer = Timer(patience, start)
    timer.daemon = True
    timer.start()
    try:
        yield tell
    finally:
        timer.cancel()
        with lock:
            ended = True
            bars.stop()
