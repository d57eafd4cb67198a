"""A table to publish: what a table of the page shows, as CSV, JSON, Markdown and LaTeX."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, overload

from heldout.errors import SpecError, UnknownNameError
from heldout.latex_text import escape, table_row
from heldout.reports.csv_text import csv_text
from heldout.reports.markdown.text import plain
from heldout.words import ABSENT, exact, exact_p
from heldout.writing import write_text

if TYPE_CHECKING:
    import polars as pl

ENDINGS: dict[str, str] = {".csv": "csv", ".json": "json", ".tex": "latex", ".md": "markdown"}
COLUMN_LETTERS, PAGE_LETTERS = 58, 110
"""Letters of a row that fit one column of a paper of two columns, and both; wider tables are made smaller."""
_NUMBER = re.compile(r"[+−-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?(e[+-]?\d+)?")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that spreadsheets take for a formula."""


@dataclass(frozen=True)
class SheetCell:
    """A cell: what is shown, and the numbers behind it."""

    text: str
    values: tuple[str, ...] = ()
    """The numbers with all their digits, as Python writes them, where the page has them: one, or the ends of an interval."""
    letters: str = ""
    """Letters of the systems that are not told apart, written raised."""
    best: bool = False
    """Whether it stands out as the best of its column."""

    def plain(self, parts: int) -> list[str]:
        """What programs read, in as many columns as the widest cell has numbers; empty where it is absent."""
        if self.values:
            return [*self.values, *[""] * (parts - len(self.values))]
        text = "" if self.text == ABSENT else self.text
        if _NUMBER.fullmatch(text):
            text = text.replace(",", "").replace("−", "-").removeprefix("+")
        return [text, *[""] * (parts - 1)]


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A table as it is shown, with the exact numbers behind it."""

    name: str
    """In kebab-case: the same on the page, for `heldout report --table` and in `results.tables`."""
    title: str
    heads: tuple[str, ...]
    numeric: tuple[bool, ...]
    """Which columns hold numbers, and so stand on the right."""
    rows: Sequence[tuple[SheetCell, ...]]

    @classmethod
    def of_frame(cls, name: str, title: str, frame: pl.DataFrame) -> Sheet:
        """A frame as it is: four significant figures are shown, all digits stand behind them."""
        numeric = tuple(kind.is_numeric() for kind in frame.dtypes)
        return cls(name=name, title=title, heads=tuple(frame.columns), numeric=numeric, rows=_FrameRows(frame))

    def plain(self) -> tuple[list[str], list[list[str]]]:
        """Names of columns, each once and none empty, and the cells of all rows as programs read them."""
        parts = [max((len(row[k].values) for row in self.rows), default=0) or 1 for k in range(len(self.heads))]
        names: list[str] = []
        for place, (head, count) in enumerate(zip(self.heads, parts, strict=True)):
            name = head or f"column {place + 1}"
            for part in [name] if count == 1 else [f"{name} low", f"{name} high"]:
                again = names.count(part)
                names.append(f"{part} ({again + 1})" if again else part)
        rows = [[text for cell, count in zip(row, parts, strict=True) for text in cell.plain(count)] for row in self.rows]
        return names, rows

    @property
    def frame(self) -> pl.DataFrame:
        """The table as a polars frame; a column is of numbers if all its cells are."""
        return self.rows.frame if isinstance(self.rows, _FrameRows) else self._read()

    def _read(self) -> pl.DataFrame:
        """The frame that the cells give."""
        import polars as pl

        names, rows = self.plain()
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
        return pl.DataFrame([_column(name, texts) for name, texts in zip(names, columns, strict=True)])

    def to_csv(self) -> str:
        """CSV for a spreadsheet, numbers with all their digits; no name is taken for a formula."""
        if isinstance(self.rows, _FrameRows) and self.rows.is_plain:
            return csv_text(self.rows.frame)
        names, rows = self.plain()
        return "".join(",".join(map(_quoted, line)) + "\n" for line in [names, *rows])

    def to_json(self) -> str:
        """A list of objects, one for each row, numbers with all their digits."""
        return json.dumps(self._read().to_dicts(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    def to_markdown(self) -> str:
        """The table as it is shown, in Markdown."""
        rule = ["---:" if number else "---" for number in self.numeric]
        lines = [
            [_markdown(head) for head in self.heads],
            rule,
            *([_markdown_cell(cell) for cell in row] for row in self.rows),
        ]
        return "".join("| " + " | ".join(line) + " |\n" for line in lines)

    def to_latex(self) -> str:
        """The table as it is shown, for a paper: booktabs, and no wider than a column or the page."""
        if self._letters() > PAGE_LETTERS and (alike := self._alike()):
            return self._without(alike).to_latex()
        letters = self._letters()
        kind = "table*" if letters > COLUMN_LETTERS else "table"
        smaller = letters > PAGE_LETTERS
        columns = "".join("r" if number else "l" for number in self.numeric)
        lines = [
            r"% needs \usepackage{booktabs}" + (r" and \usepackage{graphicx}" if smaller else ""),
            rf"\begin{{{kind}}}[t]",
            r"\centering",
            rf"\caption{{{escape(self.title)}}}",
            rf"\label{{tab:{self.name}}}",
            *([r"\resizebox{\linewidth}{!}{%"] if smaller else []),
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            table_row(map(escape, self.heads)),
            r"\midrule",
            *(table_row(map(_latex_cell, row)) for row in self.rows),
            r"\bottomrule",
            r"\end{tabular}" + ("}" if smaller else ""),
            rf"\end{{{kind}}}",
        ]
        return "\n".join([*lines, ""])

    def _letters(self) -> int:
        """How wide the table is, in letters."""
        columns = enumerate(self.heads)
        return sum(2 + max(len(text) for text in (head, *(row[k].text for row in self.rows))) for k, head in columns)

    def _alike(self) -> list[int]:
        """Columns of numbers that say the same of every row."""
        several = len(self.rows) > 1
        return [k for k, number in enumerate(self.numeric) if several and number and len({row[k] for row in self.rows}) == 1]

    def _without(self, alike: Sequence[int]) -> Sheet:
        """The table without some columns, which are alike in all rows and stand in the title."""
        kept = [k for k in range(len(self.heads)) if k not in alike]
        same = "; ".join(f"{self.heads[k]}: {self.rows[0][k].text}" for k in alike if self.rows[0][k].text)
        return Sheet(
            name=self.name,
            title=f"{self.title}. The same in all rows: {same}" if same else self.title,
            heads=tuple(self.heads[k] for k in kept),
            numeric=tuple(self.numeric[k] for k in kept),
            rows=tuple(tuple(row[k] for k in kept) for row in self.rows),
        )

    def to(self, form: str) -> str:
        """The text of a format: csv, json, latex or markdown."""
        writers = {"csv": self.to_csv, "json": self.to_json, "latex": self.to_latex, "markdown": self.to_markdown}
        if form not in writers:
            raise UnknownNameError("format of a table", form, writers, where="format", listed=True)
        return writers[form]()

    def save(self, path: str | Path, form: str | None = None) -> None:
        """Write the table in a format; without one the ending says it: .csv, .json, .tex or .md."""
        ending = Path(path).suffix.lower()
        if form is None and ending not in ENDINGS:
            raise SpecError(f"cannot write a table as '{ending}'", where=str(path), hint=f"use {', '.join(ENDINGS)}")
        write_text(path, self.to(form or ENDINGS[ending]))

    def __repr__(self) -> str:
        return f"{self.title}: {len(self.rows)} rows of {', '.join(self.plain()[0])}"

    def _repr_html_(self) -> str:
        from heldout.reports.page.markup import cell, rows, table

        kinds = ["num" if number else "" for number in self.numeric]
        body = rows([cell(shown.text, kind) for shown, kind in zip(row, kinds, strict=True)] for row in self.rows)
        heads = [cell(head, kind) for head, kind in zip(self.heads, kinds, strict=True)]
        return str(table(heads, body, caption=self.title))


class _FrameRows(Sequence[tuple[SheetCell, ...]]):
    """The rows of a frame, whose cells are made when they are first looked at."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame

    @property
    def is_plain(self) -> bool:
        """True if every value can be written as it is: none is a list, and no p-value is too small for a number."""
        p = [column for column in self.frame if _holds_p(column.name)]
        small = any(exact_p(value).startswith("<") for column in p for value in column.drop_nulls().unique())
        return not small and not any(kind.is_nested() for kind in self.frame.dtypes)

    @cached_property
    def _rows(self) -> list[tuple[SheetCell, ...]]:
        columns = [[_of_value(value, p=_holds_p(column.name)) for value in column.to_list()] for column in self.frame]
        return list(zip(*columns, strict=True))

    @overload
    def __getitem__(self, place: int) -> tuple[SheetCell, ...]: ...

    @overload
    def __getitem__(self, place: slice) -> list[tuple[SheetCell, ...]]: ...

    def __getitem__(self, place: int | slice) -> tuple[SheetCell, ...] | list[tuple[SheetCell, ...]]:
        return self._rows[place]

    def __len__(self) -> int:
        return self.frame.height


