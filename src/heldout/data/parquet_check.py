"""Sizes and counts that a Parquet file states about itself, checked before polars reads it.

polars reserves memory by the counts in a file. A single wrong bit in the header of a page can make it ask for 2⁶¹ bytes,
which ends the process with everything in it. The footer and the headers of pages are therefore parsed here first, and
compared with each other and with the size of the file. Values inside pages are not checked: they have no checksum that
polars compares, and a wrong one stays a wrong value.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import polars as pl

from heldout.errors import UNKNOWN, InputError

_MARK = b"PAR1"
_ENCRYPTED = b"PARE"
_TAIL = 8
"""Bytes behind the footer: its length and the mark."""
_HEADER = 1 << 10
"""Bytes in which the header of a page usually ends; with long statistics it may take more."""
_LONGEST_HEADER = 1 << 26
_DEEPEST = 16
_LARGE = 1 << 26
"""Bytes of a page that are plausible whatever its column states."""
_DATA, _DICTIONARY, _DATA_V2 = 0, 2, 3
_ENCODED_BY = {_DATA: (2, 3, 4), _DICTIONARY: (2,), _DATA_V2: (4,)}
"""Fields with the encodings of values and levels, by the kind of page."""
_ENCODINGS = frozenset({0, *range(2, 10)})
"""Encodings of the Parquet format; polars panics at another number, and prints a trace of Rust."""
_BOOLEANS, _BYTE, _INTEGERS, _DOUBLE, _BINARY, _LISTS, _MAP, _STRUCT = (1, 2), 3, (4, 5, 6), 7, 8, (9, 10), 11, 12
"""Types of fields in Thrift's compact protocol."""

Fields = dict[int, Any]
"""A struct of Thrift: its values by the numbers of their fields."""


class _DamagedError(Exception):
    """A statement of the file that cannot be true, in the parts of an InputError."""

    def __init__(self, what: str, *, column: str | None = None, found: object = UNKNOWN, expected: str = "") -> None:
        super().__init__(what)
        self.column, self.found, self.expected = column, found, expected


class _CutOffError(_DamagedError):
    """A struct that goes on behind the bytes at hand."""


def refuse_damaged(source: str | Path | BinaryIO, columns: Collection[str] | None = None, *, name: object = None) -> None:
    """Raise InputError if the footer of a Parquet file or the pages of these columns (None: all) cannot be right.

    Without columns, `()`, only the footer is checked, as must be before polars reads the schema: it panics at some numbers.
    A file that is not Parquet at all, or is encrypted, is left to polars, which refuses it without harm.
    """
    with _opened(source) as file:
        size = file.seek(0, os.SEEK_END)
        try:
            _check(file, size, columns)
        except _DamagedError as damage:
            raise InputError(
                f"this Parquet file is damaged ({damage})",
                file=name if name is not None else source,
                column=damage.column,
                found=damage.found,
                expected=damage.expected,
                hint="get or write it again",
            ) from None
        finally:
            file.seek(0)


@contextmanager
def _opened(source: str | Path | BinaryIO) -> Iterator[BinaryIO]:
    if isinstance(source, str | Path):
        with Path(source).open("rb") as file:
            yield file
    else:
        yield source


def read_checked(path: Path, columns: list[str] | None = None) -> pl.DataFrame:
    """The columns of a Parquet file (None: all); InputError if the file states sizes or counts that cannot be right."""
    refuse_damaged(path, columns)
    return pl.read_parquet(path, columns=columns)


