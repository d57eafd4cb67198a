"""A text file behind a table: where its bad rows are, and the text without them."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from heldout.data.dialect import WHITESPACE, Dialect, blank
from heldout.data.typed import Origin
from heldout.errors import InputError
from heldout.tables import Skipped

_WORDS = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "pipe"}


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

    @property
    def body(self) -> bytes:
        """The text without its header."""
        return self.text[self.start :]

    def error(self, what: str, *, row: int, column: str, hint: str = "") -> InputError:
        for k, (line, fields) in enumerate(self.dialect.records(self.body, self.first_line)):
            if k == row:
                if len(fields) < self.width:
                    return self.ragged(line, fields)
                return InputError(what, file=self.name, line=line, column=column, hint=hint)
        return InputError(what, file=self.name, column=column, hint=hint)

    def ragged(self, line: int, fields: list[str]) -> InputError:
        """The error for a row with another number of fields than the first."""
        word = "few" if len(fields) < self.width else "many"
        wrong = self.dialect.records(self.body, self.first_line)
        count = sum(len(found) < self.width if word == "few" else len(found) > self.width for _, found in wrong)
        rows = f" ({count} such rows)" if count > 1 else ""
        return InputError(
            f"too {word} fields: {len(fields)} where the first line has {self.width}{rows}",
            file=self.name,
            line=line,
            hint=f"the separator is taken to be {_WORDS.get(self.dialect.separator, self.dialect.separator)}",
        )

    def too_short(self) -> InputError:
        """The error for a text of which some row has too few fields."""
        records = self.dialect.records(self.body, self.first_line)
        return next(
            (self.ragged(line, fields) for line, fields in records if len(fields) < self.width),
            InputError(f"some row has fewer than {self.width} fields", file=self.name),
        )

    def diagnose(self, cause: Exception) -> InputError:
        """The error for a text that could not be parsed at all."""
        for number, line in enumerate(self.body.split(b"\n"), start=self.first_line):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                return InputError(
                    f"byte {error.start + 1} of this line is not UTF-8",
                    file=self.name,
                    line=number,
                    hint='say the encoding, such as csv("…", encoding="latin-1"), or save it as UTF-8',
                )
        for number, fields in self.dialect.records(self.body, self.first_line):
            if len(fields) > self.width or any("\n" in f for f in fields):
                if len(fields) > self.width:
                    return self.ragged(number, fields)
                return InputError(
                    "a quoted field goes on over the end of the line",
                    file=self.name,
                    line=number,
                    hint="close the quotation mark",
                )
        return InputError(f"this file cannot be parsed ({str(cause).splitlines()[0]})", file=self.name)

    def without_bad_lines(self) -> tuple[FileOrigin, tuple[Skipped, ...]]:
        """The same text without lines that are not UTF-8 or have another number of fields; they are counted."""
        reasons: Counter[str] = Counter()
        lines = list(self._decoded(reasons))
        if self.dialect.quoted and self.dialect.separator != WHITESPACE:
            made = self._rewritten(lines, reasons)
        else:
            made = "\n".join(line for line in lines if self._fits(self.dialect.split(line), reasons))
        cleaned = FileOrigin(self.name, self.dialect, made.encode(), 0, self.first_line, self.width)
        return cleaned, tuple(Skipped(reason, count) for reason, count in reasons.items())

    def _decoded(self, reasons: Counter[str]) -> Iterator[str]:
        for line in self.body.split(b"\n"):
            try:
                yield line.decode().rstrip("\r")
            except UnicodeDecodeError:
                reasons["not UTF-8"] += 1

    def _rewritten(self, lines: list[str], reasons: Counter[str]) -> str:
        """Records line by line, since a quotation mark that is never closed would swallow the rest of the file."""
        out = io.StringIO()
        writer = csv.writer(out, delimiter=self.dialect.separator, lineterminator="\n", quoting=csv.QUOTE_ALL)
        for line in lines:
            if line.count('"') % 2:
                reasons["an open quotation mark"] += 1
                continue
            fields = self.dialect.split(line)
            if self._fits(fields, reasons):
                writer.writerow(fields)
        return out.getvalue()

    def _fits(self, fields: list[str], reasons: Counter[str]) -> bool:
        if len(fields) == self.width:
            return True
        if not blank(fields):
            reasons[f"too {'few' if len(fields) < self.width else 'many'} fields"] += 1
        return False
