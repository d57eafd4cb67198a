"""Texts that are not tables of fields: rows that know the line they came from, and matrices of numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from heldout.data.column_table import BadLine, BadRows, Origin, correct_all, counted_reasons
from heldout.data.dialect import BLANKS, BOM, WHITESPACE, Dialect, is_utf8
from heldout.data.paths import checked_file
from heldout.data.sniffing import refuse_binary
from heldout.data.sources import read_bytes
from heldout.data.text_rows import not_utf8
from heldout.errors import InputError
from heldout.progress import file_reading
from heldout.tables import Log, Skipped
from heldout.tables.arrays import Bool, Float64, Int64


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
    data = read_bytes(path).removeprefix(BOM)
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


@dataclass(frozen=True, eq=False)
class Dense:
    """The numbers of a text, a line a row, without lines that were skipped."""

    values: Float64
    lines: Int64
    """The number of each row's line, from 1 on."""
    height: int
    """How many lines there are, also bad ones."""
    skipped: tuple[Skipped, ...] = ()

    def log(self, missing: float, source: str, *, before: int = 0) -> Log:
        """The ratings; a user is the line, after `before` others, and an item the field, both from 1 on.

        A line that was skipped keeps its number, so that no other user gets another one.
        """
        row, field = np.nonzero(self.values != missing)
        user, item = pl.Series("user", self.lines[row] + before), pl.Series("item", field + 1)
        return Log(user_id=user, item_id=item, value=self.values[row, field], source=source, skipped=self.skipped)

    def without(self, bad: Bool, reason: str) -> Dense:
        """The matrix without some rows, which are counted."""
        skipped = (*self.skipped, Skipped(reason, int(bad.sum())))
        return Dense(self.values[~bad], self.lines[~bad], self.height, skipped)


def dense_matrix(path: str | Path, separator: str, bad_rows: BadRows = "error") -> Dense:
    """The numbers of a text; InputError names the line and column of a bad one, unless they are skipped."""
    text = read_bytes(path).removeprefix(BOM)
    refuse_binary(text[:4096], file=path)
    if not text.strip():
        raise InputError("this file is empty", file=path, expected="at least one line")
    mark = " " if separator == WHITESPACE else separator
    dialect = Dialect(separator, quoted=False)
    lines = [mark.join(dialect.split(line)) for line in text.decode("utf-8", errors="replace").rstrip("\r\n").split("\n")]
    widths = np.array([line.count(mark) + 1 if line.strip() else 0 for line in lines])
    width = Counter(widths.tolist()).most_common(1)[0][0]
    ragged = widths != width
    rows = np.flatnonzero(~ragged)
    good = "\n".join(lines[k] for k in rows).encode()
    frame = pl.read_csv(good, separator=mark, has_header=False, infer_schema=False, quote_char=None)
    values = np.asarray(frame.select(pl.all().str.strip_chars().cast(pl.Float64, strict=False)).to_numpy(), dtype=np.float64)
    strange = ~np.isfinite(values)
    wrong: Bool = np.asarray(strange.any(axis=1), dtype=np.bool_)
    if bad_rows == "error" and (ragged.any() or wrong.any()):
        first = int(np.flatnonzero(ragged)[0]) if ragged.any() else len(lines)
        count, alike = int(ragged.sum() + wrong.sum()), bool(ragged.any()) != bool(wrong.any())
        hint = correct_all(count, "lines", alike=alike)
        if wrong.any() and rows[row := int(wrong.argmax())] < first:
            column = int(strange[row].argmax())
            raise InputError(
                file=path,
                line=int(rows[row]) + 1,
                column=str(column + 1),
                found=frame[row, column] or "",
                expected="a finite number",
                hint=hint,
            )
        fields = f"{width} fields, as in most lines"
        raise InputError(file=path, line=first + 1, found=int(widths[first]), expected=fields, hint=hint)
    left_out = (Skipped("another number of fields", int(ragged.sum())),) if ragged.any() else ()
    dense = Dense(values, rows + 1, len(lines), left_out)
    if wrong.any():
        dense = dense.without(wrong, "not a finite number")
    if len(dense.values) == 0:
        reasons = counted_reasons({skipped.reason: skipped.count for skipped in dense.skipped})
        raise InputError(file=path, found=reasons, expected=f"at least one good line of {len(lines):,}")
    return dense
