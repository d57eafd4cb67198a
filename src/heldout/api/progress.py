"""Whether and how a verb shows its progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

ProgressOption = Callable[[str, int, int], None] | bool | None
"""A function that is told (stage, done, total), True for a bar, False for none; None: a bar where a person looks on."""


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook; a script that only imports ipykernel is none."""
    if "ipykernel" not in sys.modules:
        return False
    from IPython import get_ipython

    return getattr(get_ipython(), "kernel", None) is not None


def is_watched() -> bool:
    """Whether stderr is a terminal, or this is a notebook; not so in pipes, tests and batch jobs."""
    return in_notebook() or (sys.stderr is not None and sys.stderr.isatty())


@contextmanager
def shown(progress: ProgressOption) -> Iterator[Callable[[str, int, int], None] | None]:
    """What is told of progress while a verb works."""
    if callable(progress):
        yield progress
    elif progress is False or (progress is None and not is_watched()):
        yield None
    elif in_notebook():
        from heldout.reports.notebook_progress import notebook_bar

        with notebook_bar() as tell:
            yield tell
    else:
        from heldout.reports.terminal.progress import progress_bar
        from heldout.reports.terminal.screen import Screen

        with progress_bar(Screen(stderr=True)) as tell:
            yield tell
