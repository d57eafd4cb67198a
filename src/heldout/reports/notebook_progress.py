"""One bar for all the work of a verb, in the output of a notebook's cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from markupsafe import escape

from heldout.reports.work_state import PATIENCE, Tell, WorkState

PAUSE = 0.5
"""Seconds between two drawings."""
Draw = Callable[[dict[str, str]], None]
"""Shows a text and its HTML in the place of the last one."""


def bar_of(work: WorkState) -> dict[str, str]:
    """The bar by the type of its text, as notebooks take it; the browser draws it, so that no widgets are needed."""
    text = f"{work.stage} {work.estimate}".strip()
    share = f' value="{work.done / work.total:.3f}"' if work.total else ""
    return {"text/plain": text, "text/html": f"<progress{share}></progress> {escape(text)}"}


def cell_output() -> Draw:
    """A place in the output of the cell that is run."""
    from IPython.display import display

    handle = display({"text/plain": ""}, raw=True, display_id=True)

    def draw(bundle: dict[str, str]) -> None:
        handle.update(bundle, raw=True)

    return draw


@contextmanager
def notebook_bar(place: Callable[[], Draw] = cell_output, *, patience: float = PATIENCE) -> Iterator[Tell]:
    """A bar that is told of progress; it appears after a moment and is empty at the end."""
    work, ended = WorkState(), Event()

    def redraw() -> None:
        if ended.wait(patience):
            return
        draw, drawn = place(), dict[str, str]()
        while not ended.wait(PAUSE):
            bar = bar_of(work)
            if bar != drawn:
                draw(bar)
                drawn = bar
        draw({"text/plain": "", "text/html": ""})

    thread = Thread(target=redraw, daemon=True)
    thread.start()
    try:
        yield work.tell
    finally:
        ended.set()
        thread.join()
