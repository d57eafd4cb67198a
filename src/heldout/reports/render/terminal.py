"""Documents in a terminal: the answer, its numbers, one table and the notices; everything else on demand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.syntax import Syntax
from rich.text import Text as Line

from heldout.reports.columns import Column
from heldout.reports.document import (
    Block,
    Chart,
    Document,
    Explorer,
    Listing,
    Notice,
    Section,
    Table,
    Terms,
    Text,
    Verbatim,
)
from heldout.reports.terminal.columns import Column as Fitted
from heldout.reports.terminal.drawing import bar
from heldout.reports.terminal.parts import fitted, heading, item, names_column, noted, small, stacked

NARROW = 60
"""Cells of the terminal below which a table becomes a list."""
BAR = 16
"""Cells of the longest bar next to a share."""
CAPTION_ROWS = 200
"""Rows of a table that a terminal shows."""


def document(source: Document, *, full: bool = False, width: int | None = None) -> Group:
    """The report as wide as this, or as the console that prints it."""
    return fitted(lambda room: list(_parts(source, room, full=full)), width)


def table(source: Table, width: int | None = None) -> Group:
    """One table, with its title and caption."""
    return fitted(lambda room: [Line(source.title, style="bold"), *_table(source, room)], width)


def _parts(source: Document, width: int, *, full: bool) -> Iterator[RenderableType]:
    yield small(" · ".join((source.title, *source.facts)))
    yield Line(source.answer, style="bold")
    yield from (_line(text) for text in source.numbers)
    if source.main is not None and not full:
        yield Padding(Group(*_table(source.main, width)), (1, 0, 0, 0))
    if full:
        yield from (part for section in source.sections for part in _section(section, width))
    if source.notices:
        yield heading("Notices")
        yield from map(_notice, source.notices)
    if full:
        yield from (part for section in source.appendix for part in _section(section, width))


def _line(text: Text) -> Line:
    styles = {"strong": "bold", "code": "cyan", "": ""}
    line = Line(style="dim" if text.note else "")
    for span in text.spans:
        line.append(span.text, style=styles[span.style])
    return line


def _notice(notice: Notice) -> RenderableType:
    """A notice in one paragraph, with the change that it asks for."""
    message = noted(notice.code, f"{notice.title}: {notice.text.plain}" if notice.title else notice.text.plain)
    return Group(message, Padding(small(notice.change), (0, 0, 0, 7))) if notice.change else message


def _section(section: Section, width: int) -> Iterator[RenderableType]:
    parts = list(_blocks(section.blocks, width))
    if parts or (section.level == 1 and not section.blocks):
        yield heading(section.title)
        yield from parts


def _blocks(blocks: Iterable[Block], width: int) -> Iterator[RenderableType]:
    for block in blocks:
        match block:
            case Text():
                yield _line(block)
            case Listing():
                yield from (item(text.plain) for text in block.items)
            case Terms():
                for term, texts in block.entries:
                    yield Line.assemble((term, "bold"), ": ", " ".join(text.plain for text in texts))
            case Verbatim():
                yield Padding(Syntax(block.text, "text", background_color="default", word_wrap=True), (0, 0, 0, 2))
            case Table():
                yield Padding(Group(Line(block.title, style="bold"), *_table(block, width)), (1, 0, 0, 0))
            case Explorer():
                yield from _blocks(block.states[block.start].blocks, width)
            case Chart():
                pass


def _table(source: Table, width: int) -> Iterator[RenderableType]:
    """The table, in as many bands as the width needs, and below it its caption and what all rows share."""
    shown, folded = source.folded()
    rows = list(shown.rows[:CAPTION_ROWS])
    if rows:
        yield from stacked([_column(shown, place, rows, width) for place in _places(shown)], width)
    else:
        yield small("No rows.")
    cut = (
        f"{len(shown.rows) - len(rows):,} more rows: heldout report --table {source.name}."
        if len(rows) < len(shown.rows)
        else ""
    )
    said = " ".join(filter(None, (source.caption, folded, cut)))
    if said:
        yield small(said)


def _places(source: Table) -> list[int]:
    return [k for k, column in enumerate(source.columns) if column.kind != "letters"]


def _column(source: Table, place: int, rows: Sequence[Sequence[object]], width: int) -> Fitted:
    column = source.columns[place]
    texts = [_cell(source, column, place, number) for number in range(len(rows))]
    bold = [
        "bold" if (number, column.name) in source.strong or number in source.marked else "" for number in range(len(rows))
    ]
    forms = names_column(texts, width) if column.kind == "system" else [texts]
    if column.bar:
        shares = [float(row[place] or 0) for row in rows]  # type: ignore[arg-type]
        longest = max((*shares, 0.0)) or 1.0
        drawn = [f"{bar(share / longest, BAR):<{BAR}} {text:>6}" for share, text in zip(shares, texts, strict=True)]
        forms = [drawn, *forms]
    return Fitted(head=_head(column), forms=forms, lead=place == 0, right=column.numeric, styles=bold)


def _cell(source: Table, column: Column, place: int, number: int) -> str:
    row = source.rows[number]
    text = column.text(row[place], number)
    after = source.columns[place + 1] if place + 1 < len(source.columns) else None
    if after is not None and after.kind == "letters":
        width = max(len(str(other[place + 1] or "")) for other in source.rows)
        text = f"{text} {row[place + 1] or '':<{width}}" if width else text
    return text


def _head(column: Column) -> str:
    return f"{column.group} {column.title}".strip()
