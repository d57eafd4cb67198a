"""Texts that are not tables of fields: rows that know the line they came from, and frames of all columns as texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from heldout.data.dialect import Dialect
from heldout.data.sources import read_bytes
from heldout.data.typed import Origin
from heldout.errors import InputError
from heldout.tables.arrays import Int64


@dataclass(frozen=True, eq=False)
class LineOrigin(Origin):
    """Rows of a text, each with the number of the line it stood in."""

    name: str
    lines: Int64

    def error(self, what: str, *, row: int, column: str, hint: str = "") -> InputError:
        return InputError(what, file=self.name, line=int(self.lines[row]), column=column, hint=hint)


def text_lines(path: str | Path, encoding: str = "utf-8") -> pl.DataFrame:
    """The lines that are not blank: columns `line` (its number, from 1 on) and `text`."""
    try:
        text = read_bytes(path).decode("utf-8-sig" if encoding == "utf-8" else encoding)
    except UnicodeDecodeError as error:
        raise InputError(f"not {encoding} text: {error.reason} at byte {error.start + 1}", file=path) from None
    frame = pl.DataFrame({"text": text.split("\n")}).with_row_index("line", offset=1)
    frame = frame.with_columns(pl.col("line").cast(pl.Int64), pl.col("text").str.strip_chars())
    frame = frame.filter(pl.col("text") != "")
    if frame.height == 0:
        raise InputError("this file is empty", file=path)
    return frame


def text_frame(
    path: str | Path,
    *,
    separator: str,
    names: Sequence[str] | None = None,
    quoted: bool = False,
    encoding: str = "utf-8",
) -> pl.DataFrame:
    """All columns of a delimited text as texts; the first line names them unless `names` does."""
    text = read_bytes(path)
    if encoding != "utf-8":
        text = text.decode(encoding).encode()
    text = text.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    dialect = Dialect(separator, quoted)
    flat, mark = dialect.flattened(dialect.unescaped(text))
    try:
        frame = pl.read_csv(
            flat,
            separator=mark,
            has_header=names is None,
            infer_schema=False,
            quote_char='"' if quoted else None,
        )
    except (pl.exceptions.PolarsError, UnicodeDecodeError) as error:
        raise InputError(f"this file cannot be parsed ({str(error).splitlines()[0]})", file=path) from None
    if names is None:
        return frame
    if frame.width < len(names):
        raise InputError(f"{frame.width} columns, expected {len(names)}: {', '.join(names)}", file=path)
    return frame.rename(dict(zip(frame.columns, names, strict=False)))
