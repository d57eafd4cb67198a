"""Pieces that reports in a terminal are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from heldout.reports.terminal.columns import Column, ColumnTable, NameCells, bands, table
from heldout.words import shorten_all


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
    for short, full in _shortened(parts):
        if short != full:
            by_name.setdefault(full, {})[short] = None
    if not by_name:
        return list(parts)
    return [*parts, heading("Short names"), *(item(f"{', '.join(short)}: {full}") for full, short in by_name.items())]


def _shortened(parts: Sequence[RenderableType]) -> Iterator[tuple[str, str]]:
    """Every short form in these parts, with its name."""
    for part in parts:
        if isinstance(part, ColumnTable | ShortNames):
            yield from part.full_names.items()
        elif isinstance(part, Padding):
            yield from _shortened([part.renderable])
        elif isinstance(part, Group):
            yield from _shortened(part.renderables)


def title_line(title: str, width: int) -> RenderableType:
    """The title of a report within a rule, or in lines of its own where it is too long for that."""
    text = Text(title, style="bold")
    return Rule(text, style="dim") if text.cell_len <= width - 6 else text


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


def pairs_column(pairs: Sequence[tuple[str, str]], widths: Sequence[int], among: Sequence[str]) -> list[list[str]]:
    """Forms of a column of pairs of names, whole and with names of at most these widths; `among` are all names."""
    forms: list[list[str]] = [[f"{a} − {b}" for a, b in pairs]]
    for longest in widths:
        short = shorten_all(list(among), longest)
        full_names = {short[name]: name for pair in pairs for name in pair}
        forms.append(NameCells([f"{short[a]} − {short[b]}" for a, b in pairs], full_names))
    return forms


def stacked(columns: Sequence[Column], width: int, *, rule_above: int | None = None) -> list[RenderableType]:
    """All columns as one table, or as several below one another where the width is too small for one."""
    first, *others = [table(band, rule_above=rule_above) for band in bands(columns, width)]
    return [first, *(Padding(below, (1, 0, 0, 0)) for below in others)]
