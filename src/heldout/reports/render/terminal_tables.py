"""Tables and pieces of a terminal: columns that fit a width, headings, items and warnings.

Columns of equal cells become a note, long forms give way to short ones, and what has no room goes below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from heldout.text.names import shorten_all

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
    alone: str = ""
    """The head in a table without the column that it belongs to; `head` if empty."""
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
        below = [replace(c, head=c.alone or c.head) for c in left if c.head]
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


@dataclass(frozen=True)
class _FittedToConsole:
    """Parts that take their width from the console they meet."""

    parts: Callable[[int], Sequence[RenderableType]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        yield from _with_legend(self.parts(options.max_width))


@dataclass(frozen=True)
class ShortNames:
    """Prints nothing; says which short names stand in lines of a report that are no table."""

    full_names: Mapping[str, str]
    """Short form → name."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        yield from ()


def fitted(parts: Callable[[int], Sequence[RenderableType]], width: int | None = None) -> Group:
    """The parts of a report as wide as this, or as the console that prints them; shortened names are told at the end."""
    return Group(_FittedToConsole(parts)) if width is None else Group(*_with_legend(parts(width)))


def _with_legend(parts: Sequence[RenderableType]) -> list[RenderableType]:
    """The parts, and below them every short name that they use with what it stands for."""
    by_name: dict[str, dict[str, None]] = {}
    for short, full in _short_forms(parts):
        if short != full:
            by_name.setdefault(full, {})[short] = None
    if not by_name:
        return list(parts)
    return [*parts, heading("Short names"), *(item(f"{', '.join(short)}: {full}") for full, short in by_name.items())]


def _short_forms(parts: Sequence[RenderableType]) -> Iterator[tuple[str, str]]:
    """Every short form in these parts, with its name."""
    for part in parts:
        if isinstance(part, ColumnTable | ShortNames):
            yield from part.full_names.items()
        elif isinstance(part, Padding):
            yield from _short_forms([part.renderable])
        elif isinstance(part, Group):
            yield from _short_forms(part.renderables)


def heading(text: str, aside: str = "") -> RenderableType:
    """The head of a part, with what it is about beside it."""
    line = Text(text, style="bold cyan")
    line.append(f"  {aside}" if aside else "", style="not bold default")
    return Padding(line, (1, 0, 0, 0))


def small(text: str) -> Text:
    """A remark."""
    return Text(text, style="dim")


def item(sentence: str) -> Table:
    """A sentence behind a dash, its further lines below its first word."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("–", Text(sentence))
    return grid


def noted(code: str, message: str) -> Table:
    """A coded warning."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text(code, style="yellow"), Text(message))
    return grid


def names_column(names: Sequence[str], width: int, among: Sequence[str] | None = None) -> list[list[str]]:
    """Forms of a column of names, from whole to about a fifth of the width; `among` are the names to be told from."""
    every = list(among or names)
    longest = max((len(n) for n in names), default=0)
    tried = [w for w in (40, 32, 26, 22, 18, 15, 12) if w < longest and w >= width // 5]
    return [list(names), *(_short_cells(names, shorten_all(every, w)) for w in tried)]


def _short_cells(names: Sequence[str], short: Mapping[str, str]) -> NameCells:
    return NameCells([short[name] for name in names], {short[name]: name for name in names})


def stacked(columns: Sequence[Column], width: int, *, rule_above: int | None = None) -> list[RenderableType]:
    """All columns as one table, or as several below one another where the width is too small for one."""
    first, *others = [table(band, rule_above=rule_above) for band in bands(columns, width)]
    return [first, *(Padding(below, (1, 0, 0, 0)) for below in others)]


_BLOCKS = "▏▎▍▌▋▊▉"


def bar(share: float, width: int = 40) -> str:
    """A bar of a share of the width, to an eighth of a character."""
    eighths = round(width * 8 * share)
    return "█" * (eighths // 8) + (_BLOCKS[eighths % 8 - 1] if eighths % 8 else "")
