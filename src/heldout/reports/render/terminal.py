"""Documents in a terminal: the answer, its numbers, one table and the notices; everything else on demand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill

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
    PackedExplorer,
    Section,
    Table,
    Terms,
    Text,
    Verbatim,
)
from heldout.reports.render.terminal_tables import Column as Fitted
from heldout.reports.render.terminal_tables import bar, fit, fitted, heading, item, names_column, noted, small, stacked
from heldout.text.phrases import listed

BAR = 16
"""Cells of the longest bar next to a share."""
MOST_ROWS = 200
"""Rows of a table that a terminal shows."""


def document(source: Document, *, full: bool = False, width: int | None = None) -> Group:
    """The report as wide as this, or as the console that prints it. Without sections, the main table is whole."""
    return fitted(lambda room: list(_parts(source, room, full=full)), width)


def table(source: Table, width: int | None = None) -> Group:
    """One table, with its title and caption."""
    return fitted(lambda room: [Line(source.title, style="bold"), *_table(source, room)], width)


def _parts(source: Document, width: int, *, full: bool) -> Iterator[RenderableType]:
    yield small(" · ".join((source.title, *source.facts)))
    yield Line(source.answer, style="bold")
    yield from (_line(text) for text in source.numbers)
    if source.main is not None and not full:
        yield Padding(Group(*_summary(source.main, width)), (1, 0, 0, 0))
    if full and not source.sections and source.main is not None:
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
    message = noted(notice.code, f"{notice.title.rstrip('.')}: {notice.text.plain}" if notice.title else notice.text.plain)
    return Group(message, Padding(small(notice.change), (0, 0, 0, 7))) if notice.change else message


def _section(section: Section, width: int) -> Iterator[RenderableType]:
    """A section under its heading; nothing if it holds only charts."""
    parts = list(_blocks(section.blocks, width, section.title))
    if parts or (section.level == 1 and not section.blocks):
        yield heading(section.title)
        yield from parts


def _blocks(blocks: Iterable[Block], width: int, heading_above: str = "") -> Iterator[RenderableType]:
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
                title = [] if block.title == heading_above else [Line(block.title, style="bold")]
                yield Padding(Group(*title, *_table(block, width)), (1, 0, 0, 0))
            case Explorer() | PackedExplorer():
                yield from _blocks(block.blocks(block.start), width, heading_above)
            case Chart():
                pass


def _table(source: Table, width: int) -> Iterator[RenderableType]:
    """The table, in as many bands as the width needs, and below it its caption and what all rows share."""
    shown, folded = source.folded()
    columns = _columns(shown, width)
    if shown.rows:
        yield from stacked(columns, width)
    else:
        yield small("No rows.")
    yield from _said(shown, source.explanation, folded)


def _summary(source: Table, width: int) -> Iterator[RenderableType]:
    """The columns that have room next to each other, and the names of the others."""
    shown, folded = source.folded()
    columns, others = fit(_columns(shown, width), width)
    yield from stacked(columns, width)
    yield from _said(shown, source.explanation, folded)
    if others:
        names = dict.fromkeys(" ".join(column.head.split()) for column in others)
        yield small(f"heldout report --full adds {listed(list(names))}.")


def _said(shown: Table, caption: str, folded: str) -> Iterator[RenderableType]:
    more = len(shown.rows) - MOST_ROWS
    cut = f"{more:,} more rows: heldout report --table {shown.name}." if more > 0 else ""
    if said := " ".join(filter(None, (caption, folded, cut))):
        yield small(said)


WRAPPED = (60, 48, 36, 28, 20, 14)
"""Widths at which text breaks if there is no room for it in one line."""
LONGEST_WORD = 28
"""Characters of a word that stays whole."""
NEEDS = {"interval": 1, "p": 2, "share": 4, "count": 3, "text": 2}
"""How soon a column gives way to others if there is no room for all; 0 never."""


def _columns(source: Table, width: int) -> list[Fitted]:
    """The columns as text; letters join the column before."""
    rows = list(source.rows[:MOST_ROWS])
    places = [k for k, column in enumerate(source.columns) if column.kind != "letters"]
    return [_column(source, place, rows, width) for place in places]


def _column(source: Table, place: int, rows: Sequence[Sequence[object]], width: int) -> Fitted:
    column = source.columns[place]
    texts = [_cell(source, column, place, number) for number in range(len(rows))]
    stands_out = source.strong | {(number, column.name) for number in source.marked}
    bold = ["bold" if (number, column.name) in stands_out else "" for number in range(len(rows))]
    forms = names_column(texts, width) if column.kind == "system" else [texts]
    if column.kind == "text":
        whole = min(LONGEST_WORD, max((len(word) for text in texts for word in text.split()), default=0))
        widths = [most for most in WRAPPED if most >= whole and any(len(text) > most for text in texts)]
        forms += [[fill(text, most) for text in texts] for most in widths]
    if column.bar:
        shares = [float(row[place] or 0) for row in rows]  # type: ignore[arg-type]
        longest = max((*shares, 0.0)) or 1.0
        drawn = [f"{bar(share / longest, BAR):<{BAR}} {text:>6}" for share, text in zip(shares, texts, strict=True)]
        forms = [drawn, *forms]
    need = NEEDS.get(column.kind, 0) if place and not column.lines else 0
    need = need if column.need is None else column.need
    widest = max((len(line) for text in forms[0] for line in text.splitlines()), default=0)
    head = fill(_head(column), max(widest, width // 3))
    alone = f"{column.group} {head}" if column.kind == "interval" and column.group else ""
    return Fitted(
        head=head, alone=alone, forms=forms, need=need, lead=_leads(source, place), right=column.numeric, styles=bold
    )


def _leads(source: Table, place: int) -> bool:
    """True if the column names the rows: the first one, and if that has systems, further systems that follow it."""
    return place == 0 or all(column.kind == "system" for column in source.columns[: place + 1])


def _cell(source: Table, column: Column, place: int, number: int) -> str:
    row = source.rows[number]
    text = column.text(row[place], number)
    after = source.columns[place + 1] if place + 1 < len(source.columns) else None
    if after is not None and after.kind == "letters":
        width = max(len(str(other[place + 1] or "")) for other in source.rows)
        text = f"{text} {row[place + 1] or '':<{width}}" if width else text
    return text


def _head(column: Column) -> str:
    """The head; of values below a shared head, that."""
    return column.group if column.group and column.kind == "value" else column.title
