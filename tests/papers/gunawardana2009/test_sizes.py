"""Sizes of data sets beside those that the paper prints."""

from __future__ import annotations

import polars as pl

from heldout.papers.gunawardana2009.sizes import NETFLIX_ACTIVE, NETFLIX_WHOLE, PUBLISHED, SIZES
from heldout.papers.paper import Experiment, MeasuredTables
from heldout.papers.reproduce import compared


def _agree(experiment: Experiment, users: int, items: int, each: float) -> list[bool | None]:
    data = pl.DataFrame([{"users": users, "items": items, "ratings": each * users}])
    return [compared(row, MeasuredTables({"data": data})).agrees for row in experiment.expectations]


def test_sizes_must_be_met() -> None:
    for experiment, (data, users, items, each) in zip(SIZES, PUBLISHED, strict=False):
        assert experiment.key == f"sizes-{data.key}"
        assert _agree(experiment, users, items, each + 0.4) == [True] * 3
        assert _agree(experiment, users - 1, items, each + 0.6) == [False, True, False]
    assert _agree(SIZES[-1], *NETFLIX_ACTIVE) == [True] * 3


def test_rounded_sizes_are_met_by_what_rounds_to_them() -> None:
    users, items = NETFLIX_WHOLE
    assert _agree(SIZES[-2], users + 499, items - 49, 1) == [True, True]
    assert _agree(SIZES[-2], users + 501, items + 70, 1) == [False, False]
