"""The tables of a page, read back from it, so that what is saved by Python is what the page shows and saves."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from heldout.reports.sheet import Sheet, SheetCell

ASIDE = ("track",)
"""Classes of columns that are drawings, and are left out of what is saved."""
BEST = ("best", "lead")
"""Classes of cells that stand out as the best of their column."""


def sheets(page: str) -> dict[str, Sheet]:
    """Name → table, in the order of the page. A table is named by `data-table`, its id or its caption."""
    reader = _TableReader()
    reader.feed(page)
    reader.close()
    tables: dict[str, Sheet] = {}
    for table in reader.tables:
        base = name = table.key.removesuffix("-table") or kebab(table.caption)
        again = 1
        while name in tables:
            again += 1
            name = f"{base}-{again}"
        tables[name] = table.sheet(name)
    return tables


def kebab(text: str) -> str:
    """A text as a name: words of letters and digits, joined by hyphens; the script names files so too."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60].rstrip("-") or "table"


@dataclass
class _ReadCell:
    classes: list[str]
    texts: list[str] = field(default_factory=list)
    letters: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)

    def read(self) -> SheetCell:
        text, letters = (" ".join("".join(pieces).split()) for pieces in (self.texts, self.letters))
        best = any(name in BEST for name in self.classes)
        return SheetCell(text, tuple(self.values), letters, best)


@dataclass
class _ReadTable:
    key: str
    caption: str = ""
    heads: list[_ReadCell] = field(default_factory=list)
    """Those of the last row of heads."""
    rows: list[list[_ReadCell]] = field(default_factory=list)

    def sheet(self, name: str) -> Sheet:
        shown = [k for k, head in enumerate(self.heads) if not set(ASIDE) & set(head.classes)]
        heads = [self.heads[k] for k in shown]
        return Sheet(
            name=name,
            title=" ".join(self.caption.split()),
            heads=tuple(head.read().text for head in heads),
            numeric=tuple("num" in head.classes for head in heads),
            rows=tuple(tuple(row[k].read() for k in shown) for row in self.rows),
        )


class _TableReader(HTMLParser):
    """Reads tables as `markup.table` and the script write them: a caption, heads, and rows of as many cells."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[_ReadTable] = []
        self.open: list[str] = []
        """Elements that are open inside a table."""
        self.hidden: list[int] = []
        """How deep elements stand whose text is not read."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "table":
            self.tables.append(_ReadTable(attributes.get("data-table") or attributes.get("id") or ""))
        elif not self.open:
            return
        table, classes = self.tables[-1], (attributes.get("class") or "").split()
        if tag == "tr" and "thead" in self.open:
            table.heads = []
        elif tag == "tr":
            table.rows.append([])
        elif tag in ("td", "th"):
            (table.heads if "thead" in self.open else table.rows[-1]).append(_ReadCell(classes))
        elif tag == "data" and (cell := self._cell()) is not None:
            cell.values.append(attributes.get("value") or "")
        if tag in ("br", "wbr"):
            return
        self.open.append(tag)
        if attributes.get("aria-hidden") == "true" or "star" in classes:
            self.hidden.append(len(self.open))

    def handle_endtag(self, tag: str) -> None:
        if not self.open:
            return
        if self.hidden and self.hidden[-1] == len(self.open):
            self.hidden.pop()
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if not self.open or self.hidden:
            return
        if "caption" in self.open:
            self.tables[-1].caption += data
        elif (cell := self._cell()) is not None:
            (cell.letters if "sup" in self.open else cell.texts).append(data)

    def _cell(self) -> _ReadCell | None:
        if not {"td", "th"} & set(self.open):
            return None
        table = self.tables[-1]
        cells = table.heads if "thead" in self.open else table.rows[-1]
        return cells[-1]
