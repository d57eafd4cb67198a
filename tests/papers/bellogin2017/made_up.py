"""Tables of a look at biases, of which a test gives the values."""

from __future__ import annotations

import polars as pl

from heldout.papers.paper import MeasuredTables


def tables(values: pl.DataFrame) -> MeasuredTables:
    """The values, and nothing else measured."""
    nothing = pl.DataFrame({"protocol": [], "system": []}, schema={"protocol": pl.String, "system": pl.String})
    return MeasuredTables(
        {
            "values": values,
            "expected": nothing,
            "sweeps": nothing,
            "pairs": nothing,
            "items": pl.DataFrame({"ratings": [2], "liked": [1]}),
            "data": pl.DataFrame([{"users": 3}]),
        }
    )
