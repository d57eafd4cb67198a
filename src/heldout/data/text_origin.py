"""A text file behind a table: where its bad rows are, and the text without them."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.data.column_table import BadLine, Origin
from heldout.data.dialect import Dialect, blank, quoted_field
from heldout.data.separator import BLANKS, NAMES, WHITESPACE
from heldout.errors import InputError
from heldout.tables.arrays import Int64

_ENCODING = 'pass the encoding, such as csv("…", encoding="latin-1"), or save it as UTF-8'
_OPEN = "an open quotation mark"
_ROW, _DOUBTFUL = 0, 2
"""What the scan of a text says of its lines, as `heldout.kernels.scanning` does."""
_PAIRED = re.compile(rb'"[^"]*"')
_LONGEST = 200
"""Lines that one quoted field may go on over."""


def not_utf8(line: bytes, number: int, hint: str = "save the file as UTF-8") -> BadLine | None:
    """The line as a bad one, if it is not UTF-8."""
    try:
        line.decode()
    except UnicodeDecodeError as error:
        what, wrong = f"byte {error.start + 1}", line[error.start : error.start + 1]
        return BadLine(number, "not UTF-8", what, found=wrong, expected="UTF-8", hint=hint)
    return None


def is_utf8(text: bytes) -> bool:
    """Whether a text is UTF-8."""
    if text.isascii():
        return True
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _with_nul(line: bytes, number: int) -> BadLine | None:
    at = line.find(b"\0")
    if at < 0:
        return None
    what = f"byte {at + 1}"
    return BadLine(number, "a NUL byte", what, found=b"\0", expected="text", hint="the file is damaged")


@dataclass(frozen=True, eq=False, kw_only=True)
class FileOrigin(Origin):
    """Rows of a text file, found again by line when one is wrong."""

    empty: ClassVar[str | None] = ""

    name: str
    dialect: Dialect
    text: bytes
    start: int
    """Where the rows begin, behind the header."""
    first_line: int
    width: int
    lines: Int64 | None = None
    """The line of every row, where the text is no longer that of the file."""

    @property
    def body(self) -> bytes:
        """The text without its header."""
        return self.text[self.start :]

    @property
    def head(self) -> bytes:
        """The first rows, without the header."""
        return self.text[self.start : self.start + (1 << 16)]

    def line(self, row: int) -> int | None:
        if self.lines is not None:
            return int(self.lines[row])
        states = self._scanned[1]
        if (states == _DOUBTFUL).any():
            return self._record(row)[0]
        rows = np.flatnonzero(states == _ROW)
        return self.first_line + int(rows[row]) if row < len(rows) else None

    def error(self, what: str = "", *, row: int, column: str, **parts: Any) -> InputError:
        if self.lines is None and self.dialect.quoted and self.doubtful:
            line, fields = self._record(row)
            if line is not None and len(fields) < self.width:  # separators inside of quotes hid it until now
                short = self._ragged(line, len(fields))
                return InputError(file=self.name, line=line, found=short.found, expected=short.expected, hint=short.hint)
        return super().error(what, row=row, column=column, **parts)

    def _record(self, row: int) -> tuple[int | None, list[str]]:
        return next(islice(self.dialect.records(self.body, self.first_line), row, None), (None, []))

    @cached_property
    def _scanned(self) -> tuple[Int64, NDArray[np.uint8]]:
        """Where every line of the body begins, and whether it is a row, blank or doubtful."""
        from heldout.kernels.scanning import scan_lines

        separator = self.dialect.separator
        mark = b"" if separator == WHITESPACE else separator.encode()
        body = np.frombuffer(self.text, dtype=np.uint8)[self.start :]
        height = self.text.count(b"\n", self.start) + 1
        starts, states = np.empty(height, np.int64), np.empty(height, np.uint8)
        quoted = self.dialect.quoted and separator != WHITESPACE
        marks = np.frombuffer(mark, dtype=np.uint8)
        scan_lines(body, marks, self.width, quoted, not is_utf8(self.text), starts, states)
        return starts, states

    @property
    def doubtful(self) -> bool:
        """Whether some line may be none of a row's."""
        return bool((self._scanned[1] == _DOUBTFUL).any())

    def without_bad_lines(self) -> tuple[FileOrigin, tuple[BadLine, ...]]:
        """The same text without lines that are not UTF-8 or have another number of fields, and those lines.

        Only doubtful lines are looked at one by one, so that one bad line in a large text costs little.
        """
        starts, states = self._scanned
        kept, broken = states == _ROW, []
        pieces: list[bytes] = []
        copied = past = 0
        for first in np.flatnonzero(states == _DOUBTFUL).tolist():
            if first < past:
                continue  # it belongs to the row before
            taken, bad, row = self._looked_at(first)
            past = first + taken
            pieces.append(self.text[self.start + copied : self.start + int(starts[first])])
            copied = self._end(past)
            if bad is not None:
                broken.append(bad)
            elif row:
                kept[first] = True
                pieces.append(row)
        pieces.append(self.text[self.start + copied :])
        lines = np.flatnonzero(kept) + self.first_line
        text = self.dialect.normalised(b"".join(pieces))  # a bad line may have hidden blanks of the next ones
        cleaned = replace(self, text=text, start=0, lines=lines)
        return cleaned, tuple(broken)

    def _looked_at(self, first: int) -> tuple[int, BadLine | None, bytes]:
        """How many lines a doubtful one takes, what is wrong with it, and else its row, which is empty where it is blank."""
        number, line = self.first_line + first, self._text(first)
        bad = not_utf8(line, number, _ENCODING) or _with_nul(line, number)
        if bad is not None:
            return 1, bad, b""
        taken = self._length(first)
        if not taken:
            return 1, BadLine(number, _OPEN, "a quotation mark is opened but not closed", hint="close it"), b""
        row = self.text[self.start + int(self._scanned[0][first]) : self.start + self._end(first + taken)]
        try:
            fields = self.dialect.split(row.decode().rstrip("\r\n"), strict=True)
        except csv.Error as error:
            return taken, BadLine(number, "cannot be parsed", f"cannot parse this line ({error})"), b""
        if blank(fields):
            return taken, None, b""
        if len(fields) != self.width:
            return taken, self._ragged(number, len(fields)), b""
        return taken, None, self._written(row, fields) if self.dialect.quoted else row

    def _written(self, row: bytes, fields: list[str]) -> bytes:
        """Return a row in a form that every parser reads in the same way; fields are all quoted only if they were before."""
        if b"\n" in row and not self._all_quoted(row):
            texts = [quoted_field(f) if f.strip(BLANKS) != f or any(c in f for c in self._special) else f for f in fields]
        else:
            texts = [quoted_field(f) for f in fields]
        return f"{self.dialect.separator.join(texts)}\n".encode()

    @property
    def _special(self) -> str:
        return f'{self.dialect.separator}"\r\n'

    def _all_quoted(self, row: bytes) -> bool:
        """Whether every field of a row is quoted, so that no open mark can have joined it from several."""
        field = rb'"(?:[^"]|"")*"'
        return re.fullmatch(field + b"(?:" + re.escape(self.dialect.separator.encode()) + field + rb")*\s*", row) is not None

    def _swallows(self, lines: Sequence[bytes]) -> bool:
        """Whether a row of several lines may be several rows that an open quotation mark has joined.

        A line inside of it, or each of its lines, would then be a row by itself. If all fields are quoted, it is one row.
        """
        mark = self.dialect.separator.encode()
        whole = [_PAIRED.sub(b"", line).count(mark) == self.width - 1 for line in lines]
        return (any(whole[1:-1]) or all(whole)) and not self._all_quoted(b"\n".join(lines))

    def first_swallowing(self, rows: Sequence[int]) -> int | None:
        """The first of these rows, which have several lines each, that may be several rows."""
        wanted = set(rows)
        records = self.dialect.records(self.body, 0) if wanted else iter(())
        for row, (line, fields) in enumerate(islice(records, max(wanted, default=0) + 1)):
            taken = 1 + sum(field.count("\n") for field in fields)
            if row in wanted and self._swallows([self._text(k) for k in range(line, line + taken)]):
                return row
        return None

    def _end(self, line: int) -> int:
        """Where the line before this one ends, from the beginning of the body on."""
        starts = self._scanned[0]
        return int(starts[line]) if line < len(starts) else len(self.text) - self.start

    def _text(self, line: int) -> bytes:
        return self.text[self.start + int(self._scanned[0][line]) : self.start + self._end(line + 1)].rstrip(b"\n")

    def _length(self, first: int) -> int:
        """How many lines the row takes that begins here; 0 where a quotation mark is never closed.

        A mark that is never closed would swallow whole rows up to the next one.
        """
        if not self.dialect.quoted or self._text(first).count(b'"') % 2 == 0:
            return 1
        lines = [self._text(first)]
        for last in range(first + 1, min(first + _LONGEST, len(self._scanned[0]))):
            lines.append(self._text(last))
            if not_utf8(lines[-1], last):
                return 0
            if lines[-1].count(b'"') % 2:
                return 0 if self._swallows(lines) else len(lines)
        return 0

    def _ragged(self, line: int, fields: int) -> BadLine:
        return BadLine(
            line,
            f"too {'few' if fields < self.width else 'many'} fields",
            found=fields,
            expected=f"{self.width} fields, as in the first line",
            hint=f"the separator is taken to be {NAMES.get(self.dialect.separator, self.dialect.separator)}",
        )