def _holds_p(name: str) -> bool:
    return name == "p" or name.startswith("p_")


def _of_value(value: object, *, p: bool) -> SheetCell:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return SheetCell("")
    if isinstance(value, float):
        shown = exact_p(value) if p else exact(value)
        return SheetCell(shown, () if shown.startswith("<") else (repr(value),))
    if isinstance(value, bool):
        return SheetCell(str(value).lower())  # as in every other CSV file of Heldout
    return SheetCell(str(value), (str(value),) if isinstance(value, int) else ())


def _column(name: str, texts: Sequence[str]) -> pl.Series:
    """Texts as numbers where all are: whole ones, or any."""
    import polars as pl

    cells = [text or None for text in texts]
    column = pl.Series(name, cells, dtype=pl.String)
    for kind in (pl.Int64, pl.Float64):
        numbers = column.cast(kind, strict=False)
        if numbers.null_count() == column.null_count() < len(column) and numbers.is_not_nan().all():
            return numbers
    return column


def _quoted(text: str) -> str:
    """A field of CSV; texts that a spreadsheet would run as formulas have an apostrophe before them."""
    if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if re.search(r'[",\n\r]', text) else text


def _markdown(text: str) -> str:
    return plain(" ".join(text.split())).replace("|", "\\|")


def _markdown_cell(cell: SheetCell) -> str:
    shown = f"**{_markdown(cell.text)}**" if cell.best and cell.text else _markdown(cell.text)
    return f"{shown} {_markdown(cell.letters)}" if cell.letters else shown


def _latex_cell(cell: SheetCell) -> str:
    shown = rf"\textbf{{{escape(cell.text)}}}" if cell.best else escape(cell.text)
    return f"{shown}$^{{\\mathrm{{{escape(cell.letters)}}}}}$" if cell.letters else shown
