"""One bar for all the work of a verb, in a terminal or a notebook; a results folder notes the same for the page over it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from heldout.progress import Progress, WorkState, listening

if TYPE_CHECKING:
    from rich.console import Console

    from heldout.experiment.ledger import Ledger

ProgressOption = Progress | bool | None
"""A function that is told (stage, done, total), True for a bar, False for none; None: a bar if a person looks on."""
Draw = Callable[[WorkState], None]
"""Shows how far the work is in the place of what was shown before."""
Place = Callable[[], AbstractContextManager[Draw]]
"""A place for a bar, which is empty at the end."""
PATIENCE = 1.0
"""Seconds before a bar is shown: quick work shows none."""
PAUSE = 0.5
"""Seconds between two drawings in a notebook, and between two notes in a results folder."""
QUICK_PAUSE = 0.1
"""Seconds between two drawings in a terminal."""
MARIMO_STEPS = 100
"""Steps of marimo's own bar."""
WIDE = 120
"""Columns of a terminal from which on the bar has its whole length."""
MOST_STAGES = 40
"""Stages that a note lists, the last ones."""


@contextmanager
def shown(progress: ProgressOption, ledger: Ledger | None = None) -> Iterator[Progress | None]:
    """Give a verb the function that it tells of its progress, if there is one; a results folder notes progress too."""
    with ExitStack() as open_things:
        told = [progress] if callable(progress) else []
        if progress is True or (progress is None and is_watched()):
            told.append(open_things.enter_context(_bar_here()))
        if ledger is not None:
            told.append(open_things.enter_context(_notes(ledger)))
        yield _together(told)


def _together(told: Sequence[Progress]) -> Progress | None:
    def tell(stage: str, done: int, total: int) -> None:
        for each in told:
            each(stage, done, total)

    return tell if len(told) > 1 else next(iter(told), None)


def is_watched() -> bool:
    """True if stderr is a terminal, or this is a notebook; not so in pipes, tests and batch jobs."""
    return notebook() is not None or (sys.stderr is not None and sys.stderr.isatty())


def notebook() -> Literal["jupyter", "marimo"] | None:
    """Whose notebook this process is the kernel of; a script that only imports ipykernel or marimo is none."""
    if "marimo" in sys.modules and sys.modules["marimo"].running_in_notebook():
        return "marimo"
    if "ipykernel" in sys.modules:
        from IPython import get_ipython

        return "jupyter" if getattr(get_ipython(), "kernel", None) is not None else None
    return None


def _bar_here() -> AbstractContextManager[Progress]:
    kernel = notebook()
    if kernel == "marimo":
        import marimo

        return drawn_bar(marimo_cell, marimo.Thread)  # only marimo's own threads reach the output
    if kernel == "jupyter":
        return drawn_bar(jupyter_cell)
    from heldout.reports.render.screen import errors

    return drawn_bar(lambda: terminal(errors), pause=QUICK_PAUSE)


@contextmanager
def drawn_bar(
    place: Place, thread: type[Thread] = Thread, *, patience: float = PATIENCE, pause: float = PAUSE
) -> Iterator[Progress]:
    """A bar that is told of progress; it appears after a moment and is gone at the end, drawn by a separate thread."""
    work, ended = WorkState(), Event()

    def redraw() -> None:
        if ended.wait(patience):
            return
        with place() as draw:
            while not ended.wait(pause):
                draw(work)

    drawing = thread(target=redraw, daemon=True)
    drawing.start()
    try:
        yield work.tell
    finally:
        ended.set()
        drawing.join()


@contextmanager
def terminal(console: Console) -> Iterator[Draw]:
    """A place below what is printed on a console."""
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bars
    from rich.table import Column

    estimate = TextColumn("{task.fields[estimate]}", markup=False, table_column=Column(no_wrap=True))
    # The stage is last and takes what width is left: however long it is, the bar and the estimate are seen.
    stage = TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1))
    columns = (BarColumn(16 if console.width < WIDE else 40), estimate, stage)
    with Bars(*columns, console=console, transient=True, expand=True) as bars:
        task = bars.add_task("", total=None, estimate="")

        def draw(work: WorkState) -> None:
            bars.update(task, description=work.stage, completed=work.done, total=work.total or None, estimate=work.estimate)

        yield draw


@contextmanager
def jupyter_cell() -> Iterator[Draw]:
    """A place in Jupyter's output."""
    from IPython.display import display

    handle, drawn = display({"text/plain": ""}, raw=True, display_id=True), dict[str, str]()

    def draw(work: WorkState) -> None:
        bar = bar_of(work)
        if bar != drawn:
            handle.update(bar, raw=True)
            drawn.update(bar)

    yield draw
    handle.update({"text/plain": "", "text/html": ""}, raw=True)


def bar_of(work: WorkState) -> dict[str, str]:
    """The bar by the type of its text, as Jupyter takes it; the browser draws it, so that no widgets are needed."""
    from markupsafe import escape

    text = f"{work.stage} {work.estimate}".strip()
    share = f' value="{work.done / work.total:.3f}"' if work.total else ""
    return {"text/plain": text, "text/html": f"<progress{share}></progress> {escape(text)}"}


@contextmanager
def marimo_cell() -> Iterator[Draw]:
    """A place in marimo's output, which has its own bar."""
    import marimo

    with marimo.status.progress_bar(total=MARIMO_STEPS, remove_on_exit=True, show_rate=False, show_eta=False) as bar:
        drawn = 0

        def draw(work: WorkState) -> None:
            nonlocal drawn
            reached = int(MARIMO_STEPS * work.done / work.total) if work.total else 0
            bar.update(reached - drawn, title=work.stage, subtitle=work.estimate)
            drawn = reached

        yield draw


@contextmanager
def _notes(ledger: Ledger) -> Iterator[Progress]:
    """Note progress in the folder every now and then, whenever a stage begins, and while files are read."""
    work, stages, noted_at = WorkState(), list[str](), float("-inf")

    def note(*, at_once: bool) -> None:
        nonlocal noted_at
        if at_once or monotonic() - noted_at >= PAUSE:
            noted_at = monotonic()
            record: dict[str, Any] = {**work.record(), "stages": stages[-MOST_STAGES:]}
            ledger.note_progress(record)

    def tell(stage: str, done: int, total: int) -> None:
        begins = stage != work.stage
        work.tell(stage, done, total)
        if begins:
            stages.append(stage)
        note(at_once=begins and total == 0)

    with listening(lambda: note(at_once=False)):
        yield tell
