"""How liked items, and relevant documents, are counted."""

from __future__ import annotations

import polars as pl
from tests.papers.declared import experiments

from heldout.papers.analysis import claim_row, figure_row
from heldout.papers.bellogin2017.paper import PAPER
from heldout.papers.paper import MeasuredTables

NETFLIX, TREC = (experiments(PAPER)[key] for key in ("fig-5-netflix", "fig-5-trec"))


def _measured(items: list[int], users: list[int]) -> MeasuredTables:
    data = pl.DataFrame([{"users": len(users)}])
    return MeasuredTables(
        {"items": pl.DataFrame({"positive": items}), "users": pl.DataFrame({"positive": users}), "data": data}
    )


def test_the_top_item_is_told_as_a_share_of_all_users() -> None:
    [row] = [figure_row(row, _measured([201, 3], [1] * 204 + [0] * 796)) for row in NETFLIX.expectations]
    assert row.measured == 0.201 and row.agrees


def test_queries_and_documents_without_a_positive_judgement_are_left_out() -> None:
    measured = _measured([3, 1, 1, 1, 0, 0], [4, 2, 0])
    assert [row.pick(measured) for row in TREC.expectations] == [[2], [4], [6], [0.75], [3], [1.5]]


def test_a_tenth_of_the_items_has_more_or_less_than_half() -> None:
    steep, flat = _measured([100, *[1] * 19, 90], [1]), _measured([1] * 20, [1])
    for experiment, holding, failing in ((NETFLIX, steep, flat), (TREC, flat, steep)):
        [claim] = experiment.claims
        assert claim_row(claim, holding, ()).verdict == "holds"
        assert claim_row(claim, failing, ()).verdict == "does not hold here"
