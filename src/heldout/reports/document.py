"""What a result says, as plain data: text, tables with raw values, and charts as Vega-Lite specifications.

One module for each kind of result turns findings into a `Document`. Renderers know these blocks and nothing else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from heldout.errors import SpecError, UnknownNameError
from heldout.reports.columns import Column, Field, Row
from heldout.storage.files import write_text

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

T = TypeVar("T")
B = TypeVar("B", bound="Block")
Spec: TypeAlias = dict[str, Any]
"""A Vega-Lite specification without theme: data and encodings only."""


@dataclass(frozen=True)
class Span:
    """A run of text in one style."""

    text: str
    style: Literal["", "strong", "code"] = ""
    link: str = ""
    """Anchor or address; empty if the text is not a link."""


def strong(text: str) -> Span:
    """Text that stands out."""
    return Span(text, "strong")


def code(text: str) -> Span:
    """Text as typed: an option, a name, a command."""
    return Span(text, "code")


def link(text: str, target: str) -> Span:
    """Text that leads to a section of the page (`#pairs`) or to an address."""
    return Span(text, link=target)


@dataclass(frozen=True, init=False)
class Text:
    """A paragraph. `note` text is set smaller, because it explains what is next to it."""

    spans: tuple[Span, ...]
    note: bool = False

    def __init__(self, *spans: Span | str, note: bool = False) -> None:
        object.__setattr__(self, "spans", tuple(Span(s) if isinstance(s, str) else s for s in spans))
        object.__setattr__(self, "note", note)

    @classmethod
    def coded(cls, text: str, *, note: bool = False) -> Text:
        """A paragraph of a text in which backticks enclose code."""
        pieces = text.split("`")
        return cls(*(Span(piece, "code" if k % 2 else "") for k, piece in enumerate(pieces) if piece), note=note)

    @property
    def plain(self) -> str:
        """The text without styles."""
        return "".join(span.text for span in self.spans)


@dataclass(frozen=True)
class Listing:
    """Paragraphs as a list."""

    items: tuple[Text, ...]


@dataclass(frozen=True)
class Terms:
    """Terms with what they mean, each in a few paragraphs."""

    entries: tuple[tuple[str, tuple[Text, ...]], ...]
    anchor: str = ""
    """Start of the ids that links lead to, which end in the term; empty if nothing links to the terms."""


@dataclass(frozen=True)
class Verbatim:
    """Text of several lines as typed: a study file, a command, a difference."""

    text: str


@dataclass(frozen=True)
class Figure:
    """A number that answers one question, with a link to the evidence."""

    question: str
    answer: str
    detail: str
    target: str
    """Id of the section with the evidence."""


ENDINGS = {".csv": "csv", ".json": "json", ".tex": "latex", ".md": "markdown", ".html": "html"}
"""Ending of a file → format of a table."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Table:
    """Typed columns and rows of raw values.

    In output for people, columns that hold one value throughout are folded into a sentence; frames, CSV and JSON have every
    column.
    """

    name: str
    """In kebab-case: for `results.tables`, `heldout report --table`, files and LaTeX labels."""
    title: str
    caption: str = ""
    """What a reader needs who sees nothing but the table: metric, test, users, what letters and marks mean."""
    columns: tuple[Column, ...]
    rows: Sequence[Row]
    strong: frozenset[tuple[int, str]] = frozenset()
    """Cells that stand out: number of the row and name of the column."""
    marked: frozenset[int] = frozenset()
    """Rows that stand out, such as the primary setting."""
    subject: str = "rows"
    """What the rows are, in the plural, such as "systems"."""
    most: int | None = None
    """Rows that a page shows until the reader asks for all."""
    half: bool = False
    """True if it fits next to a chart of half the width on a wide page."""
    charted: bool = False
    """True if a chart before it shows the same; a page has the numbers in its appendix."""
    folding: bool = True
    """False if people see its columns even if they are constant."""
    unsaid: str | None = None
    """The caption in a document, without sentences that are read before it; the whole caption if None."""

    @property
    def explanation(self) -> str:
        """What people read next to it."""
        return self.caption if self.unsaid is None else self.unsaid

    @classmethod
    def of_records(cls, records: Iterable[Any], fields: Iterable[Field], **options: Any) -> Table:
        """A table with a row for each record and a column for each field; options are those of a table."""
        fields = tuple(fields)
        rows = tuple(tuple(field.value(record) for field in fields) for record in records)
        return cls(columns=tuple(field.column for field in fields), rows=rows, **options)

    @classmethod
    def of_frame(cls, name: str, title: str, frame: pl.DataFrame, caption: str = "") -> Table:
        """A table with the columns of a frame; people see four significant figures."""
        from heldout.reports.columns import columns_of_frame

        return cls(name=name, title=title, caption=caption, columns=columns_of_frame(frame), rows=FrameRows(frame))

    @property
    def frame(self) -> pl.DataFrame:
        """The table as a polars frame: every column, all digits."""
        from heldout.reports.render import frames

        return frames.frame(self)

    def to_csv(self) -> str:
        """The table as CSV: every column, all digits."""
        return self.to("csv")

    def to_json(self) -> str:
        """The table as a JSON list of objects: every column, all digits."""
        return self.to("json")

    def to_markdown(self) -> str:
        """The table in Markdown, as people see it."""
        return self.to("markdown")

    def to_html(self) -> str:
        """The table as an HTML element, as people see it."""
        return self.to("html")

    def to_latex(self, *, label: str = "") -> str:
        """The table for a paper (booktabs); its label is `tab:NAME` if none is given."""
        from heldout.reports.render import latex

        return latex.table(self, label=label)

    def to(self, form: str) -> str:
        """The text of a format: csv, json, latex, markdown or html."""
        if form not in ENDINGS.values():
            raise UnknownNameError("format of a table", form, list(ENDINGS.values()), where="format", listed=True)
        if form == "latex":
            return self.to_latex()
        if form == "html":
            from heldout.reports.render import html

            return html.table(self)
        from heldout.reports.render import frames, markdown

        writers = {"csv": frames.csv, "json": frames.json_text, "markdown": markdown.table}
        return writers[form](self)

    def save(self, path: str | Path, form: str | None = None) -> None:
        """Write the table to a file; without a format the ending decides: .csv, .json, .tex, .md or .html."""
        ending = Path(path).suffix.lower()
        if form is None and ending not in ENDINGS:
            raise SpecError(f"cannot write a table as '{ending}'", where=str(path), hint=f"use {', '.join(ENDINGS)}")
        write_text(path, self.to(form or ENDINGS[ending]))

    def __repr__(self) -> str:
        return f"{self.title}: {len(self.rows)} rows of {', '.join(column.name for column in self.columns)}"

    def _repr_html_(self) -> str:
        return self.to_html()

    def column(self, name: str) -> Column:
        """The column of this name."""
        return next(column for column in self.columns if column.name == name)

    def values(self, name: str) -> list[Any]:
        """The raw values of a column."""
        place = [column.name for column in self.columns].index(name)
        return [row[place] for row in self.rows]

    def without(self, *names: str) -> Table:
        """The table without these columns."""
        places = [k for k, column in enumerate(self.columns) if column.name not in names]
        rows = tuple(tuple(row[k] for k in places) for row in self.rows)
        return replace(self, columns=tuple(self.columns[k] for k in places), rows=rows)

    @cached_property
    def constants(self) -> list[tuple[Column, Any]]:
        """Columns that hold one value in all of several rows, or p-values that read alike, with the first value."""
        if len(self.rows) < 2 or not self.folding:
            return []
        first = self.rows[0]
        places = [k for k, column in enumerate(self.columns) if k and column.folds]
        return [
            (self.columns[k], first[k]) for k in places if all(self.columns[k].alike(row[k], first[k]) for row in self.rows)
        ]

    def folded(self) -> tuple[Table, str]:
        """The table that people see, and a sentence on its constant columns; the sentence is empty if there are none."""
        constants = [(column, value) for column, value in self.constants if column.shown]
        names = {column.name for column, _ in constants} | {column.name for column in self.columns if not column.shown}
        said = [f"{c.said} {c.text(value, 0)}" if value is not None else f"no {c.said}" for c, value in constants]
        return self.without(*names) if names else self, f"Same for all {self.subject}: {', '.join(said)}." if said else ""


