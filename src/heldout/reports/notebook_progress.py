"""One bar for all the work of a verb, in the output of a notebook's cell: Jupyter's or marimo's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Event, Thread

from markupsafe import escape

from heldout.reports.work_state import PATIENCE, Tell, WorkState

PAUSE = 0.5
"""Seconds between two drawings."""
MARIMO_STEPS = 100
"""Steps of marimo's own bar."""
Draw = Callable[[WorkState], None]
"""Shows how far the work is in the place of what was shown before."""
Place = Callable[[], AbstractContextManager[Draw]]
"""A place in the output of the cell that is run, which is empty at the end."""


def bar_of(work: WorkState) -> dict[str, str]:
    """The bar by the type of its text, as Jupyter takes it; the browser draws it, so that no widgets are needed."""
    text = f"{work.stage} {work.estimate}".strip()
    share = f' value="{work.done / work.total:.3f}"' if work.total else ""
    return {"text/plain": text, "text/html": f"<progress{share}></progress> {escape(text)}"}


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


@contextmanager
def marimo_cell() -> Iterator[Draw]:
    """A place in marimo's output, which has a bar of its own."""
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
def notebook_bar(
    place: Place = jupyter_cell, thread: type[Thread] = Thread, *, patience: float = PATIENCE
) -> Iterator[Tell]:
    """A bar that is told of progress; it appears after a moment and is gone at the end, drawn by a thread of its own."""
    work, ended = WorkState(), Event()

    def redraw() -> None:
        if ended.wait(patience):
            return
        with place() as draw:
            while not ended.wait(PAUSE):
                draw(work)

    drawing = thread(target=redraw, daemon=True)
    drawing.start()
    try:
        yield work.tell
    finally:
        ended.set()
        drawing.join()


def marimo_bar(*, patience: float = PATIENCE) -> AbstractContextManager[Tell]:
    """The bar in a cell of marimo, where only marimo's own threads reach the output."""
    import marimo

    return notebook_bar(marimo_cell, marimo.Thread, patience=patience)
