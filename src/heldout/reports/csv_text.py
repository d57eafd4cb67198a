"""Tables as CSV for people to open in a spreadsheet, which must not run what a name says."""

from __future__ import annotations

import polars as pl

_FORMULA = r"^[=+\-@\t\r]"
"""How a text begins that spreadsheets take for a formula."""


def csv_text(frame: pl.DataFrame) -> str:
    """The frame as CSV; texts that a spreadsheet would run as formulas have an apostrophe before them.

    For tables to be read only: data, runs, splits and values per user are written as they are.
    """
    if not frame.width:
        return ""
    return frame.with_columns(pl.col(pl.String).str.replace(_FORMULA, "'$0")).write_csv()
