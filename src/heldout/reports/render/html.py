"""Documents as one HTML file: tables in the page, charts drawn by Vega from the page itself, no request to anywhere.

`page.html` has the markup, `page.css` the looks and `page.js` what moves. The scripts and what they need (specifications,
states of explorers, files to save) are packed into the page as compressed text, which `start.js` reads.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import groupby
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from markupsafe import Markup

from heldout.reports.charts import theme
from heldout.reports.charts.encodings import text_width
from heldout.reports.columns import Column
from heldout.reports.document import (
    NARROW,
    WIDE,
    Block,
    Chart,
    Document,
    Explorer,
    Layout,
    Listing,
    PackedExplorer,
    Section,
    Switch,
    Table,
    Terms,
    Text,
    Verbatim,
)
from heldout.reports.render import frames, latex, markdown
from heldout.text.numbers import counted

MIDDLE, HALF = Layout(width=640.0), Layout(width=WIDE.width / 2)
"""Room for a chart on a tablet, and for one of two next to each other."""
RADIOS, RADIO_CHARACTERS = 8, 80
"""Options of a switch, and their characters, up to which all are visible as buttons; more become a list."""
SHORT = 32
"""Characters of a text in a table that stay on one line; half of them in a column of lines."""
ROOM, LOOSE, DENSE, LEAST_WRAPPED = 936.0, 7.0, 3.5, 152.0
"""Pixels: a table in a window of 1,000, the padding of a cell with room and without, and a text that breaks."""
SHORT_NAME = 20
"""Characters of a name that stays on one line."""
FIGURES = 7
"""Figures of a number that charts draw and tables sort by; files to save have all."""
FONT, BOLD = 1.08, 1.2
"""Width of text and of heads in the widest of usual fonts, as a multiple of that in charts."""
MODES: tuple[theme.Mode, ...] = ("light", "dark", "print")
_LIBRARIES = ("vega.min.js", "vega-lite.min.js", "vega-interpreter.js")
_LICENCES = ("vega.LICENSE", "bundled.LICENSES")
_INTEGERS = {"int8": "Int8Array", "uint8": "Uint8Array", "int16": "Int16Array", "uint16": "Uint16Array"}
_ARRAYS = {**_INTEGERS, "int32": "Int32Array", "float64": "Float64Array"}

View: TypeAlias = dict[str, Any]
"""What the template needs of a block; `type` names the macro that writes it."""


def page(document: Document) -> str:
    """The whole page; the same document gives the same bytes."""
    content = _Content(document.systems, frozenset(document.tables()))
    sections, appendix = _open_and_closed(document)
    values = {
        "document": document,
        "sections": [content.section(section) for section in sections],
        "appendix": [content.section(section) for section in appendix],
    }
    return _written(content, values, title=f"{document.answer.rstrip('.')} · {document.title}")


def _open_and_closed(document: Document) -> tuple[list[Section], list[Section]]:
    """Sections and appendix of a page, which has the numbers of charts in its appendix."""
    charted = [block for own in document.sections for block in own.blocks if _charted(block)]
    sections = [replace(own, blocks=tuple(b for b in own.blocks if not _charted(b))) for own in document.sections]
    if not charted:
        return sections, list(document.appendix)
    summary = counted(len(charted), "table")
    numbers = Section(id="numbers", title="Numbers of the charts", blocks=tuple(charted), summary=summary)
    return [own for own in sections if own.blocks or own.level == 1], [numbers, *document.appendix]


def _charted(block: Block) -> bool:
    return isinstance(block, Table) and block.charted


def figure(chart: Chart, systems: Sequence[str] = ()) -> str:
    """One chart as a page, for the frame of a notebook."""
    content = _Content(tuple(systems), frozenset())
    blocks = content.section(Section(id="figure", title="", blocks=(replace(chart, half=False),)))
    return _written(content, {"document": None, "sections": [blocks], "appendix": []}, title=chart.title)


def fragment(document: Document) -> Markup:
    """Answer, numbers and main table for notebooks, without script."""
    view = None if document.main is None else _table_view(document.main, drawn=False)
    return Markup(_macros().fragment(document, view).strip())


def table(source: Table) -> str:
    """One table as an element, with a style of its own."""
    return str(_macros().fragment(None, _table_view(source, drawn=False))).strip()


def _written(content: _Content, values: Mapping[str, Any], *, title: str) -> str:
    start = _file("start.js")
    scripts = [_script(re.sub(r"^ *(//.*\n)?", "", _file("page.js"), flags=re.MULTILINE))]
    scripts += _libraries() if content.charts else ()
    hashes = [_hash(start), *(digest for _, digest in scripts)]
    text: str = _template().render(
        **values,
        title=title,
        macros=_macros(),
        css=Markup(theme.css_variables() + "\n" + _file("page.css")),
        start=Markup(start),
        script=Markup(scripts[0][0]),
        policy=f"default-src 'none'; script-src {' '.join(hashes)}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'",
        libraries=[Markup(packed) for packed, _ in scripts[1:]],
        licensed=bool(content.charts),
        packed=Markup(content.packed()),
    )
    return text.lstrip()


@lru_cache(maxsize=1)
def _template() -> Any:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_file),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"pieces": _pieces, "address": _address}
    return environment.get_template("page.html")


@lru_cache(maxsize=1)
def _macros() -> Any:
    return _template().make_module({"document": None, "only_macros": True})


def _file(name: str) -> str:
    return (files("heldout.reports.render") / "templates" / name).read_text(encoding="utf-8")


def _vendor() -> Traversable:
    return files("heldout.reports.render") / "vendor"


@lru_cache(maxsize=1)
def _libraries() -> tuple[tuple[str, str], ...]:
    """The chart libraries as compressed text, each with the hash that the content policy names."""
    sources = []
    for name in _LIBRARIES:
        source = (_vendor() / name).read_text(encoding="utf-8")
        source = re.sub(r"\n?//# sourceMappingURL=\S+\s*$", "", source)
        if name == "vega-interpreter.js":  # published as a module only
            source = re.sub(r"^import (\{.*?\}) from 'vega-util';", r"const \1 = vega;", source)
            source = re.sub(
                r"export \{ expression as expressionInterpreter \};", "vega.expressionInterpreter = expression;", source
            )
            source = f"(() => {{ {source} }})();"
        sources.append(_script(source))
    return tuple(sources)


def _script(source: str) -> tuple[str, str]:
    """A script as compressed text, with its hash."""
    return _packed(source.encode()), _hash(source)


def _packed(content: bytes) -> str:
    """Compressed bytes as text, four in five letters; without "<", no letters end or begin an element."""
    return base64.b85encode(zlib.compress(content, 9)).decode().replace("<", ",")


def _licences() -> str:
    return "\n\n".join((_vendor() / name).read_text(encoding="utf-8").strip() for name in _LICENCES)


def _hash(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def _pieces(name: str) -> list[str]:
    """A long name in pieces between which it may break: before a parenthesis and after a comma."""
    return re.split(r"(?=\()|(?<=,)", name) if len(name) > SHORT_NAME else [name]


def _address(link: str) -> str:
    """The address if it is one of the page, of a file, or of the web; nothing runs from a link."""
    scheme = re.match(r"\s*([a-zA-Z][a-zA-Z0-9+.-]*):", link)
    return link if scheme is None or scheme[1].lower() in ("http", "https") else ""


# ---- what a page holds ------------------------------------------------------------------------------------------------


@dataclass
class _Shared:
    """Values that the script finds by number, each of them once."""

    values: list[Any] = field(default_factory=list)
    place_by_text: dict[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.values)

    def add(self, value: Any) -> int:
        """The number of a value that JSON can hold."""
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, sort_keys=True)
        if text not in self.place_by_text:
            self.place_by_text[text] = len(self.values)
            self.values.append(value)
        return self.place_by_text[text]


@dataclass
class _Content:
    """The blocks of a page as the template needs them, and what the script needs besides."""

    systems: tuple[str, ...]
    tables_by_name: frozenset[str]
    charts: _Shared = field(default_factory=_Shared)
    rows: _Shared = field(default_factory=_Shared)
    """Data of charts, which share them between layouts and states."""
    texts: _Shared = field(default_factory=_Shared)
    """Markup of states and files of tables: next to each other, because they have the same digits, which compress."""
    explorers: list[dict[str, Any]] = field(default_factory=list)
    arrays: list[np.ndarray] = field(default_factory=list)

    @property
    def marks(self) -> dict[str, int]:
        """The number of each system's colour and mark."""
        return {system: 1 + k % theme.MOST_SERIES for k, system in enumerate(self.systems)}

    def section(self, section: Section) -> View:
        return {
            "id": section.id,
            "title": section.title,
            "summary": section.summary,
            "level": section.level,
            "blocks": self.views(section.blocks, title=section.title),
        }

    def views(self, blocks: Iterable[Block], *, title: str = "") -> list[View]:
        """Blocks as the template writes them."""
        return [self.view(block, title) for block in blocks]

    def view(self, block: Block, title: str = "") -> View:
        match block:
            case Text():
                return {"type": "paragraph", "text": block}
            case Listing():
                return {"type": "listing", "items": block.items}
            case Terms():
                return {"type": "terms", "entries": block.entries, "anchor": block.anchor}
            case Verbatim():
                return {"type": "verbatim", "text": block.text}
            case Table():
                return self.table(block, title)
            case Chart():
                return self.chart(block, title)
            case Explorer():
                return self.explorer(block, title)
            case PackedExplorer():
                return self.universes(block)
        raise TypeError(f"no markup for {type(block).__name__}")

    def table(self, source: Table, title: str = "") -> View:
        text = {"csv": frames.csv(source), "md": markdown.table(source), "tex": latex.table(source)}
        view = _table_view(source, self.marks, room=ROOM / 2 - 16 if source.half else ROOM)
        return {**view, "save": self.texts.add([source.name, text]), "titled": source.title != title}

    def chart(self, chart: Chart, title: str = "") -> View:
        layouts = (HALF, NARROW) if chart.half else (WIDE, MIDDLE, NARROW)
        shared = [[layout.width, self._shared(chart.spec(layout))] for layout in layouts]
        return {
            "type": "chart",
            "chart": chart,
            "number": self.charts.add(shared),
            "titled": chart.title != title,
            "linked": chart.table in self.tables_by_name,
        }

    def _shared(self, node: Any) -> Any:
        """A specification in which data are numbers of `rows`."""
        if isinstance(node, dict):
            return {
                key: {**value, "values": {"$rows": self.rows.add(_finite(value["values"], FIGURES))}}
                if key == "data" and isinstance(value, dict) and isinstance(value.get("values"), list)
                else self._shared(value)
                for key, value in node.items()
            }
        return [self._shared(value) for value in node] if isinstance(node, list | tuple) else _finite(node)

    def explorer(self, source: Explorer, title: str) -> View:
        states: list[list[int]] = []
        start: list[View] = []
        for state in range(len(source.states)):
            views = self.views(source.blocks(state), title=title)
            states.append([self.texts.add(str(_macros().block(view)).strip()) for view in views])
            start = views if state == source.start else start
        leaders = list(dict.fromkeys(state.leader for state in source.states if state.leader))
        record = {
            "codes": [list(state.codes) for state in source.states],
            "briefs": [state.brief for state in source.states],
            "leaders": [leaders.index(state.leader) if state.leader else -1 for state in source.states],
            "names": leaders,
            "signals": [_finite(dict(state.signals)) for state in source.states],
            "states": states,
        }
        return self._explorer(source, record, start)

    def universes(self, source: PackedExplorer) -> View:
        """An explorer of arrays: its values as whole numbers, which the script writes with a decimal point."""
        shown = (column for column in source.columns if column.shown and column.kind != "letters")
        columns = tuple(replace(c, fold=False, track="" if c.signed else c.track) for c in shown)
        source = replace(source, columns=columns)
        view = {**_table_view(source.table(source.start), self.marks), "save": -1, "titled": True}
        record = {
            "codes": self._array(source.codes),
            "briefs": self._texts(source.briefs),
            "leaders": self._array(source.leader),
            "names": list(source.systems),
            "signals": {name: self._array(values.astype(np.float64)) for name, values in source.signals.items()},
            "packed": {
                "systems": [str(_macros().name(system, self.marks.get(system, 0))) for system in source.systems],
                "marks": [self.marks.get(system, 0) for system in source.systems],
                "sentences": self._texts(source.sentences),
                "order": self._array(source.order),
                "digits": self._array(source.digits),
                "heads": {name: self._texts(heads) for name, heads in source.heads.items()},
                "columns": [self._column(source, column) for column in columns],
            },
        }
        views = [{"type": "paragraph", "text": Text(source.sentences[source.start])}, view]
        return self._explorer(source, record, views)

    def _explorer(self, source: Explorer | PackedExplorer, record: dict[str, Any], blocks: list[View]) -> View:
        number = len(self.explorers)
        switches = [vars(switch) for switch in source.switches]
        self.explorers.append({"noun": source.noun, "switches": switches, "start": source.start, **record})
        start = source.codes[source.start] if isinstance(source, PackedExplorer) else source.states[source.start].codes
        controls = [
            {"switch": switch, "number": k, "chosen": int(start[k]), "radios": _fits(switch)}
            for k, switch in enumerate(source.switches)
        ]
        return {"type": "explorer", "number": number, "controls": controls, "blocks": blocks, "noun": source.noun}

    def _column(self, source: PackedExplorer, column: Column) -> dict[str, Any]:
        if column.kind == "system":
            return {"kind": "system"}
        raw = source.cells[column.name]
        if column.kind == "value" and not column.signed:
            return {"kind": "value", "name": column.name, "values": self._wholes(_whole(raw, source.digits))}
        if column.kind == "interval" and not column.signed:
            return {"kind": "interval", "name": column.name, **self._ends(source, column)}
        texts: dict[str, float] = {}
        cells = []
        for state, line in enumerate(raw.tolist()):
            own = column if column.digits is not None else replace(column, digits=int(source.digits[state]))
            for value in line:
                text = own.text(value, 0)
                cells.append(text)
                texts[text] = min(texts.get(text, math.inf), math.inf if value != value else value)
        order = sorted(texts, key=lambda text: (texts[text], text))
        place = {text: k for k, text in enumerate(order)}
        return {
            "kind": "text",
            "name": column.name,
            "texts": order,
            "places": self._array(np.array([place[t] for t in cells])),
        }

    def _ends(self, source: PackedExplorer, column: Column) -> dict[str, Any]:
        """An interval by how far its lower end is from the value, and how much further its upper end: small numbers."""
        low, high = (_whole(source.cells[column.name][..., end], source.digits) for end in (0, 1))
        names = [own.name for own in source.columns]
        middle = _whole(source.cells[column.track], source.digits) if column.track else np.ma.zeros(low.shape, np.int64)
        below = middle - low
        return {
            "track": names.index(column.track) if column.track else -1,
            "below": self._wholes(below),
            "skew": self._wholes(high - middle - below),
        }

    def _wholes(self, values: np.ma.MaskedArray) -> dict[str, int]:
        """The number of an array, and the one that stands for an absent value."""
        absent = int(values.min()) - 1 if values.count() else 0
        return {**self._array(values.filled(absent)), "absent": absent}

    def _texts(self, texts: Sequence[str]) -> dict[str, Any]:
        place: dict[str, int] = {}
        numbers = [place.setdefault(text, len(place)) for text in texts]
        return {"texts": list(place), "places": self._array(np.array(numbers, dtype=np.int64))}

    def _array(self, array: np.ndarray) -> dict[str, int]:
        """The number of an array, which the script reads state after state."""
        self.arrays.append(_smallest(array).ravel())
        return {"$array": len(self.arrays) - 1}

    def packed(self) -> str:
        """Compressed text: the length of the JSON, the JSON, and the arrays, each at a multiple of 8 bytes."""
        parts, places, at = [], [], 0
        for array in self.arrays:
            raw = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes()
            places.append([_ARRAYS[array.dtype.name], at, array.size])
            raw += b"\0" * (-len(raw) % 8)
            parts.append(raw)
            at += len(raw)
        record = {
            "systems": list(self.systems),
            "charts": self.charts.values,
            "rows": self.rows.values,
            "texts": self.texts.values,
            "explorers": self.explorers,
            "arrays": places,
            "licences": _licences() if self.charts else "",
            "themes": {mode: theme.config(mode) for mode in MODES} if self.charts else {},
            "paper": theme.COLOURS["print"].paper,
        }
        head = json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        head += b" " * (-(len(head) + 4) % 8)
        return _packed(struct.pack("<I", len(head)) + head + b"".join(parts))


