"""Comparisons as a table, for studies of so many systems that their pairs would fill hundreds of megabytes of JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields

import polars as pl

from heldout.analysis.facts import PairRow

PAIRS = "comparisons.parquet"
"""The table's file in a results folder."""
MOST_IN_JSON = 20_000
"""Comparisons that stand in facts.json; more stand in a table. 20,000 take 9 MB there, those of 1,000 systems 900 MB."""
_TEXTS = ("test", "a", "b", "correction", "figures", "reason")
_COUNTS = ("setting", "wins", "ties", "losses", "family", "users")
_COLUMNS = tuple(field.name for field in fields(PairRow))


def pair_frame(comparisons: Sequence[PairRow]) -> pl.DataFrame:
    """A row for each comparison; as in JSON, a number that is none is null, and `figures` are a text of JSON."""
    columns = []
    for name in _COLUMNS:
        values = [getattr(row, name) for row in comparisons]
        if name == "figures":
            values = [json.dumps(figures) for figures in values]
        kind = pl.String if name in _TEXTS else pl.Int64 if name in _COUNTS else pl.Float64
        column = pl.Series(name, values, dtype=kind)
        columns.append(column.to_frame().select(_finite(name)).to_series() if kind == pl.Float64 else column)
    return pl.DataFrame(columns)


def _finite(name: str) -> pl.Expr:
    """A column of numbers, null where a number is none."""
    return pl.when(pl.col(name).is_finite()).then(pl.col(name)).alias(name)


def pair_rows(frame: pl.DataFrame) -> tuple[PairRow, ...]:
    """The comparisons that `pair_frame` wrote."""
    figures = {text: json.loads(text) for text in frame["figures"].unique()}
    return tuple(
        PairRow(**{**row, "figures": dict(figures[row["figures"]])}) for row in frame.select(_COLUMNS).iter_rows(named=True)
    )
