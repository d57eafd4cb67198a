"""Sizes of data sets beside those that the paper prints."""

from __future__ import annotations

import polars as pl
from tests.papers.declared import experiments

from heldout.papers.analysis import claim_row, figure_row
from heldout.papers.gunawardana2009.paper import PAPER
from heldout.papers.paper import Experiment, MeasuredTables

SIZES = {key.removeprefix("sizes-"): each for key, each in experiments(PAPER).items() if key.startswith("sizes-")}


def _agree(experiment: Experiment, users: int, items: int, each: float) -> list[bool | None]:
    data = pl.DataFrame([{"users": users, "items": items, "ratings": each * users}])
    return [figure_row(row, MeasuredTables({"data": data})).agrees for row in experiment.expectations]


def test_sizes_must_be_met() -> None:
    for data in ("book-crossing", "retail", "kosarak", "ta-feng"):
        users, items, each = (int(row.published) for row in SIZES[data].expectations)
        assert _agree(SIZES[data], users, items, each + 0.4) == [True] * 3
        assert _agree(SIZES[data], users - 1, items, each + 0.6) == [False, True, False]
    assert _agree(SIZES["netflix-active"], 21_179, 17_415, 117) == [True] * 3


def test_rounded_sizes_are_met_by_what_rounds_to_them() -> None:
    users, items = 480_000, 17_700
    assert _agree(SIZES["netflix"], users + 499, items - 49, 1) == [True, True]
    assert _agree(SIZES["netflix"], users + 501, items + 70, 1) == [False, False]


def test_ratings_must_be_positive_and_users_must_rate_few_items() -> None:
    def verdicts(experiment: Experiment, positive: int, items: int, each: int) -> list[str]:
        users = pl.DataFrame({"ratings": [each] * 10, "positive": [positive] * 10})
        data = pl.DataFrame([{"users": 10, "items": items, "ratings": 10 * each}])
        measured = MeasuredTables({"users": users, "data": data})
        return [claim_row(claim, measured, ()).verdict for claim in experiment.claims]

    books, netflix = SIZES["book-crossing"], SIZES["netflix"]
    assert verdicts(books, 60, 17_416, 116) == verdicts(netflix, 6, 101, 10) == ["holds"] * 2
    assert verdicts(books, 58, 17_415, 116) == verdicts(netflix, 5, 100, 10) == ["does not hold here"] * 2
    assert not SIZES["netflix-active"].claims