def _finite(value: Any, figures: int = 17) -> Any:
    """JSON types only, with so many figures of each number: not-a-number and infinities become null."""
    if isinstance(value, dict):
        return {str(key): _finite(own, figures) for key, own in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(own, figures) for own in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return float(f"{value:.{figures}g}") if math.isfinite(value) else None
    return value


def _smallest(array: np.ndarray) -> np.ndarray:
    """Whole numbers in the smallest type that holds them."""
    if array.dtype.kind not in "iub":
        return array
    low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
    for kind in (*_INTEGERS, "int32"):
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return array.astype(kind)
    return array.astype(np.float64)


def _whole(values: np.ndarray, digits: np.ndarray) -> np.ma.MaskedArray:
    """Numbers as the whole ones that their printed digits make: 0.1234 is 1234."""
    lines = zip(values.tolist(), digits.tolist(), strict=True)
    whole = [[int(f"{v:.{d}f}".replace(".", "")) if math.isfinite(v) else 0 for v in line] for line, d in lines]
    return np.ma.array(whole, dtype=np.int64, mask=~np.isfinite(values)).reshape(values.shape)


def _fits(switch: Switch) -> bool:
    return len(switch.options) <= RADIOS and sum(map(len, switch.labels or switch.options)) <= RADIO_CHARACTERS


# ---- tables -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Cell:
    """A cell as the template writes it."""

    text: str | Text = ""
    cls: str = ""
    raw: str = ""
    """The number in more digits than the text has."""
    exact: str = ""
    """The value with four figures, for a reader who points at the cell in a place without our script."""
    letters: str = ""
    strong: bool = False
    system: str = ""
    """Its full name."""
    bar: float | None = None
    """Percent."""
    track: tuple[str, ...] | None = None
    """Places of the lower end, of the upper end and of the value on the scale; empty if absent."""

    @property
    def width(self) -> float:
        """About how many pixels it takes, without padding."""
        if self.track is not None:
            return 72.0
        text = self.text if isinstance(self.text, str) else self.text.plain
        width = FONT * text_width(text, WIDE)
        if "wrap" in self.cls:
            width = min(width, LEAST_WRAPPED)
        system = 23.0 if self.system else 0.0
        return width + system + (64.0 if self.bar is not None else 0.0) + (14.0 if self.letters else 0.0)


@dataclass(frozen=True, kw_only=True)
class _Head:
    """A head of one or several columns."""

    text: str = ""
    cls: str = ""
    means: str = ""
    system: str = ""
    """The system whose values are below it; its full name."""
    columns: int = 1
    rows: int = 1
    place: int | None = None
    """Number of the column; None for a head of several."""
    scale: tuple[str, str] | None = None
    lower: bool = False
    """True if lower is better."""


def _table_view(
    source: Table, marks: Mapping[str, int] = MappingProxyType({}), *, drawn: bool = True, room: float = math.inf
) -> View:
    """A table as the template writes it; letters join the column before, and intervals with a track get a drawing.

    `marks` are the numbers of the systems' marks; a table without drawings can be shown outside the page. Columns that have
    no room go into further tables below.
    """
    table, same = source.folded()
    columns: list[_Column] = []
    for place, column in enumerate(table.columns):
        if column.kind == "letters" and columns:
            columns[-1] = replace(columns[-1], letters=place)
            continue
        names = [c.name for c in table.columns]
        if drawn and column.kind == "interval" and column.track in names:
            columns.append(_Column(column, place, track=names.index(column.track), scale=_scale(table, place)))
        columns.append(_Column(column if drawn else replace(column, bar=False), place))
    systems = [place for place, column in enumerate(table.columns) if column.kind == "system"]
    named = next((number for number, own in enumerate(columns) if not own.column.numeric), 0)
    of_system = columns[named].column.kind == "system"
    cells = [[own.cell(table, row, number, scripted=drawn) for own in columns] for number, row in enumerate(table.rows)]
    rows = []
    for number, row in enumerate(table.rows):
        system = row[systems[0]] if systems else ""
        mark = marks.get(system, 0)
        rows.append({"system": system if of_system else "", "mark": mark, "marked": number in table.marked})
    widths = [_width(own.head(0, 1), (line[k] for line in cells)) for k, own in enumerate(columns)]
    padding = min(LOOSE, max(DENSE, (room - sum(widths)) / (2 * len(widths))))
    parts = [
        {
            "heads": _heads([columns[k] for k in own]),
            "named": own.index(named),
            "rows": [{**row, "cells": [line[k] for k in own]} for row, line in zip(rows, cells, strict=True)],
        }
        for own in _parts(columns, widths, named, room)
    ]
    return {"type": "table", "table": source, "parts": parts, "padding": padding, "same": same, "marks": marks}


def _parts(columns: Sequence[_Column], widths: Sequence[float], named: int, room: float) -> list[list[int]]:
    """The columns of each of the tables below one another that have room: each begins with those that name the rows.

    Columns under one head stay together.
    """
    leads = list(range(named + 1))
    while columns[0].column.kind == "system" and len(leads) < len(columns) and columns[len(leads)].column.kind == "system":
        leads.append(len(leads))
    taken = [width + 2 * DENSE for width in widths]
    free = room - sum(taken[k] for k in leads)
    others = sum(taken[len(leads) :])
    even = others / math.ceil(others / free) if 0 < free < others else others
    parts, filled = [[*leads]], 0.0
    for _, run in groupby(range(len(leads), len(columns)), key=lambda k: columns[k].column.group or k):
        group = list(run)
        width = sum(taken[k] for k in group)
        if filled and (filled + width > free or filled + width / 2 > even):
            parts.append([*leads])
            filled = 0.0
        parts[-1] += group
        filled += width
    return parts


def _width(head: _Head, cells: Iterable[_Cell]) -> float:
    """About how many pixels a column takes, without padding; heads and long texts break."""
    words = max((BOLD * text_width(word, WIDE) for word in head.text.split()), default=0.0)
    return max(words, 72.0 if head.scale else 0.0, *(cell.width for cell in cells), 0.0)


@dataclass(frozen=True)
class _Column:
    """One column of the page: of values, or a drawing of values and intervals."""

    column: Column
    place: int
    track: int | None = None
    """Place of the column of values in a drawing."""
    scale: tuple[float, float] = (0.0, 1.0)
    letters: int | None = None

    @property
    def cls(self) -> str:
        return "t" if self.track is not None else "n" if self.column.numeric else ""

    def head(self, number: int, rows: int) -> _Head:
        if self.track is not None:
            low, high = (
                Column(name="", kind="value", digits=self._digits).text(end, 0) if end else "0" for end in self.scale
            )
            return _Head(cls="t", place=number, rows=rows, scale=(low, high), means="Scale of the drawing")
        column = self.column
        return _Head(
            text=column.title,
            cls=self.cls,
            means=column.means,
            system=column.name,
            rows=rows,
            place=number,
            lower=column.better == "lower",
        )

    @property
    def _digits(self) -> int | None:
        digits = self.column.digits
        if digits is None or isinstance(digits, int):
            return digits
        return max((each for each in digits if each is not None), default=None)

    def cell(self, table: Table, row: Sequence[Any], number: int, *, scripted: bool) -> _Cell:
        value, column = row[self.place], self.column
        if self.track is not None:
            low, high = value or (None, None)
            return _Cell(cls="t", track=tuple(self._share(end) for end in (low, high, row[self.track])))
        text, most = column.text(value, number), SHORT / 2 if column.lines else SHORT
        letters = "" if self.letters is None or row[self.letters] is None else str(row[self.letters])
        raw = _raw(column, value)
        return _Cell(
            text=value if isinstance(value, Text) else text,
            cls="" if column.numeric else "l wrap" if len(text) > most else "l",
            raw=raw,
            exact="" if raw and scripted else _more(column.hover(value), text),  # the page's script shows the raw value
            letters=letters,
            strong=(number, column.name) in table.strong,
            system=str(value) if column.kind == "system" else "",
            bar=round(100 * value, 2) if column.bar and isinstance(value, float) and math.isfinite(value) else None,
        )

    def _share(self, value: float | None) -> str:
        if value is None or not math.isfinite(value):
            return ""
        low, high = self.scale
        return f"{100 * (value - low) / ((high - low) or 1.0):.2f}%"


def _more(exact: str, text: str) -> str:
    """The exact value if it says more than the text."""
    return "" if exact == text or exact.lstrip("-") == text.lstrip("+−").replace("–", " to ") else exact


def _raw(column: Column, value: Any) -> str:
    """A number by which the page sorts; of an interval, both ends. Counts are written in full already."""
    if not column.numeric or column.kind == "count" or value is None:
        return ""
    ends = value if column.kind == "interval" else (value,)
    if any(end is None or not math.isfinite(end) for end in ends):
        return ""
    return " ".join(f"{end:.{FIGURES}g}" for end in ends)


def _scale(table: Table, place: int) -> tuple[float, float]:
    """The ends of a drawing: from 0, if that does not take most of the room, to the greatest."""
    column = table.columns[place]
    names = [c.name for c in table.columns]
    values = [row[names.index(column.track)] for row in table.rows]
    values += [end for row in table.rows for end in row[place] or ()]
    known = [v for v in values if v is not None and math.isfinite(v)]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    return (0.0 if 0 < 2 * low < high or (column.signed and low > 0) else low), max(high, 0.0) if column.signed else high


def _heads(columns: Sequence[_Column]) -> list[list[_Head]]:
    """Rows of heads: one, or two if columns share a head."""
    if not any(own.column.group for own in columns):
        return [[own.head(number, 1) for number, own in enumerate(columns)]]
    top: list[_Head] = []
    bottom: list[_Head] = []
    for number, own in enumerate(columns):
        group = own.column.group
        if not group:
            top.append(own.head(number, 2))
            continue
        bottom.append(own.head(number, 1))
        if number and top[-1].place is None and columns[number - 1].column.group == group:
            top[-1] = replace(top[-1], columns=top[-1].columns + 1)
        else:
            top.append(_Head(text=group, cls="group"))
    return [top, bottom]