@dataclass(frozen=True)
class FrameRows(Sequence[Row]):
    """Rows of a frame, read only if they are asked for."""

    frame: pl.DataFrame

    def __len__(self) -> int:
        return len(self.frame)

    def __getitem__(self, place: Any) -> Any:
        return list(self)[place] if isinstance(place, slice) else self.frame.row(place)

    def __iter__(self) -> Iterator[Row]:
        return self.frame.iter_rows()


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The room that a chart has, in pixels of 1/96 inch."""

    width: float = 896.0
    paper: bool = False
    """True for a figure of a paper: no title inside, text at least 7 pt."""

    @classmethod
    def inches(cls, width: float) -> Layout:
        """The layout of a figure in a paper."""
        return cls(width=96.0 * width, paper=True)

    @property
    def narrow(self) -> bool:
        """True if there is room for one column of a paper, or for a phone."""
        return self.width < 480


WIDE = Layout()
NARROW = Layout(width=340.0)


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A figure: what it is called, what it shows, and the function that specifies it for a layout."""

    name: str
    """In kebab-case: for `results.figures`, `heldout report --figure` and files."""
    title: str
    caption: str
    """What a reader needs who sees nothing but the figure."""
    draw: Callable[[Layout], Spec]
    """From the room there is to a Vega-Lite specification."""
    table: str = ""
    """The table with the same numbers, which replaces the chart in a page without JavaScript."""
    half: bool = False
    """True if two such charts fit next to each other on a wide page."""
    unsaid: str | None = None
    """As of a table."""

    @property
    def explanation(self) -> str:
        """What people read next to it."""
        return self.caption if self.unsaid is None else self.unsaid

    def spec(self, layout: Layout = WIDE) -> Spec:
        """The specification for a layout, with the caption as its description."""
        schema = "https://vega.github.io/schema/vega-lite/v6.json"
        return {"$schema": schema, "description": self.caption, **self.draw(layout)}