def _check(file: BinaryIO, size: int, columns: Collection[str] | None) -> None:
    tail = _bytes_at(file, max(0, size - _TAIL), _TAIL)
    if size < len(_MARK) + _TAIL or tail[4:] == _ENCRYPTED or tail[4:] != _MARK:
        return
    length = int.from_bytes(tail[:4], "little")
    end = size - _TAIL - length
    if end < len(_MARK):
        raise _DamagedError("its footer is too long", found=length, expected=f"fewer than {size:,} bytes")
    footer, _ = _struct(_bytes_at(file, end, length), 0)
    groups = _list(footer, 4)
    rows = sum(_count(group, 3, "rows of a group") for group in groups)
    if rows != _count(footer, 3, "rows of the file"):
        raise _DamagedError("its groups have other rows than it states", found=rows, expected=f"{footer.get(3):,} rows")
    for group in groups:
        for chunk in _list(group, 1):
            if 1 in chunk or not isinstance(chunk.get(3), dict):
                continue  # in another file, or encrypted, both of which polars refuses
            path = [part.decode(errors="replace") for part in _texts(chunk[3].get(3))]
            name = ".".join(path)
            begin = _first_page(chunk[3], group[3] if len(path) == 1 else None, name, end)
            if columns is None or path[0] in columns:
                _check_pages(file, chunk[3], begin, name, end)


def _first_page(column: Fields, rows: int | None, name: str, end: int) -> int:
    """The place of the first page of one column of one group of rows; checks what the footer states about the column.

    `rows` is None if a row may hold several values or none.
    """
    values = _count(column, 5, "values", name)
    if rows is not None and values != rows:
        raise _DamagedError("a group has other rows", column=name, found=values, expected=f"{rows:,} values")
    stored = _count(column, 7, "stored bytes", name)
    first = _count(column, 9, "place", name)
    dictionary = _count(column, 11, "place of the dictionary", name) if 11 in column else 0
    at = dictionary if 0 < dictionary < first else first
    last = max(at, dictionary) + stored  # polars begins at the dictionary even if this comes after the first page
    if at < len(_MARK) or last > end:
        raise _DamagedError("the column ends after the data", column=name, found=last, expected=f"at most byte {end:,}")
    return at


def _check_pages(file: BinaryIO, column: Fields, at: int, name: str, end: int) -> None:
    """Check the pages of one column of one group of rows, the first of which is at this place."""
    values = _count(column, 5, "values", name)
    largest = max(_count(column, 6, "bytes", name), _LARGE)
    unread = values
    while unread > 0:
        if at >= end:
            raise _DamagedError("values are missing", column=name, found=values - unread, expected=f"{values:,} values")
        header, length = _page_header(file, at, end)
        packed = _count(header, 3, "stored bytes of a page", name)
        at += length + packed
        if at > end:
            raise _DamagedError("a page ends after the data", column=name, found=at, expected=f"at most byte {end:,}")
        if _count(header, 2, "bytes of a page", name) > largest:
            raise _DamagedError("a page is too long", column=name, found=header[2], expected=f"at most {largest:,} bytes")
        kind = _count(header, 1, "kind of a page", name)
        inner = header.get({_DATA: 5, _DICTIONARY: 7, _DATA_V2: 8}.get(kind, 0))
        if kind in (_DATA, _DICTIONARY, _DATA_V2) and not isinstance(inner, dict):
            raise _DamagedError("a page does not state its values", column=name)
        if isinstance(inner, dict):
            n = _count(inner, 1, "values of a page", name)
            for field in _ENCODED_BY.get(kind, ()):
                encoding = _count(inner, field, "encoding of a page", name)
                if encoding not in _ENCODINGS:
                    raise _DamagedError("encoding of a page", column=name, found=encoding, expected="one of 0, 2 to 9")
            if kind == _DATA_V2:
                _check_levels(inner, packed, n, name)
            unread -= n if kind != _DICTIONARY else 0
    if unread < 0:
        raise _DamagedError("its pages have more", column=name, found=values - unread, expected=f"{values:,} values")


def _check_levels(header: Fields, packed: int, values: int, name: str) -> None:
    """Check the counts that only the second form of pages has: nulls, rows and the bytes of levels."""
    levels = sum(_count(header, field, "levels of a page", name) for field in (5, 6))
    if levels > packed:
        raise _DamagedError("levels of a page", column=name, found=levels, expected=f"at most {packed:,} bytes")
    most = max(_count(header, 2, "nulls of a page", name), _count(header, 3, "rows of a page", name))
    if most > values:
        raise _DamagedError("nulls or rows of a page", column=name, found=most, expected=f"at most {values:,} values")


