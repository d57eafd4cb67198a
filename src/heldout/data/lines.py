"""Texts that are not tables of fields: rows that know the line they came from, and frames of all columns as texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from heldout.data.column_table import BadLine, Origin
from heldout.data.dialect import Dialect, dialect_of, first_lines, refuse_binary
from heldout.data.file_reading import file_reading
from heldout.data.paths import checked_file
from heldout.data.separator import BLANKS
from heldout.data.sources import read_bytes
from heldout.data.text_origin import is_utf8, not_utf8
from heldout.errors import InputError
from heldout.tables.arrays import Int64


@dataclass(frozen=True, eq=False)
class LineOrigin(Origin):
    """Rows of a text, each with the number of the line it stood in."""

    name: str
    lines: Int64

    def line(self, row: int) -> int:
        return int(self.lines[row])


def text_lines(path: str | Path) -> tuple[pl.DataFrame, tuple[BadLine, ...]]:
    """The lines that are not blank, as columns `line` (its number, from 1 on) and `text`; and those that are not UTF-8."""
    with file_reading(checked_file(path)):
        return _text_lines(path)


def _text_lines(path: str | Path) -> tuple[pl.DataFrame, tuple[BadLine, ...]]:
    data = read_bytes(path).removeprefix(b"\xef\xbb\xbf")
    refuse_binary(data[:4096], file=path)
    broken = (
        [] if is_utf8(data) else [bad for n, line in enumerate(data.split(b"\n"), start=1) if (bad := not_utf8(line, n))]
    )
    frame = pl.DataFrame({"text": data.decode("utf-8", errors="replace").split("\n")}).with_row_index("line", offset=1)
    frame = frame.with_columns(pl.col("line").cast(pl.Int64), pl.col("text").str.strip_suffix("\r").str.strip_chars(BLANKS))
    frame = frame.filter(pl.col("text") != "", ~pl.col("line").is_in([bad.line for bad in broken]))
    if frame.height == 0 and not broken:
        raise InputError("this file is empty", file=path, expected="at least one line")
    return frame, tuple(broken)


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
    text = text.removeprefix(b"\xef\xbb\xbf")
    dialect = dialect_of(text, separator, first_lines(text, 50)) if quoted is None else Dialect(separator, quoted)
    flat, mark = dialect.flattened(dialect.normalised(text))
    try:
        frame = dialect.texts(flat, mark, header=names is None)
    except (pl.exceptions.PolarsError, UnicodeDecodeError) as error:
        raise InputError(f"cannot parse the file ({str(error).splitlines()[0]})", file=path, expected="a table") from None
    if names is None:
        return frame
    if frame.width < len(names):
        raise InputError(file=path, found=frame.width, expected=f"{len(names)} columns: {', '.join(names)}")
    return frame.rename(dict(zip(frame.columns, names, strict=False)))