@dataclass(frozen=True)
class Switch:
    """One decision that a reader can change."""

    name: str
    words: str
    options: tuple[str, ...]
    """As addresses have them."""
    labels: tuple[str, ...] = ()
    """As people read them; the options if empty."""


@dataclass(frozen=True, kw_only=True)
class State:
    """What a page shows for one combination of options."""

    codes: tuple[int, ...]
    """The option of each switch, by number; −1 if the switch does not apply."""
    blocks: tuple[Block, ...]
    brief: str = ""
    """The answer in a few words, for lists of other states."""
    leader: str = ""
    """The system that leads; empty if none does. A page lists the nearest states that another system leads."""
    signals: Mapping[str, Any] = field(default_factory=dict)
    """Values of Vega parameters by name: charts anywhere in the page that declare one follow the reader's choice."""


@dataclass(frozen=True, kw_only=True)
class Explorer:
    """Blocks that follow the switches. A renderer without switches writes the first state."""

    switches: tuple[Switch, ...]
    states: tuple[State, ...]
    start: int = 0
    noun: str = "setting"
    """What a state is called."""

    def blocks(self, state: int) -> tuple[Block, ...]:
        """What a page shows in a state."""
        return self.states[state].blocks


@dataclass(frozen=True, kw_only=True, eq=False)
class PackedExplorer:
    """An explorer of thousands of states, each of which has a sentence and one table with a row for each system.

    A page holds the printed digits of its numbers as whole numbers: as text they would take several megabytes. The arrays
    have a row for each state.
    """

    noun: str
    """What a state is called, such as "universe"."""
    switches: tuple[Switch, ...]
    codes: np.ndarray
    """States × switches: the option of each, by number; −1 if the switch does not apply. No two states are alike."""
    start: int
    sentences: Sequence[str]
    """By state: who wins, by how much and how surely."""
    briefs: Sequence[str]
    """The same in a few words, for lists of other states."""
    systems: tuple[str, ...]
    leader: np.ndarray
    """By state: the number of the system that leads; −1 if none does."""
    order: np.ndarray
    """States × systems: the numbers of the systems in the order of the rows."""
    name: str
    title: str
    caption: str = ""
    """Name, title and caption of the table."""
    columns: tuple[Column, ...]
    """Columns of the table; one of kind `system` needs no cells."""
    cells: Mapping[str, np.ndarray]
    """By column, states × systems of raw values (of an interval, × 2); NaN if there is none."""
    digits: np.ndarray
    """By state: decimals of values and intervals."""
    heads: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By column whose head differs between states, the head in each."""
    signals: Mapping[str, np.ndarray] = field(default_factory=dict)
    """By Vega parameter, its value in each state (NaN becomes null), as in `State`."""

    def table(self, state: int) -> Table:
        """The table of a state."""
        digits = int(self.digits[state])
        columns = tuple(
            replace(
                column,
                head=self.heads[column.name][state] if column.name in self.heads else column.head,
                digits=digits if column.kind in ("value", "interval") else column.digits,
            )
            for column in self.columns
        )
        cells = [None if c.kind == "system" else self.cells[c.name][state].tolist() for c in columns]
        rows = tuple(
            tuple(self.systems[k] if column is None else _cell(column[k]) for column in cells)
            for k in self.order[state].tolist()
        )
        return Table(name=self.name, title=self.title, caption=self.caption, columns=columns, rows=rows, subject="systems")

    def blocks(self, state: int) -> tuple[Block, ...]:
        """Sentence and table of a state."""
        return Text(self.sentences[state]), self.table(state)


def _cell(value: Any) -> Any:
    """A raw value of a table: None rather than NaN, and an interval as a tuple."""
    if isinstance(value, list):
        return None if any(math.isnan(end) for end in value) else tuple(value)
    return None if isinstance(value, float) and math.isnan(value) else value


Block: TypeAlias = Text | Listing | Terms | Verbatim | Table | Chart | Explorer | PackedExplorer


@dataclass(frozen=True, kw_only=True)
class Section:
    """Blocks under one heading."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    summary: str = ""
    """What a closed section of the appendix holds, in a few words."""
    level: Literal[1, 2] = 1
    """2 if it is a part of the section before it."""


