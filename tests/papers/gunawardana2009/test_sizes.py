"""Sizes of data sets beside those that the paper prints."""

from __future__ import annotations

import polars as pl

from heldout.papers.gunawardana2009.sizes import PUBLISHED, SIZES
from heldout.papers.paper import MeasuredTables
from heldout.papers.reproduce import compared


def test_sizes_must_be_met() -> None:
    for experiment, (data, users, items) in zip(SIZES, PUBLISHED, strict=True):
        assert experiment.key == f"sizes-{data.key}"
        met = MeasuredTables({"data": pl.DataFrame([{"users": users, "items": items}])})
        assert [compared(row, met).agrees for row in experiment.expectations] == [True, True]
        other = MeasuredTables({"data": pl.DataFrame([{"users": users - 1, "items": items}])})
        assert [compared(row, other).agrees for row in experiment.expectations] == [False, True]
