"""A text file behind a table: where its bad rows are, and the text without them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from heldout.data.dialect import WHITESPACE, Dialect, blank
from heldout.data.typed import BadLine, Origin
from heldout.errors import InputError

_WORDS = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "pipe"}
_ENCODING = 'say the encoding, such as csv("…", encoding="latin-1"), or save it as UTF-8'
_OPEN = "an open quotation mark"
_LONGEST = 200
"""Lines that one quoted field may go on over."""


def not_utf8(line: bytes, number: int, hint: str = "save the file as UTF-8") -> BadLine | None:
    """What is said of a line that is not UTF-8."""
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return BadLine(number, "not UTF-8", f"byte {error.start + 1} of this line is not UTF-8", hint)
    return None


@dataclass(frozen=True)
class FileOrigin(Origin):
    """Rows of a text file, found again by line when one is wrong."""

    name: str
    dialect: Dialect
    text: bytes
    start: int
    """Where the rows begin, behind the header."""
    first_line: int
    width: int
    lines: tuple[int, ...] | None = None
    """The line of every row, where the text is no longer that of the file."""

    @property
    def body(self) -> bytes:
        """The text without its header."""
        return self.text[self.start :]

    def line(self, row: int) -> int | None:
        if self.lines is not None:
            return self.lines[row]
        return self._record(row)[0]

    def error(self, what: str, *, row: int, column: str, hint: str = "") -> InputError:
        if self.lines is None:
            line, fields = self._record(row)
            if line is not None and len(fields) < self.width:  # separators inside of quotes hid it until now
                short = self._ragged(line, len(fields))
                return InputError(short.what, file=self.name, line=line, hint=short.hint)
        return InputError(what, file=self.name, line=self.line(row), column=column, hint=hint)

    def _record(self, row: int) -> tuple[int | None, list[str]]:
        return next(islice(self.dialect.records(self.body, self.first_line), row, None), (None, []))

    def without_bad_lines(self) -> tuple[FileOrigin, tuple[BadLine, ...]]:
        """The same text without lines that are not UTF-8 or have another number of fields, and those lines."""
        broken: list[BadLine] = []
        rows = list(self._good(broken))
        if self.dialect.quoted and self.dialect.separator != WHITESPACE:
            out = io.StringIO()
            mark = self.dialect.separator
            csv.writer(out, delimiter=mark, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(f for _, _, f in rows)
            made = out.getvalue()
        else:
            made = "\n".join(text for _, text, _ in rows)
        lines = tuple(line for line, _, _ in rows)
        return FileOrigin(self.name, self.dialect, made.encode(), 0, self.first_line, self.width, lines), tuple(broken)

    def _good(self, broken: list[BadLine]) -> Iterator[tuple[int, str, list[str]]]:
        """Line, text and fields of every row that has the right number of them; the others are noted in `broken`."""
        for number, text in self._texts(broken):
            try:
                fields = self.dialect.split(text)
            except csv.Error as error:
                broken.append(BadLine(number, "cannot be parsed", f"this line cannot be parsed ({error})"))
                continue
            if len(fields) == self.width and not blank(fields):
                yield number, text, fields
            elif not blank(fields):
                broken.append(self._ragged(number, len(fields)))

    def _texts(self, broken: list[BadLine]) -> Iterator[tuple[int, str]]:
        """Every row's line and text: one line, or several where a quoted field goes on over the end of a line."""
        lines = self.body.split(b"\n")
        at = 0
        while at < len(lines):
            number = self.first_line + at
            bad = not_utf8(lines[at], number, _ENCODING)
            taken = 1 if bad else self._length(lines, at)
            if bad or not taken:
                broken.append(bad or BadLine(number, _OPEN, "a quotation mark is opened and not closed", "close it"))
            else:
                yield number, b"\n".join(lines[at : at + taken]).decode().rstrip("\r")
            at += max(taken, 1)

    def _length(self, lines: list[bytes], at: int) -> int:
        """How many lines the row takes that begins here; 0 where a quotation mark is never closed.

        A mark that is never closed would swallow whole rows up to the next one: if such a row is inside, it is not closed.
        """
        if not self.dialect.quoted or lines[at].count(b'"') % 2 == 0:
            return 1
        for end in range(at + 1, min(at + _LONGEST, len(lines))):
            if not_utf8(lines[end], end):
                return 0
            if lines[end].count(b'"') % 2:
                return end - at + 1
            if len(self.dialect.split(lines[end].decode())) == self.width:
                return 0
        return 0

    def _ragged(self, line: int, found: int) -> BadLine:
        word = "few" if found < self.width else "many"
        return BadLine(
            line,
            f"too {word} fields",
            f"too {word} fields: {found} where the first line has {self.width}",
            f"the separator is taken to be {_WORDS.get(self.dialect.separator, self.dialect.separator)}",
        )
