"""A bar in the output of a cell: one place, drawn over and empty at the end."""

from __future__ import annotations

from time import sleep

from heldout.reports.notebook_progress import PAUSE, Draw, bar_of, notebook_bar
from heldout.reports.work_state import WorkState


class Cell:
    """The output of a cell that notes what it shows."""

    def __init__(self) -> None:
        self.places, self.drawn = 0, list[dict[str, str]]()

    def place(self) -> Draw:
        self.places += 1
        return self.drawn.append


def test_a_bar_is_text_and_html() -> None:
    work = WorkState()
    work.tell("reading <x>", 0, 0)
    assert bar_of(work) == {"text/plain": "reading <x>", "text/html": "<progress></progress> reading &lt;x&gt;"}
    work.tell("EASE", 0, 4)
    work.tell("EASE", 1, 4)
    bar = bar_of(work)
    assert bar["text/plain"].startswith("EASE 25%") and '<progress value="0.250">' in bar["text/html"]


def test_there_is_one_place_which_is_empty_at_the_end() -> None:
    cell = Cell()
    with notebook_bar(cell.place, patience=0.0) as tell:
        for done in range(100):
            tell("EASE", done, 100)
        sleep(1.5 * PAUSE)
    assert cell.places == 1 and len(cell.drawn) == 2  # not a line for each of the hundred calls
    assert "EASE 99%" in cell.drawn[0]["text/plain"] and cell.drawn[-1] == {"text/plain": "", "text/html": ""}


def test_quick_work_shows_nothing() -> None:
    cell = Cell()
    with notebook_bar(cell.place) as tell:
        tell("reading", 0, 0)
    assert cell.places == 0
