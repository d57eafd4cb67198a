"""Pieces that reports in a terminal are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from heldout.reports.terminal.columns import Column, bands, table
from heldout.words import shorten_all


@dataclass(frozen=True)
class _FittedToConsole:
    """Parts that take their width from the console they meet."""

    parts: Callable[[int], Sequence[RenderableType]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        yield from self.parts(options.max_width)


def fitted(parts: Callable[[int], Sequence[RenderableType]], width: int | None = None) -> Group:
    """The parts of a report as wide as this, or as the console that prints them."""
    return Group(_FittedToConsole(parts)) if width is None else Group(*parts(width))


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
    return [list(names)] + [[shorten_all(every, w)[n] for n in names] for w in tried]


def stacked(columns: Sequence[Column], width: int) -> list[RenderableType]:
    """All columns as one table, or as several below one another where the width is too small for one."""
    first, *others = [table(band) for band in bands(columns, width)]
    return [first, *(Padding(below, (1, 0, 0, 0)) for below in others)]
