"""Tables and figures of every kind: a page, `results.tables` and `results.figures` have the same by the same names."""

from __future__ import annotations

import pytest
from tests.reports.every_kind import KINDS, results_of

from heldout.reports.document import Chart

TABLES_ON_THE_PAGE = {"study": {"leaderboard", "differences", "settings", "margin-curve"}}
"""Figures that are made on request only, because the page shows the same as a table."""
OF_A_PAIR = "speccurve-"
"""Start of figures that have one name and the option `pair`."""


@pytest.mark.parametrize("kind", KINDS)
def test_every_table_of_the_page_can_be_saved_by_its_name(kind: str) -> None:
    made = results_of(kind)
    assert set(made.document.tables()) <= set(made.tables)
    assert all(made.tables[name].name == name for name in made.tables)


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_has_every_figure_that_can_be_saved(kind: str) -> None:
    made = results_of(kind)
    page = {block.name for block in made.document.blocks() if isinstance(block, Chart)}
    assert {name for name in page if not name.startswith(OF_A_PAIR)} <= set(made.figures)
    assert set(made.figures) - page == TABLES_ON_THE_PAGE.get(kind, set())
    assert all(made.figures[name].name == name for name in made.figures)
