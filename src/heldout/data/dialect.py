"""How a text file is written: its separator, quotes, header, and where its rows begin."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from heldout.data.separator import BLANKS, NAMES, WHITESPACE, separator_of, split_blanks
from heldout.errors import InputError

_WORDS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": WHITESPACE, " ": WHITESPACE}
_MARKS = (0x1F, 0x1E, 0x1D, 0x1C, *range(1, 9), 0x0B, 0x0C, *range(0x0E, 0x1C))
"""Bytes that hardly any text holds, to stand for a separator of several."""
_QUOTED_FIELD = re.compile(rb'(?<![^,;|\t\n ])"(?:[^"]|"")*"(?![^,;|\t\r\n ])')
"""A quoted field of a text whose separator is not known yet."""
_BINARY = {
    b"PAR1": "Parquet",
    b"ARROW1": "Arrow",
    b"PK\x03\x04": "zip",
    b"\x1f\x8b": "gzip",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}


@dataclass(frozen=True)
class Dialect:
    """Separator and quoting of a delimited text."""

    separator: str
    quoted: bool

    def split(self, line: str, *, strict: bool = False) -> list[str]:
        """The fields of one line; where it is `strict`, csv.Error when text follows a closed quotation mark."""
        if self.separator == WHITESPACE:
            return split_blanks(line)
        if self.quoted:
            with _long_fields():
                return next(csv.reader([line], delimiter=self.separator, strict=strict), [])
        return line.rstrip("\r\n").split(self.separator)

    def records(self, text: bytes, first_line: int) -> Iterator[tuple[int, list[str]]]:
        """Line numbers and fields of all rows that are not blank: slow, for telling where an error is.

        They end where a text with quotation marks cannot be parsed.
        """
        lines = io.StringIO(text.decode("utf-8", errors="replace"), newline="\n")
        if self.quoted and self.separator != WHITESPACE:
            reader = csv.reader(lines, delimiter=self.separator)
            start = first_line
            try:
                with _long_fields():
                    for fields in reader:
                        if not blank(fields):
                            yield start, fields
                        start = first_line + reader.line_num
            except csv.Error:
                return
            return
        for number, line in enumerate(lines, start=first_line):
            fields = self.split(line)
            if not blank(fields):
                yield number, fields

    def normalised(self, text: bytes) -> bytes:
        """Return the text in a form that every parser here reads in the same way.

        Blanks and tabs around a field that is not quoted are left out, also those around quotation marks. Marks that old
        files escape by a backslash are doubled, unless the text is right without that.
        """
        if self.quoted and b'\\"' in text:
            inside = re.compile(rb'\\"[^\r\n' + re.escape(self.separator.encode()) + b"]")  # else a backslash ends the field
            if inside.search(text) and self.trimmed(text)[2]:
                text = text.replace(b'\\"', b'""')
        if self.separator == WHITESPACE or (b" " not in text and b"\t" not in text):
            return text
        return self.trimmed(text)[0]

    def trimmed(self, text: bytes) -> tuple[bytes, int, int]:
        """The text without blanks around fields, the number of quoted fields, and of those whose mark is not closed."""
        from heldout.kernels.scanning import trim_fields

        body, mark = np.frombuffer(text, dtype=np.uint8), np.frombuffer(self.separator.encode(), dtype=np.uint8)
        out, marks = np.empty(len(body), np.uint8), np.zeros(2, np.int64)
        size = int(trim_fields(body, mark, self.quoted, out, marks))
        return (text if size == len(body) else out[:size].tobytes()), int(marks[0]), int(marks[1])

    def flattened(self, text: bytes) -> tuple[bytes, str]:
        """The text with a separator of one byte, which is all that fast parsers know, and that separator."""
        if self.separator == WHITESPACE:
            return _squeezed(text), " "
        if len(self.separator.encode()) > 1:
            free = _free_byte(text)
            return text.replace(self.separator.encode(), free), free.decode()
        return text, self.separator

    def texts(self, flat: bytes, separator: str, *, header: bool = True) -> pl.DataFrame:
        """All columns of a flattened text, as texts; PolarsError or UnicodeDecodeError if it cannot be parsed."""
        end = b"\r" + separator.encode()
        free = _free_byte(flat) if end in flat else b""
        if free:  # polars leaves out a carriage return at the end of any field
            flat = flat.replace(end, free + separator.encode())
        quote = '"' if self.quoted else None
        frame = pl.read_csv(flat, separator=separator, has_header=header, infer_schema=False, quote_char=quote)
        return frame.with_columns(pl.all().str.replace_all(free.decode(), "\r", literal=True)) if free else frame


def _free_byte(text: bytes) -> bytes:
    """A control character that a text does not hold."""
    free = next((bytes([b]) for b in _MARKS if bytes([b]) not in text), None)
    if free is None:
        raise InputError("the text contains every control character and cannot be split into fields")
    return free


@contextmanager
def _long_fields() -> Iterator[None]:
    """Let a field be of any length, as reviews may be: the csv module ends at 131,072 characters."""
    usual = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(usual)


def blank(fields: list[str]) -> bool:
    """Whether a row holds nothing at all."""
    return not any(fields)


def quoted_field(text: str) -> str:
    """A field between quotation marks."""
    return '"' + text.replace('"', '""') + '"'


def sniff(text: bytes, separator: str | None, *, file: object) -> Dialect:
    """The dialect of a text, by its first lines, where the caller does not name the separator."""
    head = _whole_rows(text[: 1 << 20])
    lines = first_lines(head, 50)
    if not lines:
        raise InputError("this file is empty", file=file, expected="at least one line")
    chosen = _WORDS.get(separator.casefold(), separator) if separator else separator_of(lines, file=file)
    return dialect_of(text, chosen, lines)


def dialect_of(text: bytes, separator: str, lines: Sequence[str]) -> Dialect:
    """The dialect of a text with this separator and these first lines.

    Between tabs, a quotation mark is often only a character. There it quotes if a field of the first lines begins with
    one, or if all fields that begin with one also end with one.
    """
    if b'"' not in text or separator not in NAMES:
        return Dialect(separator, quoted=False)
    dialect = Dialect(separator, quoted=True)
    if separator != "\t" or any(f.lstrip(BLANKS).startswith('"') for line in lines for f in line.split(separator)):
        return dialect
    _, quoted, open_marks = dialect.trimmed(text)
    return replace(dialect, quoted=quoted > 0 and open_marks == 0)


def _whole_rows(text: bytes) -> bytes:
    """A text whose quoted fields do not go on over the end of a line, so that each line shows the separator."""
    return _QUOTED_FIELD.sub(lambda field: field[0].replace(b"\n", b" "), text) if b'"' in text else text


def refuse_binary(head: bytes, *, file: object) -> None:
    """InputError when a file is not text."""
    for magic, name in _BINARY.items():
        if head.startswith(magic):
            hint = "rename the file so that it ends in its format"
            raise InputError(file=file, found=name, expected="a text file", hint=hint)
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        hint = 'pass csv("…", encoding="utf-16"), or save it as UTF-8'
        raise InputError(file=file, found="UTF-16", expected="UTF-8", hint=hint)
    if b"\0" in head:
        raise InputError("this file is binary", file=file, found=b"\0", expected="text")


def first_lines(text: bytes, n: int) -> list[str]:
    """The first lines that are not blank, from the first megabyte."""
    lines: list[str] = []
    start, end = 0, min(len(text), 1 << 20)
    while start < end and len(lines) < n:
        stop = text.find(b"\n", start, end)
        if stop < 0:
            if end < len(text) and start > 0:
                break  # cut off by the end of the megabyte
            stop = end
        line = text[start:stop].decode("utf-8", errors="replace")
        if line.strip(f"{BLANKS}\r"):
            lines.append(line.rstrip("\r"))
        start = stop + 1
    return lines


def _squeezed(text: bytes) -> bytes:
    """Runs of blanks and tabs as one blank, none at the ends of lines: polars takes each of several as a field."""
    text = text.replace(b"\r\n", b"\n").replace(b"\t", b" ")
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    return text.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")