def _page_header(file: BinaryIO, at: int, end: int) -> tuple[Fields, int]:
    """The header of the page at a place, and how many bytes it takes."""
    room = _HEADER
    while True:
        text = _bytes_at(file, at, min(room, end - at))
        try:
            return _struct(text, 0)
        except _CutOffError:
            if len(text) == end - at or room >= _LONGEST_HEADER:
                raise
            room *= 16


def _count(fields: Fields, field: int, what: str, column: str | None = None) -> int:
    """A field that counts something: a whole number, not below 0."""
    value = fields.get(field)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _DamagedError(what, column=column, found=value, expected="a whole number from 0 on")
    return value


def _list(fields: Fields, field: int) -> list[Fields]:
    """A field that holds a list of structs."""
    entries = fields.get(field)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise _DamagedError("its footer", expected="groups of rows and their columns")
    return entries


def _texts(value: Any) -> list[bytes]:
    if not isinstance(value, list) or not value or not all(isinstance(part, bytes) for part in value):
        raise _DamagedError("its footer", expected="a name for each column")
    return value


def _bytes_at(file: BinaryIO, at: int, length: int) -> bytes:
    file.seek(at)
    return file.read(length)


def _struct(text: bytes, at: int, depth: int = 0) -> tuple[Fields, int]:
    """A struct in Thrift's compact protocol, and the place behind it."""
    if depth > _DEEPEST:
        raise _DamagedError("its footer is nested too deeply")
    fields: Fields = {}
    number = 0
    while True:
        head, at = _byte(text, at)
        if head == 0:
            return fields, at
        if head >> 4:
            number += head >> 4
        else:
            number, at = _signed(text, at)
        kind = head & 15
        if kind in _BOOLEANS:
            fields[number] = kind == 1
        else:
            fields[number], at = _value(text, at, kind, depth)


def _value(text: bytes, at: int, kind: int, depth: int) -> tuple[Any, int]:
    if kind in _INTEGERS:
        return _signed(text, at)
    if kind == _BINARY:
        length, at = _unsigned(text, at)
        if at + length > len(text):
            raise _CutOffError(
                "a text goes on after the footer or page", found=length, expected=f"at most {len(text) - at:,} bytes"
            )
        return text[at : at + length], at + length
    if kind == _STRUCT:
        return _struct(text, at, depth + 1)
    if kind in _LISTS:
        return _elements(text, at, depth)
    if kind in (_BYTE, *_BOOLEANS):
        return _byte(text, at)
    if kind == _DOUBLE:
        if at + 8 > len(text):
            raise _CutOffError("a number goes on after the footer or page")
        return None, at + 8
    raise _DamagedError("a field of an unknown type", found=kind)  # Parquet has no maps


def _elements(text: bytes, at: int, depth: int) -> tuple[list[Any], int]:
    if depth > _DEEPEST:
        raise _DamagedError("its footer is nested too deeply")
    head, at = _byte(text, at)
    length, kind = head >> 4, head & 15
    if length == 15:
        length, at = _unsigned(text, at)
    if at + length > len(text):  # an element has at least one byte
        raise _CutOffError(
            "a list goes on after the footer or page", found=length, expected=f"at most {len(text) - at:,} elements"
        )
    elements = []
    for _ in range(length):
        element, at = _value(text, at, kind, depth + 1)
        elements.append(element)
    return elements, at


def _byte(text: bytes, at: int) -> tuple[int, int]:
    if at >= len(text):
        raise _CutOffError("its footer or a page ends too early")
    return text[at], at + 1


def _unsigned(text: bytes, at: int) -> tuple[int, int]:
    """A number of 7 bits a byte, the lowest first."""
    value = shift = 0
    while True:
        byte, at = _byte(text, at)
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
        if shift > 63:
            raise _DamagedError("a number is too large", expected="at most 64 bits")


def _signed(text: bytes, at: int) -> tuple[int, int]:
    value, at = _unsigned(text, at)
    return (value >> 1) ^ -(value & 1), at
