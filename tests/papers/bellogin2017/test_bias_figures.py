"""Look-ups in figures of biases say what was not measured."""

from __future__ import annotations

import polars as pl
import pytest
from tests.papers.bellogin2017.made_up import tables
from tests.papers.declared import claims

from heldout.errors import NotApplicableError
from heldout.papers.analysis import claim_row
from heldout.papers.bellogin2017.paper import PAPER
from heldout.papers.bellogin2017.rules import BiasFigures
from heldout.papers.bellogin2017.works import SYSTEMS

ROWS = [{"protocol": "AR", "metric": "P@10", "system": name, "value": 0.1 * k} for k, name in enumerate(SYSTEMS)]
MEASURED = tables(pl.DataFrame(ROWS))


def test_systems_come_in_the_order_of_their_values() -> None:
    figures = BiasFigures(MEASURED)
    assert figures.order("AR") == list(reversed(SYSTEMS)) == figures.own_order("AR")
    assert figures.precision("AR", SYSTEMS[2]) == 0.2 and figures.of_data("users") == 3


def test_what_was_not_measured_is_named_and_leaves_claims_open() -> None:
    figures = BiasFigures(MEASURED)
    with pytest.raises(NotApplicableError):
        figures.precision("1R", "pLSA")
    with pytest.raises(NotApplicableError):
        figures.curve("skew", "1R", "kNN")
    row = claim_row(claims(PAPER)["remains-above-knn"], MEASURED, ())
    assert row.verdict == "cannot be tested" and "was not measured" in row.figures
