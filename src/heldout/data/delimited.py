"""Delimited text read into columns by role, fast where it is right and exact about the place where it is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import polars as pl

from heldout.catalogue.text import Call
from heldout.data.column_table import BadLine, FrameOrigin, Table, typed
from heldout.data.columns import AUTO, Wanted, by_name, by_position, looks_like_names
from heldout.data.dialect import BLANKS, BOM, NAMES, Dialect, is_number, texts
from heldout.data.mixed_up_columns import look_like_times, refuse_index
from heldout.data.paths import checked_file
from heldout.data.sniffing import dialect_of, first_lines, refuse_binary, sniff
from heldout.data.sources import opened_with_stored, read_bytes, read_up_to, real_file
from heldout.data.text_rows import PLAIN_BYTES, TextRows
from heldout.errors import InputError
from heldout.progress import file_reading
from heldout.tables.growing import GrowingColumn, GrowingIds

BLOCK = 1 << 26
"""Bytes of a large text that are read at a time."""


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
    layout_of = partial(_layout, wanted=wanted, name=str(path), shape=shape or Shape(), separator=separator, header=header)
    with file_reading(checked_file(path)) as reading:
        if not _is_utf8(encoding):
            return _table(layout_of(_utf8(read_bytes(path), encoding, path)))
        with opened_with_stored(path) as (stream, stored):
            text = real_file(read_up_to(stream, BLOCK), path)
            if len(text) == BLOCK:
                table = _in_blocks(text, stream, layout_of, lambda: reading.advance(stored.tell()))
                if table is not None:
                    return table
        return _table(layout_of(text if len(text) < BLOCK else read_bytes(path)))


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
    return _table(_layout(text, wanted, name=name, shape=shape or Shape(), separator=separator, header=header))


def _table(layout: _Layout) -> Table:
    rows = layout.rows
    broken: tuple[BadLine, ...] = ()
    columns = rows.plain_numbers() if len(rows.text) >= PLAIN_BYTES else None
    columns = columns or rows.columns()
    if columns is None:
        columns, rows, broken = rows.without_bad_lines()
    if len(columns["user"]) == 0 and not broken:
        raise InputError(file=rows.name, found=0, expected="at least one row below the header")
    if layout.may_be_index:
        refuse_index(columns["user"], rows, layout.order)
    return replace(layout.table(columns), origin=rows, broken=broken)


def text_frame(
    path: str | Path,
    *,
    separator: str,
    names: Sequence[str] | None = None,
    quoted: bool | None = None,
    encoding: str = "utf-8",
) -> pl.DataFrame:
    """All columns of a delimited text as texts; the first line names them unless `names` does.

    Whether fields are quoted is found out unless it is given.
    """
    text = read_bytes(path)
    if encoding != "utf-8":
        text = text.decode(encoding).encode()
    text = text.removeprefix(BOM)
    dialect = dialect_of(text, separator, first_lines(text, 50)) if quoted is None else Dialect(separator, quoted)
    mark = separator
    if not dialect.simple:
        scan = dialect.scanned(dialect.unescaped(text), 0)
        text, mark = scan.text, scan.join
    try:
        frame = texts(text, mark, quoted=dialect.quoted, header=names is None, crlf=dialect.simple)
    except pl.exceptions.PolarsError as error:
        raise InputError(f"cannot parse the file ({str(error).splitlines()[0]})", file=path, expected="a table") from None
    if dialect.simple:
        frame = frame.rename(lambda name: name.strip(BLANKS)).with_columns(pl.all().str.strip_chars(BLANKS))
    if names is None:
        return frame
    if frame.width < len(names):
        raise InputError(file=path, found=frame.width, expected=f"{len(names)} columns: {', '.join(names)}")
    return frame.rename(dict(zip(frame.columns, names, strict=False)))


@dataclass(frozen=True, kw_only=True)
class _Layout:
    """Which column of a text is what."""

    rows: TextRows
    order: tuple[str, ...]
    header: tuple[str, ...]
    guessed: bool
    may_be_index: bool
    """Whether the first column may be a numbering of the rows."""

    def table(self, columns: Mapping[str, pl.Series]) -> Table:
        """These columns with their names."""
        return Table(
            columns=columns,
            labels=dict(self.rows.labels),
            origin=FrameOrigin(self.rows.name),
            guessed=self.guessed,
            header=self.header,
        )


def _is_trec(fields: Sequence[str]) -> bool:
    """True for `user Q0 item grade`, and for `user 0 item grade time`: as ratings this would have its time in the grade."""
    if len(fields) == 5 and fields[1] == "0":
        return is_number(fields[3]) and not look_like_times([fields[3]]) and look_like_times([fields[4]])
    return len(fields) > 3 and fields[1] == "Q0"


def _layout(text: bytes, wanted: Wanted, *, name: str, shape: Shape, separator: str | None, header: bool | None) -> _Layout:
    refuse_binary(text[:4096], file=name)
    text = text.removeprefix(BOM)
    if b"\r" in text[:4096] and b"\n" not in text:  # as old Macintosh programs end lines
        text = text.replace(b"\r", b"\n")
    dialect = sniff(text, separator, file=name)
    text = dialect.unescaped(text)
    first = list(islice(dialect.records(text[: 1 << 20]), 2))
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
        if wanted.get("item") == AUTO and all(_is_trec(row) for _, row in first):
            place = 4 if shape.numeric == "value" else 5
            raise InputError(
                "this looks like a TREC file, whose third column is the item",
                file=name,
                line=line,
                found=fields[1],
                expected="an item",
                hint=f"pass the positions of columns: user=1, item=3, {shape.numeric}={place}",
            )
        places = by_position(len(fields), wanted, shape.order, shape.required, file=name)
        labels = {role: role for role in places}
    header_lines = line - 1 + (1 + sum(field.count("\n") for field in fields) if named else 0)
    rows = TextRows(
        name=name,
        dialect=dialect,
        text=text,
        header_lines=header_lines,
        width=len(fields),
        places=places,
        labels=labels,
    )
    return _Layout(
        rows=rows,
        order=shape.order,
        header=tuple(fields) if named else (),
        guessed=not named and wanted.get(shape.numeric) == AUTO,
        may_be_index=not named and wanted.get("user") == AUTO,
    )


def _in_blocks(
    first: bytes, rest: BinaryIO, layout_of: Callable[[bytes], _Layout], advance: Callable[[], None]
) -> Table | None:
    """A large text, a block at a time: no more of it is in memory than its columns and a block.

    `advance` is called after each block. None if a column of a block cannot be typed by itself, or a line may not be a row:
    the whole text then tells what is wrong, and where.
    """
    lines = first[: first.rfind(b"\n") + 1]
    if not lines:
        return None
    layout = layout_of(lines)
    dialect, places = layout.rows.dialect, layout.rows.places
    ids = {role: GrowingIds() for role in ("user", "item") if role in places}
    numbers = {role: GrowingColumn() for role in places if role not in ids}
    text, left = _whole_rows(layout.rows.text, dialect)
    if not text:
        return None
    rows, left, checked = replace(layout.rows, text=text), left + first[len(lines) :], False
    while rows.text:
        columns = rows.plain_numbers() or _typed_columns(rows)
        if columns is None or (dialect.quoted and b'\\"' in text):
            return None
        if layout.may_be_index and not checked:
            refuse_index(columns["user"], rows, layout.order)
            checked = True
        for role, column in columns.items():
            ids[role].extend(column) if role in ids else numbers[role].extend(column.to_numpy())
        del columns
        advance()
        more = read_up_to(rest, BLOCK)
        text, left = _whole_rows(left + more, dialect)
        if len(more) < BLOCK and not text:
            text, left = left, b""  # the last line need not end
        if (more and not text) or (b'"' in text and not dialect.quoted and dialect.separator in NAMES):
            return None  # a row is longer than a block, or quotation marks change how the text is to be read
        rows = replace(rows, text=text, header_lines=0)
    table = {role: ids[role].series() for role in ids} | {role: pl.Series(role, c.rows) for role, c in numbers.items()}
    return layout.table(table)


def _typed_columns(rows: TextRows) -> dict[str, pl.Series] | None:
    """The columns of a block as ids, numbers and times; None if one of them depends on other blocks."""
    columns = rows.columns()
    if columns is None:
        return None
    typed_columns = {role: typed(column, role) for role, column in columns.items()}
    return None if any(column is None for column in typed_columns.values()) else typed_columns  # type: ignore[return-value]


def _whole_rows(text: bytes, dialect: Dialect) -> tuple[bytes, bytes]:
    """A text up to the last end of a line that is not inside of a quoted field, and what follows."""
    at = text.rfind(b"\n") + 1
    while dialect.quoted and at and text.count(b'"', 0, at) % 2:
        at = text.rfind(b"\n", 0, at - 1) + 1
    return text[:at], text[at:]


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


def _is_utf8(encoding: str) -> bool:
    return encoding.casefold().replace("_", "-") in ("utf-8", "utf8")


def _utf8(data: bytes, encoding: str, path: str | Path) -> bytes:
    try:
        return data.decode(encoding).encode()
    except LookupError:
        raise InputError(file=path, found=encoding, expected="an encoding such as latin-1 or utf-16") from None
    except UnicodeError as error:
        raise InputError(f"cannot decode the file ({error})", file=path, expected=f"{encoding} text") from None