def present(values: Iterable[T | None]) -> tuple[T, ...]:
    """The values that are not None: parts of a document that the result has."""
    return tuple(value for value in values if value is not None)


def section(id: str, title: str, *blocks: Block | None, summary: str = "", level: Literal[1, 2] = 1) -> Section | None:
    """A section of the blocks that the result has; None if it has none of them."""
    own: tuple[Block, ...] = present(blocks)
    return Section(id=id, title=title, blocks=own, summary=summary, level=level) if own else None


def paragraphs(sentences: Iterable[str], *, note: bool = False) -> Listing | None:
    """Sentences as a list; None if there are none."""
    items = tuple(Text(sentence, note=note) for sentence in sentences)
    return Listing(items) if items else None


@dataclass(frozen=True, kw_only=True)
class Notice:
    """A warning about method: its code, what was met, and what to change."""

    code: str
    title: str
    text: Text
    change: str = ""
    """Lines of a difference of the study file or of options, which begin with - and +."""
    severity: str = ""


@dataclass(frozen=True, kw_only=True)
class Document:
    """All that a report shows, in the order in which people read it."""

    kind: str
    """What was done, such as "multiverse"."""
    title: str
    facts: tuple[str, ...] = ()
    """Sizes for the line below the title."""
    answer: str
    """The answer in at most 12 words."""
    numbers: tuple[Text, ...] = ()
    """The numbers behind the answer."""
    figures: tuple[Figure, ...] = ()
    main: Table | None = None
    """The table that a terminal and a notebook show first."""
    sections: tuple[Section, ...] = ()
    """The evidence, all of it open."""
    notices: tuple[Notice, ...] = ()
    unchecked: tuple[Text, ...] = ()
    """Questions that nothing in the results answers."""
    appendix: tuple[Section, ...] = ()
    """Choices, systems, data, definitions, references, manifest: closed until the reader opens them."""
    files: str = ""
    """Where the complete numbers are, in a sentence."""
    systems: tuple[str, ...] = ()
    """In the order of the main result: the same colour and mark in every chart and table."""

    def __post_init__(self) -> None:
        said = {sentence for text in (self.answer, *(text.plain for text in self.numbers)) for sentence in _sentences(text)}
        if self.main is not None:
            object.__setattr__(self, "main", _once(self.main, set(said)))
        for part in ("sections", "appendix"):
            sections = tuple(replace(own, blocks=_each_once(own.blocks, said)) for own in getattr(self, part))
            object.__setattr__(self, part, sections)

    def blocks(self) -> Iterator[Block]:
        """Every block of the sections and of the appendix, those of explorers in their first state."""
        for section in (*self.sections, *self.appendix):
            yield from _flat(section.blocks)

    def tables(self) -> dict[str, Table]:
        """Every table by name."""
        return {block.name: block for block in self.blocks() if isinstance(block, Table)}


def _sentences(text: str) -> list[str]:
    """The sentences of a text, each with its full stop."""
    return [sentence for sentence in re.split(r"(?<=[.?!]) +(?=[A-Z0-9↓])", text) if sentence]


def _each_once(blocks: Iterable[Block], said: set[str]) -> tuple[Block, ...]:
    """Blocks whose captions leave out what was said; what they say is added."""
    return tuple(_once(block, said) for block in blocks)


def _once(block: B, said: set[str]) -> B:
    if isinstance(block, Table | Chart):
        unsaid = [sentence for sentence in _sentences(block.caption) if sentence not in said]
        said.update(unsaid)
        return replace(block, unsaid=" ".join(unsaid))
    if isinstance(block, Explorer):
        branches = [set(said) for _ in block.states]  # a reader sees one state at a time
        states = [
            replace(state, blocks=_each_once(state.blocks, branch))
            for state, branch in zip(block.states, branches, strict=True)
        ]
        said |= branches[block.start]
        return replace(block, states=tuple(states))
    texts = [block] if isinstance(block, Text) else block.items if isinstance(block, Listing) else ()
    said.update(sentence for text in texts for sentence in _sentences(text.plain))
    return block


def _flat(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Explorer | PackedExplorer):
            yield from _flat(block.blocks(block.start))
        else:
            yield block


Builders: TypeAlias = Mapping[str, Callable[[], Table | None]]
"""Name → function that makes the table; None if the result lacks it."""
Charts: TypeAlias = Mapping[str, Callable[..., Chart | None]]
"""Name → function of the figure's options that makes it; None if the result lacks it."""


def drawn(charts: Charts, *names: str) -> tuple[Chart, ...]:
    """The figures of these names that the result has, without options."""
    return present(charts[name]() for name in names if name in charts)
