"""Ratings as a matrix: one line per user, one field per item, a mark where there is no rating."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from heldout.data.column_table import BadRows, correct_all, counted_reasons
from heldout.data.dialect import Dialect, refuse_binary
from heldout.data.sources import read_bytes
from heldout.errors import InputError
from heldout.tables import Log, Skipped
from heldout.tables.arrays import Bool, Float64, Int64


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
    text = read_bytes(path).removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    refuse_binary(text[:4096], file=path)
    flat, mark = Dialect(separator, quoted=False).flattened(text)
    if not flat.strip():
        raise InputError("this file is empty", file=path, expected="at least one line")
    lines = flat.decode("utf-8", errors="replace").rstrip("\n").split("\n")
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
