"""One bar for all the work of a verb, in a terminal or a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from heldout.words import percent, seconds

Tell = Callable[[str, int, int], None]
"""Takes the stage, how much of the whole work is done, and of how much; (stage, 0, 0) names a stage alone."""
PATIENCE = 1.0
"""Seconds before a bar is shown: quick work shows none."""
LEAST_SHARE = 0.02
"""The share of the work that must be done before the rest is estimated from it."""


def time_left(done: float, total: float, elapsed: float) -> str:
    """What the rest of the work will take if it goes on as until now, in words; empty where too little is done to say."""
    if total <= 0 or done >= total or done < LEAST_SHARE * total:
        return ""
    return f"about {seconds(round(elapsed * (total - done) / done)).replace('.00', '').replace('.0', '')} left"


class Estimate(ProgressColumn):
    """The share that is done, and the time that is left."""

    def render(self, task: Task) -> Text:
        if task.total is None:
            return Text()
        first, since = task.fields["first"], task.fields["since"]
        left = time_left(task.completed - first, task.total - first, monotonic() - since)
        return Text(f"{percent(task.completed / task.total, 0)} {left}".rstrip())


@contextmanager
def progress_bar(console: Console, *, patience: float = PATIENCE) -> Iterator[Tell]:
    """A bar that is told of progress; it appears after a moment and vanishes at the end."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), Estimate())
    bars, lock = Progress(*columns, console=console, transient=True), Lock()
    task = bars.add_task("", total=None, first=0, since=monotonic())
    ended = False

    def start() -> None:
        with lock:
            if not ended:
                bars.start()

    def tell(stage: str, done: int, total: int) -> None:
        if total == 0:  # the stage alone: what was done before stays done
            bars.update(task, description=stage)
        elif bars.tasks[0].total != total:
            bars.update(task, description=stage, completed=done, total=total, first=done, since=monotonic())
        else:
            bars.update(task, description=stage, completed=max(done, int(bars.tasks[0].completed)))

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
