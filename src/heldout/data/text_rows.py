"""The rows of a delimited text: polars reads them, and one more pass finds the lines that are not rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
import polars as pl

from heldout.data.column_table import BadLine, Origin
from heldout.data.dialect import BLANKS, DOUBTFUL, NAMES, ROW, WHITESPACE, Dialect, Scan, texts
from heldout.errors import InputError
from heldout.tables.arrays import Int64

PLAIN_BYTES = 1 << 24
"""Bytes of a text from which on its numbers are parsed by a kernel: the kernel must be compiled once."""
_ENCODING = 'pass the encoding, such as csv("…", encoding="latin-1"), or save it as UTF-8'
_OPEN = "an open quotation mark"
_WHOLE = ("user", "item", "time")


def not_utf8(line: bytes, number: int, hint: str = "save the file as UTF-8") -> BadLine | None:
    """The line as a bad one, if it is not UTF-8."""
    try:
        line.decode()
    except UnicodeDecodeError as error:
        what, wrong = f"byte {error.start + 1}", line[error.start : error.start + 1]
        return BadLine(number, "not UTF-8", what, found=wrong, expected="UTF-8", hint=hint)
    return None


@dataclass(frozen=True, eq=False, kw_only=True)
class TextRows(Origin):
    """The rows of a text, or of a block of it, behind its header; a row is found again by line if it is wrong."""

    empty: ClassVar[str | None] = ""

    name: str
    dialect: Dialect
    text: bytes
    header_lines: int
    """Lines at the beginning of the text that are not rows."""
    width: int
    places: Mapping[str, int]
    """Of each role, which column it is."""
    labels: Mapping[str, str]
    sources: Int64 | None = None
    """Where each row begins behind the header, if bad lines have been left out."""

    @cached_property
    def body(self) -> bytes:
        """The text without its header."""
        at = 0
        for _ in range(self.header_lines):
            at = self.text.find(b"\n", at) + 1 or len(self.text)
        return self.text[at:] if at else self.text

    @cached_property
    def _scan(self) -> Scan:
        return self.dialect.scanned(self.body, self.width, self._kept)

    @property
    def _kept(self) -> list[int]:
        return sorted(set(self.places.values()))

    def line(self, row: int) -> int:
        sources = self._scan.sources[self._scan.states == ROW] if self.sources is None else self.sources
        return self._line_at(int(sources[row]))

    def _line_at(self, source: int) -> int:
        return self.header_lines + 1 + self.body.count(b"\n", 0, source)

    def plain_numbers(self) -> dict[str, pl.Series] | None:
        """The columns by role if all of them are plain numbers: the quick way; None at the first thing that is not plain.

        Ids and times are whole numbers, other roles numbers without an exponent. A quoted, blank-padded or missing field, an
        id such as 007 and a row of another width are not plain.
        """
        mark, places = self.dialect.mark or b" ", self.places
        if self.dialect.quoted or not 1 <= len(mark) <= 2 or len(set(places.values())) < len(places):
            return None
        from heldout.kernels.parsing import ID, NUMBER, SKIP, TIME, parse_rows, powers_of_ten

        kinds, slots = np.full(self.width, SKIP, dtype=np.int64), np.zeros(self.width, dtype=np.int64)
        wholes = [role for role in places if role in _WHOLE]
        numbers = [role for role in places if role not in _WHOLE]
        for role, place in places.items():
            kinds[place] = NUMBER if role in numbers else TIME if role == "time" else ID
            slots[place] = numbers.index(role) if role in numbers else wholes.index(role)
        body = self.body
        # A text that is not plain mostly shows it soon.
        for part in (body[: body.rfind(b"\n", 0, 1 << 16) + 1], body) if len(body) > 1 << 16 else (body,):
            room = part.count(b"\n") + 1
            whole, number = np.empty((len(wholes), room), np.int64), np.empty((len(numbers), room), np.float64)
            source, second = np.frombuffer(part, dtype=np.uint8), (mark + b"\0")[1]
            rows = parse_rows(source, mark[0], second, kinds, slots, whole, number, powers_of_ten())
            if rows < 0:
                return None
        if rows == 0:
            return None
        columns = {role: pl.Series(role, whole[k, :rows]) for k, role in enumerate(wholes)}
        return columns | {role: pl.Series(role, number[k, :rows]) for k, role in enumerate(numbers)}

    def columns(self) -> dict[str, pl.Series] | None:
        """The columns by role as texts; None if some line may not be a row."""
        if self.dialect.simple:
            return self._as_they_are()
        if self.dialect.separator == WHITESPACE and (columns := self._between_single_blanks()) is not None:
            return columns
        return None if (self._scan.states == DOUBTFUL).any() else self._parsed(self._scan.text)

    def _between_single_blanks(self) -> dict[str, pl.Series] | None:
        """The columns of a text whose fields one blank separates; None if it may be otherwise somewhere."""
        if any(byte in self.body for byte in (b"\t", b"\r", b"\0")):
            return None
        try:
            frame = texts(self.body, " ", quoted=False, schema={str(k): pl.String() for k in range(self.width)})
        except pl.exceptions.PolarsError:  # a row has more fields than the first
            return None
        if any(column.null_count() for column in frame):  # fields between two blanks are null, and missing ones
            return None
        return {role: frame.to_series(place).alias(role) for role, place in self.places.items()}

    def _as_they_are(self) -> dict[str, pl.Series] | None:
        """The columns of a text that polars can read without being told more than its separator."""
        if b"\0" in self.text:
            return None
        separator = self.dialect.separator
        schema: dict[str, pl.DataType] = {str(k): pl.String() for k in range(self.width)}
        try:
            # All columns are read, not only the wanted ones, since polars notices a row with too many fields only then.
            frame = texts(self.body, separator, quoted=False, schema=schema)
        except pl.exceptions.PolarsError:
            return None
        blanks = any(blank in self.text for blank in (b" ", b"\t") if blank != self.dialect.mark)
        if frame.to_series(-1).null_count():
            holds = pl.any_horizontal(pl.all().str.strip_chars(BLANKS) != "").fill_null(False)
            filled = frame.filter(holds)
            if filled.height < frame.height:
                short = filled.to_series(-1).null_count() > 0
            else:
                short = self.body.count(self.dialect.mark) < (self.width - 1) * frame.height
            if short:
                return None
            frame = filled
        columns = {role: frame.to_series(place).alias(role) for role, place in self.places.items()}
        return {role: column.str.strip_chars(BLANKS) for role, column in columns.items()} if blanks else columns

    def _parsed(self, text: bytes) -> dict[str, pl.Series]:
        """The columns of a text in normal form."""
        if not text:
            return {role: pl.Series(role, [], dtype=pl.String) for role in self.places}
        kept = self._kept
        schema: dict[str, pl.DataType] = {str(place): pl.String() for place in kept}
        try:
            frame = texts(text, self._scan.join, quoted=self.dialect.quoted, schema=schema, crlf=False)
        except pl.exceptions.PolarsError as error:
            raise InputError(f"cannot parse the file ({str(error).splitlines()[0]})", file=self.name) from None
        return {role: frame.to_series(kept.index(place)).alias(role) for role, place in self.places.items()}

    def without_bad_lines(self) -> tuple[dict[str, pl.Series], TextRows, tuple[BadLine, ...]]:
        """The columns of the good rows as texts, where these rows are, and the lines that are not rows.

        Only doubtful rows are looked at one by one. One bad line in a large text therefore costs little.
        """
        scan = self._scan
        states, broken, pieces, copied = scan.states.copy(), list[BadLine](), list[bytes](), 0
        for row in np.flatnonzero(states == DOUBTFUL).tolist():
            bad, fields = self._examined(row)
            broken += bad
            if fields:
                states[row] = ROW
                pieces += [scan.text[copied : int(scan.targets[row])], self._written([fields[k] for k in self._kept])]
                copied = int(scan.targets[row])
        text = b"".join([*pieces, scan.text[copied:]])
        return self._parsed(text), replace(self, sources=scan.sources[states == ROW]), tuple(broken)

    def _examined(self, row: int) -> tuple[list[BadLine], list[str]]:
        """What is wrong with a doubtful row, or its fields, which are none if it is blank."""
        sources = self._scan.sources
        source = int(sources[row])
        raw = self.body[source : int(sources[row + 1]) if row + 1 < len(sources) else None].removesuffix(b"\n")
        number = self._line_at(source)
        bad = not_utf8(raw, number, _ENCODING) or _with_nul(raw, number)
        if bad is not None:
            return [bad], []
        if not self.dialect.quoted:
            fields = self.dialect.split(raw.decode())
        else:
            tokens = list(self.dialect.tokens(raw.decode()))
            fields = [token.text for token in tokens]
            joined = self._joined(number, fields)
            if joined and not all(token.quoted for token in tokens) and self.dialect.joins_rows(raw.decode(), self.width):
                return joined, []
            if any(token.is_open for token in tokens):
                if raw.count(b'"') % 2:
                    return [BadLine(number, _OPEN, "a quotation mark is opened but not closed", hint="close it")], []
                what = "cannot parse this line (text follows a closing quotation mark)"
                return [BadLine(number, "cannot be parsed", what)], []
        if any(fields) and len(fields) != self.width:
            return [self._ragged(number, len(fields))], []
        return [], fields if any(fields) else []

    def _joined(self, number: int, fields: list[str]) -> list[BadLine]:
        """Each line of a row that an open quotation mark may have joined from several, if an id goes on over their ends."""
        hint = "close the quotation mark; or, if the line break is part of the id, quote every field of the row"
        for role in ("user", "item"):
            place = self.places[role]
            if place < len(fields) and "\n" in fields[place]:
                what, lines = "a quoted id continues on the next line", 1 + sum(field.count("\n") for field in fields)
                bad = BadLine(number, _OPEN, what, column=self.labels[role], found=fields[place], hint=hint)
                return [replace(bad, line=number + k) for k in range(lines)]
        return []

    def _written(self, fields: list[str]) -> bytes:
        """A row in normal form."""
        if self.dialect.quoted:
            fields = ['"' + field.replace('"', '""') + '"' for field in fields]
        return f"{self._scan.join.join(fields)}\n".encode()

    def _ragged(self, line: int, fields: int) -> BadLine:
        return BadLine(
            line,
            f"too {'few' if fields < self.width else 'many'} fields",
            found=fields,
            expected=f"{self.width} fields, as in the first line",
            hint=f"the separator is taken to be {NAMES.get(self.dialect.separator, self.dialect.separator)}",
        )


def _with_nul(line: bytes, number: int) -> BadLine | None:
    at = line.find(b"\0")
    if at < 0:
        return None
    what = f"byte {at + 1}"
    return BadLine(number, "a NUL byte", what, found=b"\0", expected="text", hint="the file is damaged")
