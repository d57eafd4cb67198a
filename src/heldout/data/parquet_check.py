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

from heldout.errors import InputError

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
_BOOLEANS, _BYTE, _INTEGERS, _DOUBLE, _BINARY, _LISTS, _MAP, _STRUCT = (1, 2), 3, (4, 5, 6), 7, 8, (9, 10), 11, 12
"""Types of fields in Thrift's compact protocol."""

Fields = dict[int, Any]
"""A struct of Thrift: its values by the numbers of their fields."""


class _DamagedError(Exception):
    """A statement of the file that cannot be true."""


class _CutOffError(_DamagedError):
    """A struct that goes on behind the bytes at hand."""


def refuse_damaged(source: str | Path | BinaryIO, columns: Collection[str] | None = None, *, name: object = None) -> None:
    """Raise InputError if the footer of a Parquet file or the pages of these columns (None: all) cannot be right.

    A file that is not Parquet at all, or is encrypted, is left to polars, which refuses it without harm.
    """
    with _opened(source) as file:
        size = file.seek(0, os.SEEK_END)
        try:
            _check(file, size, columns)
        except _DamagedError as damage:
            raise InputError(
                f"not a readable Parquet file ({damage})",
                file=name if name is not None else source,
                hint="the file is damaged: get or write it again",
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
        raise _DamagedError(f"its footer would have {length:,} bytes, and the file has {size:,}")
    footer, _ = _struct(_bytes_at(file, end, length), 0)
    groups = _list(footer, 4)
    rows = sum(_count(group, 3, "the rows of a group") for group in groups)
    if rows != _count(footer, 3, "the rows of the file"):
        raise _DamagedError(f"it states {footer.get(3):,} rows, and its groups have {rows:,}")
    for group in groups:
        for chunk in _list(group, 1):
            if 1 in chunk or not isinstance(chunk.get(3), dict):
                continue  # in another file, or encrypted, both of which polars refuses
            path = [part.decode(errors="replace") for part in _texts(chunk[3].get(3))]
            if columns is None or path[0] in columns:
                _check_column(file, chunk[3], group[3] if len(path) == 1 else None, ".".join(path), end)


def _check_column(file: BinaryIO, column: Fields, rows: int | None, name: str, end: int) -> None:
    """Check the pages of one column of one group of rows; `rows` is None if a row may hold several values or none."""
    values = _count(column, 5, f"the values of the column {name}")
    if rows is not None and values != rows:
        raise _DamagedError(f"the column {name} has {values:,} values in a group of {rows:,} rows")
    stored = _count(column, 7, f"the bytes of the column {name}")
    largest = max(_count(column, 6, f"the bytes of the column {name}"), _LARGE)
    first = _count(column, 9, f"the place of the column {name}")
    dictionary = column.get(11)
    at = dictionary if isinstance(dictionary, int) and 0 < dictionary < first else first
    if at < len(_MARK) or at + stored > end:
        raise _DamagedError(f"the column {name} would end at byte {at + stored:,}, behind the data of the file ({end:,})")
    place, unread = f"a page of the column {name}", values
    while unread > 0:
        if at >= end:
            raise _DamagedError(f"the column {name} lacks {unread:,} of its {values:,} values")
        header, length = _page_header(file, at, end)
        packed = _count(header, 3, f"the stored bytes of {place}")
        at += length + packed
        if at > end:
            raise _DamagedError(f"{place} would end at byte {at:,}, behind the data of the file ({end:,})")
        if _count(header, 2, f"the bytes of {place}") > largest:
            raise _DamagedError(f"{place} would have {header[2]:,} bytes, more than the column has")
        kind = _count(header, 1, f"the kind of {place}")
        inner = header.get({_DATA: 5, _DICTIONARY: 7, _DATA_V2: 8}.get(kind, 0))
        if kind in (_DATA, _DICTIONARY, _DATA_V2) and not isinstance(inner, dict):
            raise _DamagedError(f"{place} does not state its values")
        if isinstance(inner, dict):
            n = _count(inner, 1, f"the values of {place}")
            if kind == _DATA_V2:
                _check_levels(inner, packed, n, place)
            unread -= n if kind != _DICTIONARY else 0
    if unread < 0:
        raise _DamagedError(f"the pages of the column {name} have {values - unread:,} values, and it states {values:,}")


def _check_levels(header: Fields, packed: int, values: int, place: str) -> None:
    """Check the counts that only the second form of pages has: nulls, rows and the bytes of levels."""
    levels = sum(_count(header, field, f"the levels of {place}") for field in (5, 6))
    if levels > packed:
        raise _DamagedError(f"the levels of {place} would have {levels:,} of its {packed:,} bytes")
    if max(_count(header, 2, f"the nulls of {place}"), _count(header, 3, f"the rows of {place}")) > values:
        raise _DamagedError(f"{place} would have more nulls or rows than its {values:,} values")


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


def _count(fields: Fields, field: int, what: str) -> int:
    """A field that counts something: a whole number, not below 0."""
    value = fields.get(field)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _DamagedError(f"{what} would be {'missing' if value is None else value}")
    return value


def _list(fields: Fields, field: int) -> list[Fields]:
    """A field that holds a list of structs."""
    entries = fields.get(field)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise _DamagedError("its footer does not state its groups of rows and their columns")
    return entries


def _texts(value: Any) -> list[bytes]:
    if not isinstance(value, list) or not value or not all(isinstance(part, bytes) for part in value):
        raise _DamagedError("a column in its footer has no name")
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
            raise _CutOffError(f"a text would have {length:,} bytes, behind the end of the footer or page")
        return text[at : at + length], at + length
    if kind == _STRUCT:
        return _struct(text, at, depth + 1)
    if kind in _LISTS:
        return _elements(text, at, depth)
    if kind in (_BYTE, *_BOOLEANS):
        return _byte(text, at)
    if kind == _DOUBLE:
        if at + 8 > len(text):
            raise _CutOffError("a number behind the end of the footer or page")
        return None, at + 8
    raise _DamagedError(f"a field of the type {kind}, which Parquet does not have")  # Parquet has no maps


def _elements(text: bytes, at: int, depth: int) -> tuple[list[Any], int]:
    if depth > _DEEPEST:
        raise _DamagedError("its footer is nested too deeply")
    head, at = _byte(text, at)
    length, kind = head >> 4, head & 15
    if length == 15:
        length, at = _unsigned(text, at)
    if at + length > len(text):  # an element has at least one byte
        raise _CutOffError(f"a list would have {length:,} elements, behind the end of the footer or page")
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
            raise _DamagedError("a number of more than 64 bits")


def _signed(text: bytes, at: int) -> tuple[int, int]:
    value, at = _unsigned(text, at)
    return (value >> 1) ^ -(value & 1), at
