"""Columns that fit a given width: alike cells become a note, long forms give way to short ones, the least needed leave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rich import box
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

GAP = 2


class NameCells(list[str]):
    """Cells that hold names, perhaps shortened; `full_names` leads from a short form to what it stands for."""

    def __init__(self, cells: Iterable[str], full_names: Mapping[str, str]) -> None:
        super().__init__(cells)
        self.full_names = {short: full for short, full in full_names.items() if short != full}


class ColumnTable(Table):
    """A table that knows which of its names are shortened."""

    full_names: dict[str, str]


@dataclass(kw_only=True)
class Column:
    """A column of text cells; `forms` runs from the fullest to the shortest, `need` 0 never leaves, 9 leaves first."""

    head: str
    full_head: str = ""
    """The name that `head` is short for."""
    forms: list[list[str]]
    need: int = 0
    right: bool = True
    note: str = ""
    """How its one value reads in a note when all cells are alike, with {} for the value; empty keeps the column."""
    styles: Sequence[str] = field(default_factory=tuple)

    @property
    def cells(self) -> list[str]:
        """The form in use."""
        return self.forms[0]

    @property
    def width(self) -> int:
        """Cells of the terminal that the column takes."""
        return max((cell_len(line) for text in [self.head, *self.cells] for line in text.splitlines()), default=0)

    @property
    def full_names(self) -> dict[str, str]:
        """Short form → name, of all that is shortened in it."""
        cells = self.cells.full_names if isinstance(self.cells, NameCells) else {}
        return cells | ({self.head: self.full_head} if self.full_head and self.full_head != self.head else {})


def fold_alike(columns: list[Column]) -> tuple[list[Column], list[str]]:
    """Take out the columns whose rows all say the same, and say it once."""
    kept, notes = [], []
    for column in columns:
        if column.note and len(set(column.cells)) == 1:
            notes.append(column.note.format(column.cells[0]))
        else:
            kept.append(column)
    return kept, notes


def fit(columns: list[Column], width: int) -> tuple[list[Column], list[str]]:
    """Shorten and drop until the columns fit; gives what is kept and the heads of what left."""
    order, columns = list(columns), list(columns)
    left: list[tuple[int, str]] = []

    def excess() -> int:
        return sum(c.width for c in columns) + GAP * (len(columns) - 1) - width

    while excess() > 0:
        shortable = [c for c in columns if len(c.forms) > 1]
        droppable = [c for c in columns if c.need > 0]
        if shortable:
            max(shortable, key=lambda c: (c.need, c.width)).forms.pop(0)
        elif droppable:
            gone = max(reversed(droppable), key=lambda c: c.need)
            columns.remove(gone)
            left.append((order.index(gone), gone.head))
        else:
            break
    return columns, [head for _, head in sorted(left)]


def bands(columns: Sequence[Column], width: int) -> list[list[Column]]:
    """All columns, in as many tables below one another as the width needs; each begins with the first column,
    in the fullest form that takes at most half of the width."""

    def taken(band: Sequence[Column]) -> int:
        return sum(c.width for c in band) + GAP * (len(band) - 1)

    whole, _ = fit([replace(c, forms=list(c.forms), need=0) for c in columns], width)
    if taken(whole) <= width:
        return [whole]
    lead, *others = columns
    forms = [form for form in lead.forms if 2 * replace(lead, forms=[form]).width <= width] or lead.forms[-1:]
    lead = replace(lead, forms=forms[:1])
    tables = [[lead]]
    for column in others:
        if len(tables[-1]) > 1 and taken([*tables[-1], column]) > width:
            tables.append([lead])
        tables[-1].append(column)
    return tables


def table(columns: Sequence[Column], *, rule_above: int | None = None) -> ColumnTable:
    """The columns as a quiet table: a rule below the head, perhaps one above a row, and nothing else.

    Texts that are still too wide for the terminal are folded within their cells.
    """
    grid = ColumnTable(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, GAP - 1, 0, 0),
        header_style="bold",
        collapse_padding=True,
    )
    grid.full_names = {short: full for column in columns for short, full in column.full_names.items()}
    for column in columns:
        if column.right:
            grid.add_column(column.head, justify="right", no_wrap=True, overflow="fold", min_width=column.width)
        else:
            grid.add_column(column.head, overflow="fold")
    for i in range(len(columns[0].cells) if columns else 0):
        if i == rule_above:
            grid.add_section()
        grid.add_row(*(Text(c.cells[i], style=c.styles[i] if c.styles else "") for c in columns))
    return grid
