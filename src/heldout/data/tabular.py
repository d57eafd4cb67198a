"""Delimited text read into columns by role, fast where it is right and exact about the place where it is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import polars as pl

from heldout.catalogue.text import Call
from heldout.data.column_table import BadLine, FrameOrigin, Table
from heldout.data.columns import AUTO, Wanted, by_name, by_position, looks_like_names
from heldout.data.dialect import refuse_binary, sniff
from heldout.data.file_reading import file_reading
from heldout.data.index_column import refuse_index
from heldout.data.numeric_csv import plain_columns
from heldout.data.paths import checked_file
from heldout.data.separator import NAMES, is_number
from heldout.data.sources import opened_with_stored, read_bytes, read_up_to, real_file
from heldout.data.text_origin import FileOrigin
from heldout.errors import InputError
from heldout.tables.growing import GrowingColumn, GrowingIds

_BOM = b"\xef\xbb\xbf"
BLOCK = 1 << 26
"""Bytes that are read at a time of a large text of plain numbers."""
_QUOTED = re.compile(rb'"[^"]*"')


@dataclass(frozen=True)
class Shape:
    """Which roles a file may hold, in the order they usually stand in when there is no header."""

    order: tuple[str, ...] = ("user", "item", "value", "time")
    required: tuple[str, ...] = ("user", "item")
    numeric: str = "value"
    """The role whose first line tells whether there is a header."""


def read_table(
    path: str | Path,
    wanted: Wanted,
    *,
    shape: Shape | None = None,
    separator: str | None = None,
    header: bool | None = None,
    encoding: str = "utf-8",
) -> Table:
    """The wanted columns of a delimited text file; separator and header are found out unless given."""
    how: dict[str, Any] = {"name": str(path), "shape": shape, "separator": separator, "header": header}
    with file_reading(checked_file(path)) as reading:
        if not _is_utf8(encoding):
            return parse_table(_utf8(read_bytes(path), encoding, path), wanted, **how)
        with opened_with_stored(path) as (stream, stored):
            text = real_file(read_up_to(stream, BLOCK), path)
            if len(text) == BLOCK:
                table = _plain_in_blocks(text, stream, wanted, lambda: reading.advance(stored.tell()), **how)
                if table is not None:
                    return table
        return parse_table(text if len(text) < BLOCK else read_bytes(path), wanted, **how)


def parse_table(
    text: bytes,
    wanted: Wanted,
    *,
    name: str,
    shape: Shape | None = None,
    separator: str | None = None,
    header: bool | None = None,
) -> Table:
    """As `read_table`, of bytes that are in memory already."""
    layout = _layout(text, wanted, name=name, shape=shape or Shape(), separator=separator, header=header)
    columns, origin, broken = _columns(layout.origin, layout.places, layout.labels)
    if layout.may_be_index:
        refuse_index(columns["user"], origin, layout.order)
    return replace(layout.table(columns), origin=origin, broken=broken)


@dataclass(frozen=True, kw_only=True)
class _Layout:
    """Which column of a text is what."""

    places: dict[str, int]
    labels: dict[str, str]
    origin: FileOrigin
    order: tuple[str, ...]
    header: tuple[str, ...]
    guessed: bool
    may_be_index: bool
    """Whether the first column may be a numbering of the rows."""

    def table(self, columns: Mapping[str, pl.Series]) -> Table:
        """These columns with their names."""
        return Table(columns=columns, labels=self.labels, origin=self.origin, guessed=self.guessed, header=self.header)


def _layout(text: bytes, wanted: Wanted, *, name: str, shape: Shape, separator: str | None, header: bool | None) -> _Layout:
    refuse_binary(text[:4096], file=name)
    text = text.removeprefix(_BOM)
    if b"\r" in text[:4096] and b"\n" not in text:  # as old Macintosh programs end lines
        text = text.replace(b"\r", b"\n")
    dialect = sniff(text, separator, file=name)
    text = dialect.normalised(text)
    first = list(islice(dialect.records(text[: 1 << 20], 1), 2))
    if not first:
        raise InputError("cannot parse the first line, or all lines are empty", file=name, line=1, expected="fields")
    line, fields = first[0]
    strange = header is None and _strange_names(fields, first[-1][1])
    named = (strange or _has_header(fields, wanted, shape)) if header is None else header
    if named:
        if header is None and not strange and not looks_like_names(fields, wanted):
            raise _no_header(fields, wanted, shape, line, name)
        places = by_name(fields, wanted, shape.required, file=name)
        labels = {role: fields[k] for role, k in places.items()}
    else:
        if wanted.get("item") == AUTO and all(len(row) > 3 and row[1] == "Q0" for _, row in first):
            place = 4 if shape.numeric == "value" else 5
            raise InputError(
                "this looks like a TREC file, whose third column is the item",
                file=name,
                line=line,
                found="Q0",
                expected="an item",
                hint=f"pass the positions of columns: user=1, item=3, {shape.numeric}={place}",
            )
        places = by_position(len(fields), wanted, shape.order, shape.required, file=name)
        labels = {role: role for role in places}
    skipped = line if named else line - 1
    origin = FileOrigin(
        name=name,
        dialect=dialect,
        text=text,
        start=_offset(text, skipped),
        first_line=skipped + 1,
        width=len(fields),
    )
    return _Layout(
        places=places,
        labels=labels,
        origin=origin,
        order=shape.order,
        header=tuple(fields) if named else (),
        guessed=not named and wanted.get(shape.numeric) == AUTO,
        may_be_index=not named and wanted.get("user") == AUTO,
    )


def _plain_in_blocks(
    first: bytes,
    rest: BinaryIO,
    wanted: Wanted,
    advance: Callable[[], None],
    *,
    name: str,
    shape: Shape | None,
    separator: str | None,
    header: bool | None,
) -> Table | None:
    """A large text of plain numbers, a block at a time: no more of it is in memory than its columns and a block.

    `advance` is called after each block. None where it is not plain: the whole text then tells what is wrong, and where.
    """
    text, left = _whole_lines(first)
    if not text:
        return None
    layout = _layout(text, wanted, name=name, shape=shape or Shape(), separator=separator, header=header)
    ids = {role: GrowingIds() for role in ("user", "item") if role in layout.places}
    numbers = {role: GrowingColumn() for role in layout.places if role not in ids}
    origin = layout.origin
    while text:
        columns = plain_columns(origin, layout.places)
        if columns is None:
            return None
        if layout.may_be_index and origin is layout.origin:
            refuse_index(columns["user"], origin, layout.order)
        for role, column in columns.items():
            ids[role].extend(column) if role in ids else numbers[role].extend(column.to_numpy())
        del columns
        advance()
        text, left = _whole_lines(left + read_up_to(rest, BLOCK))
        text = text or left  # the last line need not end
        left = left if text is not left else b""
        if b'"' in text and origin.dialect.separator in NAMES:
            return None  # quotation marks change how the text is to be read
        origin = replace(layout.origin, text=origin.dialect.normalised(text), start=0)
    table = layout.table({role: ids[role].series() for role in ids} | {r: pl.Series(r, c.rows) for r, c in numbers.items()})
    return replace(table, origin=FrameOrigin(name))


def _whole_lines(text: bytes) -> tuple[bytes, bytes]:
    """A text up to its last end of a line, and what follows."""
    at = text.rfind(b"\n") + 1
    return text[:at], text[at:]


def _columns(
    origin: FileOrigin, places: Mapping[str, int], labels: Mapping[str, str]
) -> tuple[dict[str, pl.Series], FileOrigin, tuple[BadLine, ...]]:
    """The columns by role, the text they are from, which has lost its bad lines, and these."""
    plain = plain_columns(origin, places)
    if plain is not None:
        return plain, origin, ()
    if not origin.body.strip():
        raise InputError(file=origin.name, found=0, expected="at least one row below the header")
    broken: tuple[BadLine, ...] = ()
    frame, doubt = (None, "") if not origin.dialect.quoted and origin.doubtful else _parsed(origin)
    if frame is None or doubt or b"\0" in origin.text:
        origin, broken = origin.without_bad_lines()
        plain = plain_columns(origin, places) if broken else None
        if plain is not None:
            return plain, origin, broken
        frame, doubt = _parsed(origin)
    if frame is None:
        raise InputError(f"cannot parse the file ({doubt})", file=origin.name)
    columns = {role: frame.to_series(k) for role, k in places.items()}
    for role in ("user", "item"):
        _refuse_swallowed(columns[role], labels[role], origin)
    return columns, origin, broken


def _refuse_swallowed(ids: pl.Series, label: str, origin: FileOrigin) -> None:
    """InputError if an id may be several rows: an open quotation mark goes on up to the next one, and no parser minds."""
    if not origin.dialect.quoted:
        return
    rows = ids.str.contains("\n", literal=True).fill_null(False).arg_true()
    row = origin.first_swallowing(rows.to_list())
    if row is not None:
        raise origin.error(
            "a quoted id continues on the next line",
            row=row,
            column=label,
            found=ids[row],
            hint="close the quotation mark; or, if the line break is part of the id, quote every field of the row",
        )


def _parsed(origin: FileOrigin) -> tuple[pl.DataFrame | None, str]:
    """All columns as texts, if the text can be parsed, and why it may hold bad lines, if it may."""
    if not origin.body:
        return pl.DataFrame({str(k): pl.Series([], dtype=pl.String) for k in range(origin.width)}), ""
    flat, separator = origin.dialect.flattened(origin.body)
    # A header of our own fixes the width: else polars takes that of the next line, which may be blank or short. And all
    # columns are read, not only the wanted ones, since polars notices a row with too many fields only then.
    header = separator.join(str(k) for k in range(origin.width)).encode() + b"\n"
    try:
        frame = origin.dialect.texts(header + flat, separator)
    except (pl.exceptions.PolarsError, UnicodeDecodeError) as error:
        return None, str(error).splitlines()[0]
    if not frame.to_series(-1).null_count():
        return frame, ""
    empty = frame.select(pl.all_horizontal(pl.all().fill_null("") == "")).to_series()
    frame = frame.filter(~empty) if empty.any() else frame
    bare = _QUOTED.sub(b"", flat) if origin.dialect.quoted else flat
    short = bare.count(separator.encode()) < (origin.width - 1) * frame.height
    return frame, "some row has too few fields" if short else ""


def _has_header(fields: Sequence[str], wanted: Wanted, shape: Shape) -> bool:
    """A header is a first line whose value is no number; without a value column, one that holds known names."""
    column_wanted = wanted.get(shape.numeric)
    if any(w not in (None, AUTO) and not str(w).isdigit() for w in wanted.values()):
        return True
    place = len(fields)
    if column_wanted == AUTO and shape.numeric in shape.order:
        place = shape.order.index(shape.numeric)
    elif column_wanted is not None and column_wanted.isdigit():
        place = int(column_wanted) - 1
    if place < len(fields):
        return not is_number(fields[place])
    return looks_like_names(fields, wanted)


def _strange_names(fields: Sequence[str], below: Sequence[str]) -> bool:
    """Whether a line of two words stands above a row of two numbers: a header, though its names may be unknown."""
    return len(fields) == 2 and not any(map(is_number, fields)) and all(map(is_number, below))


def _no_header(fields: Sequence[str], wanted: Wanted, shape: Shape, line: int, name: str) -> InputError:
    return InputError(
        "this is neither a row nor a header",
        file=name,
        line=line,
        found=fields[:12],
        expected=f"a number as {shape.numeric}, or known names of columns",
        hint=f"name the columns, {_example(fields, wanted, shape, name)}",
    )


def _example(fields: Sequence[str], wanted: Wanted, shape: Shape, name: str) -> str:
    """How columns are named: as a text form with the names found, in the usual order, where they are names of ratings."""
    if shape.numeric != "value" or any(map(is_number, fields)) or len(fields) < len(shape.required):
        return "by " + ", ".join(f"{role}=…" for role in wanted)
    named = dict(zip(shape.order, fields, strict=False))
    return f"such as {Call('csv', (name,), named)}, in single quotes on the command line"


def _offset(text: bytes, lines: int) -> int:
    """Where the line after the first `lines` begins."""
    at = 0
    for _ in range(lines):
        at = text.find(b"\n", at) + 1
        if at == 0:
            return len(text)
    return at


def _is_utf8(encoding: str) -> bool:
    return encoding.casefold().replace("_", "-") in ("utf-8", "utf8")


def _utf8(data: bytes, encoding: str, path: str | Path) -> bytes:
    try:
        return data.decode(encoding).encode()
    except LookupError:
        raise InputError(file=path, found=encoding, expected="an encoding such as latin-1 or utf-16") from None
    except UnicodeError as error:
        raise InputError(f"cannot decode the file ({error})", file=path, expected=f"{encoding} text") from None
