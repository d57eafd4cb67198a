"""Where the command line writes: results on stdout, everything else on stderr."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from heldout.report.facts import Notice
from heldout.study.run import Progress as Tell

out = Console(highlight=False)
errors = Console(stderr=True, highlight=False)


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Tell | None]:
    """A bar for each stage that takes more than two seconds; silent when stderr is not a terminal."""
    if quiet or not errors.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
    with Progress(*columns, console=errors, transient=True) as bars:
        known: dict[str, TaskID] = {}

        def tell(stage: str, done: int, total: int) -> None:
            if stage not in known:
                for task in bars.tasks:
                    bars.update(task.id, visible=False)
                known[stage] = bars.add_task(stage, total=total or None)
            bars.update(known[stage], completed=done, total=total or None)

        yield tell


def tell_notices(notices: Sequence[Notice]) -> None:
    """Coded warnings, one line each, on stderr."""
    for notice in notices:
        errors.print(f"{notice.code} {notice.title}: {notice.message}", style="yellow", markup=False)
