"""The 21 systems, declared once, and the figures of the authors."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

from benchmarks.valcarce_tuning import tuned
from tests.papers.declared import experiments

from heldout.catalogue import make
from heldout.papers.valcarce2018.paper import PAPER
from heldout.papers.valcarce2018.systems import NEAREST, SYSTEMS, TUNED

ROWS = experiments(PAPER)["systems"].expectations
PUBLISHED = {row.row: row.published for row in ROWS}


def test_tuned_parameters_are_those_that_the_search_found() -> None:
    assert {name: row["model"] for name, row in tuned().items()} == TUNED


def test_all_can_be_made_and_have_a_published_figure() -> None:
    assert len(SYSTEMS) == 21 and set(SYSTEMS) == set(PUBLISHED)
    assert [row.row for row in ROWS if row.standing == "fitted"] == [name for name in PUBLISHED if name in NEAREST]
    assert all(make("recommender", text) for text in SYSTEMS.values())


def test_published_figures_are_those_of_the_authors(real_data: Callable[[str], Path]) -> None:
    with real_data("../anchors/valcarce-2018/systems-ml-1M.csv").open() as file:
        assert {row["system"]: float(row["ndcg_cut_100"]) for row in csv.DictReader(file)} == PUBLISHED
