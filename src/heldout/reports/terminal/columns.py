"""Columns that fit a given width: alike cells become a note, long forms give way to short ones, others go below."""

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


@dataclass(kw_only=True, eq=False)
class Column:
    """A column of text cells; `forms` runs from the fullest to the shortest, `need` 0 never goes below, 9 goes first.

    A column without a head is a picture of another: where there is no room for it, it is not shown.
    """

    head: str
    full_head: str = ""
    """The name that `head` is short for."""
    forms: list[list[str]]
    need: int = 0
    lead: bool = False
    """Whether it names the row, and so begins every table of those that stand below one another."""
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


def fit(columns: Sequence[Column], width: int) -> tuple[list[Column], list[Column]]:
    """The columns that have room, their texts as short as they must be, and the columns that have none, whole."""
    kept = list(columns)
    while True:
        shown = _shortened(kept, width)
        droppable = [c for c in kept if c.need > 0]
        if _taken(shown) <= width or not droppable:
            return shown, [c for c in columns if c not in kept]
        kept.remove(max(reversed(droppable), key=lambda c: c.need))


def _taken(columns: Sequence[Column]) -> int:
    return sum(c.width for c in columns) + GAP * (len(columns) - 1)


def _shortened(columns: Sequence[Column], width: int) -> list[Column]:
    """The columns with their texts shortened until they fit, or until none can be shortened further."""
    shown = [replace(c, forms=list(c.forms)) for c in columns]
    while _taken(shown) > width and (shortable := [c for c in shown if len(c.forms) > 1]):
        max(shortable, key=lambda c: (c.need, c.width)).forms.pop(0)
    return shown


def bands(columns: Sequence[Column], width: int) -> list[list[Column]]:
    """All columns, in as many tables below one another as the width needs, those that are needed most in the first.

    Each table begins with the columns that name its rows (the first column where none is marked as such). Where not even the
    columns that are needed most fit beside each other, these names take at most half of the width.
    """
    shown, left = fit(columns, width)
    if _taken(shown) <= width and (not left or len(shown) > len(_leads(shown))):
        below = [c for c in left if c.head]
        return [shown, *(bands(_filled_rows(_leads(shown), below), width) if below else [])]
    leads = _leads(columns)
    others = [c for c in columns if c not in leads]
    room = width // (2 * len(leads))
    named = []
    for lead in leads:
        forms = [form for form in lead.forms if replace(lead, forms=[form]).width <= room] or lead.forms[-1:]
        named.append(replace(lead, forms=forms[:1]))
    tables = [[*named]]
    for column in others:
        if len(tables[-1]) > len(named) and _taken([*tables[-1], column]) > width:
            tables.append([*named])
        tables[-1].append(column)
    return tables


def _filled_rows(leads: Sequence[Column], others: Sequence[Column]) -> list[Column]:
    """The columns without the rows in which the others hold nothing."""
    rows = [k for k in range(len(others[0].cells)) if any(c.cells[k] for c in others)]

    def of(form: list[str]) -> list[str]:
        cells = [form[k] for k in rows]
        return NameCells(cells, form.full_names) if isinstance(form, NameCells) else cells

    return [
        replace(c, forms=[of(form) for form in c.forms], styles=[c.styles[k] for k in rows] if c.styles else ())
        for c in (*leads, *others)
    ]


def _leads(columns: Sequence[Column]) -> list[Column]:
    return [c for c in columns if c.lead] or list(columns[:1])


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
