"""What was measured for an experiment, picked by row and split."""

from __future__ import annotations

import polars as pl

from heldout.papers.paper import MeasuredTables

TABLE = pl.DataFrame(
    {"system": ["A", "B", "A", "A"], "metric": ["P", "P", "P", "RR"], "seed": [2, 1, 1, 1], "value": [0.2, 0.5, 0.1, None]}
)
MEASURED = MeasuredTables({"t": TABLE, "without splits": TABLE.drop("seed")})


def test_rows_are_those_of_the_values_by_split() -> None:
    assert MEASURED.rows("t", system="A", metric="P")["seed"].to_list() == [1, 2]
    assert MEASURED.rows("t").height == 4 and MEASURED.rows("t", system="C").height == 0
    assert MEASURED.rows("without splits", system="A")["value"].to_list() == [0.2, 0.1, None]


def test_numbers_are_one_for_each_split_that_has_one() -> None:
    assert MEASURED.numbers("t", "value", system="A", metric="P") == [0.1, 0.2]
    assert MEASURED.numbers("t", "value", metric="RR") == []
