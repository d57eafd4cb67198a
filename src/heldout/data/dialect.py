"""Separator and quotation of a delimited text: what a field is, and where the rows are."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl

from heldout.errors import InputError

WHITESPACE = "whitespace"
NAMES = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "pipe"}
"""Separators between which fields may be quoted, and what they are called in messages."""
BLANKS = " \t"
"""Characters that are not part of a field at its beginning or end, unless it is quoted. All others are."""
BOM = b"\xef\xbb\xbf"
SMALL = 1 << 18
"""Bytes of a text from which on rows are found by a kernel."""
ROW, BLANK, DOUBTFUL = 0, 1, 2
"""What a scan says of a row: it has the right number of fields, it is empty, or it must be looked at."""
_PAIR = re.compile(r'"[^"]*"')
_BLANKS = re.compile(rf"[{BLANKS}]+")
_MARKS = (0x1F, 0x1E, 0x1D, 0x1C, *range(1, 9), 0x0B, 0x0C, *range(0x0E, 0x1C))
"""Bytes that hardly any text contains, used instead of separators of several bytes."""


@dataclass(frozen=True)
class Dialect:
    """Separator and quoting of a delimited text."""

    separator: str
    quoted: bool

    @property
    def mark(self) -> bytes:
        """The bytes of the separator; none if runs of blanks and tabs separate."""
        return b"" if self.separator == WHITESPACE else self.separator.encode()

    @property
    def simple(self) -> bool:
        """True if polars can read the text as it is: no quotation, and a separator of one byte."""
        return not self.quoted and len(self.mark) == 1

    @cached_property
    def _field(self) -> re.Pattern[str]:
        """A field of a quoted text: the inside of a quoted one, or another one without the blanks around it; and its end."""
        blanks = " *" if self.separator == "\t" else f"[{BLANKS}]*"
        end = rf"({re.escape(self.separator)}|\r?\n|\r?\Z)"
        return re.compile(rf'{blanks}(?:"([^"]*(?:""[^"]*)*)"{blanks}(?={end})|(.*?){blanks})(?:{end})', re.DOTALL)

    def tokens(self, text: str) -> Iterator[Token]:
        """The fields of a quoted text, row by row."""
        at, last = 0, True
        while at < len(text):
            match = self._field.match(text, at)
            assert match is not None  # a field may be empty, and the end of the text ends it
            at, last = match.end(), match[4] != self.separator
            quoted = match[1] is not None
            yield Token(match[1].replace('""', '"') if quoted else match[3], quoted, last, at)
        if not last:
            yield Token("", False, True, at)

    def token_rows(self, text: str) -> Iterator[list[Token]]:
        """The rows of a text, also blank ones."""
        row, at = list[Token](), 0
        if self.quoted:
            for token in self.tokens(text):
                row.append(token)
                if token.last:
                    yield row
                    row = []
            return
        for line in io.StringIO(text, newline="\n"):
            at += len(line)
            yield [Token(field, False, False, at) for field in self.split(line)] or [Token("", False, True, at)]

    def split(self, line: str) -> list[str]:
        """The fields of one row."""
        if self.separator == WHITESPACE:
            return split_blanks(line)
        if self.quoted:
            return [token.text for token in self.tokens(line)]
        return [field.strip(BLANKS) for field in _without_end(line).split(self.separator)]

    def records(self, text: bytes, first_line: int = 1) -> Iterator[tuple[int, list[str]]]:
        """Line numbers and fields of the rows that are not blank: for the first rows of a text."""
        number, at, decoded = first_line, 0, text.decode("utf-8", errors="replace")
        for row in self.token_rows(decoded):
            if any(token.text for token in row):
                yield number, [token.text for token in row]
            number += decoded.count("\n", at, row[-1].end)
            at = row[-1].end

    def unescaped(self, text: bytes) -> bytes:
        """The text with quotation marks doubled that old files escape by a backslash, unless it is right without that."""
        if not self.quoted or b'\\"' not in text:
            return text
        inside = re.compile(rb'\\"[^\r\n' + re.escape(self.mark) + b"]")  # otherwise a backslash ends the field
        if inside.search(text) and self.scanned(text, 0).open_fields:
            return text.replace(b'\\"', b'""')
        return text

    def scanned(self, text: bytes, width: int, kept: Sequence[int] = ()) -> Scan:
        """Where every row of a text is and whether it may be none; and the text that polars can read.

        That text contains the fields `kept` of the rows of `width` fields, without blanks around them. If `width` is 0,
        it contains all fields of all rows.
        """
        if len(text) < SMALL:
            return self._scanned_slowly(text, width, kept)
        from heldout.kernels.parsing import normal_form

        join = self._join(text)
        height = text.count(b"\n") + 1
        out = np.empty(len(text) + 1, np.uint8)
        sources, targets = np.empty(height, np.int64), np.empty(height, np.int64)
        states, counts = np.empty(height, np.uint8), np.zeros(3, np.int64)
        wanted = np.zeros(width, np.bool_)
        wanted[list(kept)] = True
        source, mark = np.frombuffer(text, np.uint8), np.frombuffer(self.mark, np.uint8)
        rows = normal_form(
            source, mark, join[0], width, self.quoted, not is_utf8(text), wanted, out, sources, targets, states, counts
        )
        return Scan(
            text=out[: counts[2]].tobytes(),
            join=join.decode(),
            sources=sources[:rows],
            targets=targets[:rows],
            states=states[:rows],
            quoted_fields=int(counts[0]),
            open_fields=int(counts[1]),
        )

    def _join(self, text: bytes) -> bytes:
        return b" " if self.separator == WHITESPACE else self.mark if len(self.mark) == 1 else free_byte(text)

    def _scanned_slowly(self, text: bytes, width: int, kept: Sequence[int]) -> Scan:
        """As `scanned`, without the kernel: it takes a second to compile."""
        join, ascii_only = self._join(text).decode(), not is_utf8(text)
        bytewise = replace(self, separator=self.separator.encode().decode("latin-1"))
        sources, targets, states, pieces = list[int](), list[int](), list[int](), list[str]()
        at = size = quoted_fields = open_fields = 0
        for row in bytewise.token_rows(text.decode("latin-1")):
            raw = text[at : row[-1].end].decode("latin-1")
            sources.append(at)
            targets.append(size)
            quoted_fields += sum(token.quoted for token in row)
            open_fields += sum(token.is_open for token in row) if self.quoted else 0
            strange = (
                "\0" in raw
                or (ascii_only and not raw.isascii())
                or (self.quoted and any('"' in token.text and not token.quoted for token in row))
                or ("\n" in raw.rstrip("\r\n") and self.joins_rows(raw, width))
            )
            if not any(token.text for token in row):
                states.append(BLANK)
            elif width and (strange or len(row) != width):
                states.append(DOUBTFUL)
            else:
                states.append(ROW)
                pieces.append(join.join(row[k].written for k in (sorted(kept) if width else range(len(row)))) + "\n")
                size += len(pieces[-1])
            at = row[-1].end
        return Scan(
            text="".join(pieces).encode("latin-1"),
            join=join,
            sources=np.array(sources, dtype=np.int64),
            targets=np.array(targets, dtype=np.int64),
            states=np.array(states, dtype=np.uint8),
            quoted_fields=quoted_fields,
            open_fields=open_fields,
        )

    def joins_rows(self, row: str, width: int) -> bool:
        """Whether a row of several lines may be several rows that an open quotation mark has joined.

        A line inside of it, or each of its lines, would then be a row by itself.
        """
        whole = [_PAIR.sub("", line).count(self.separator) == width - 1 for line in row.rstrip("\r\n").split("\n")]
        return any(whole[1:-1]) or all(whole)


class Token(NamedTuple):
    """A field of a text."""

    text: str
    quoted: bool
    last: bool
    """Whether it ends its row."""
    end: int
    """Where the next field begins."""

    @property
    def is_open(self) -> bool:
        """Whether it begins with a quotation mark but does not end with one."""
        return not self.quoted and self.text.startswith('"')

    @property
    def written(self) -> str:
        """The field as it stands in a text."""
        return '"' + self.text.replace('"', '""') + '"' if self.quoted else self.text


@dataclass(frozen=True, eq=False, kw_only=True)
class Scan:
    """What one pass over a text says of its rows."""

    text: bytes
    """The rows in a form that polars can read."""
    join: str
    """The separator of `text`."""
    sources: np.ndarray[tuple[int], np.dtype[np.int64]]
    """Where each row begins in the text that was scanned."""
    targets: np.ndarray[tuple[int], np.dtype[np.int64]]
    """Where each row begins, or would begin, in `text`."""
    states: np.ndarray[tuple[int], np.dtype[np.uint8]]
    """Whether it is a row, blank, or doubtful."""
    quoted_fields: int
    open_fields: int
    """Number of fields that begin with a quotation mark but do not end with one."""


def texts(
    text: bytes,
    separator: str,
    *,
    quoted: bool,
    header: bool = False,
    schema: dict[str, pl.DataType] | None = None,
    crlf: bool = True,
) -> pl.DataFrame:
    """All columns as texts, named by the schema or, with `header`, by the first line; PolarsError if polars cannot.

    Without `crlf`, a carriage return before a line feed is part of the field.
    """
    # polars leaves out a carriage return at the end of any field
    ends = [separator.encode(), *(() if crlf else (b"\n",))] if b"\r" in text else []
    ends = [end for end in ends if b"\r" + end in text]
    free = free_byte(text) if ends else b""
    for end in ends:
        text = text.replace(b"\r" + end, free + end)
    if schema is not None and text.startswith(BOM):  # polars would leave it out of the first field
        text, header = separator.join(schema).encode() + b"\n" + text, True
    frame = pl.read_csv(
        text,
        separator=separator,
        has_header=header,
        schema=schema,
        infer_schema=False,
        quote_char='"' if quoted else None,
    )
    return frame.with_columns(pl.all().str.replace_all(free.decode(), "\r", literal=True)) if free else frame


def free_byte(text: bytes) -> bytes:
    """A control character that a text does not contain."""
    free = next((bytes([b]) for b in _MARKS if bytes([b]) not in text), None)
    if free is None:
        raise InputError("the text contains every control character and cannot be split into fields")
    return free


def is_utf8(text: bytes) -> bool:
    """Whether a text is UTF-8."""
    if text.isascii():
        return True
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _without_end(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r")


def split_blanks(line: str) -> list[str]:
    """The fields between runs of blanks and tabs, and nothing else: other white space may be part of an id."""
    return [field for field in _BLANKS.split(_without_end(line)) if field]


def is_number(text: str) -> bool:
    """Whether a text reads as a number; NaN and infinity do, so that they are refused as such later."""
    try:
        float(text)
    except ValueError:
        return False
    return True
