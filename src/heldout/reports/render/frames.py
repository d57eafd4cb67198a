"""Tables for programs: polars frames, CSV and JSON, with all digits and every column."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import polars as pl

from heldout.reports.columns import Column
from heldout.reports.document import FrameRows, Table
from heldout.text.numbers import exact_p

_DTYPES = {"count": pl.Int64, "bytes": pl.Int64, "system": pl.String, "text": pl.String, "letters": pl.String}
_FORMULA = r"^[=+\-@\t\r]"
"""How a text begins that spreadsheets take for a formula."""
_LEAST_P = 1e-300


def frame(table: Table) -> pl.DataFrame:
    """The table as a polars frame."""
    if isinstance(table.rows, FrameRows):
        return table.rows.frame
    columns = []
    for column, values in _columns(table):
        parts = zip(*map(column.raw, values), strict=True) if values else [()] * len(column.parts())
        dtype = _DTYPES.get(column.kind, None if column.kind == "plain" else pl.Float64)
        columns += [
            pl.Series(name, list(part), dtype=dtype, strict=False) for name, part in zip(column.parts(), parts, strict=True)
        ]
    return pl.DataFrame(columns)


def csv(table: Table) -> str:
    """CSV for a spreadsheet; texts that it would run as formulas have an apostrophe before them."""
    texts = _spelled(frame(table))
    return texts.with_columns(pl.col(pl.String).str.replace(_FORMULA, "'$0")).write_csv() if texts.width else ""


def json_text(table: Table) -> str:
    """A list of objects, one for each row."""
    rows = [{name: _finite(value) for name, value in row.items()} for row in _spelled(frame(table), lists=False).to_dicts()]
    return json.dumps(rows, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _columns(table: Table) -> Iterator[tuple[Column, list[Any]]]:
    for place, column in enumerate(table.columns):
        yield column, [row[place] for row in table.rows]


def _spelled(values: pl.DataFrame, *, lists: bool = True) -> pl.DataFrame:
    """The frame with lists as texts, and p-values too small for a number as "< 1e-300" rather than 0."""
    changed = []
    for column in values:
        if column.dtype.is_nested() and lists:
            texts = [None if value is None else str(value) for value in column.to_list()]
        elif _is_p(column) and (column.drop_nulls().drop_nans() < _LEAST_P).any():
            texts = [None if p is None else exact_p(p) if p < _LEAST_P else repr(p) for p in column.to_list()]
        else:
            continue
        changed.append(pl.Series(column.name, texts, dtype=pl.String))
    return values.with_columns(changed) if changed else values


def _is_p(column: pl.Series) -> bool:
    return column.dtype.is_float() and (column.name == "p" or column.name.startswith(("p_", "p ")))


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
