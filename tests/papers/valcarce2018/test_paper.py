"""Valcarce et al. 2018 on simulated data: every experiment runs, every figure is drawn."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

from tests.papers.simulated import bench

from heldout.papers.bench import PaperBench
from heldout.papers.reproduce import reproduce_paper
from heldout.papers.valcarce2018.metric_claims import CLAIMS
from heldout.papers.valcarce2018.paper import FEW, FURTHER_TRIAL, LATER, PAPER, TRIAL


def test_all_experiments_run_and_all_figures_are_drawn() -> None:
    records = {experiment.key: experiment for experiment in reproduce_paper(PAPER, [], bench()).experiments}
    assert all(not record.failures and not record.missing for record in records.values())
    assert all(math.isfinite(row.measured) for key in ("table-2", "table-3") for row in records[key].rows)
    assert {row.row for row in records["systems"].rows if math.isfinite(row.measured)} == set(FEW)
    for key, claims in CLAIMS.items():
        assert len(records[key].claims) == len((*claims, *LATER.get(key, ()))) and len(records[key].panels) == 1
        assert all(len(series.x) > 1 for series in records[key].panels[0].series)
    tested = [claim for record in records.values() for claim in record.claims if claim.verdict != "cannot be tested"]
    assert len(tested) > 9


def test_the_test_ratings_of_the_authors_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "ml-1m").mkdir()
    (tmp_path / "ml-1m" / "ratings.dat").write_text("1::1::5::978300760\n")
    [figure] = reproduce_paper(PAPER, ["fig-8"], PaperBench(data=tmp_path)).experiments
    assert figure.missing == ("valcarce-2018/qrels-ml-1M.txt.gz",)
    assert {claim.verdict for claim in figure.claims} == {"cannot be tested"}


def test_table_2_is_met_on_movielens(real_data: Callable[[str], Path]) -> None:
    data = real_data("ml-1m/ratings.dat").parents[1]
    [table] = reproduce_paper(PAPER, ["table-2"], PaperBench(data=data)).experiments
    expected = [(name, True) for name in ("users", "items", "ratings", "density", "Gini")]
    assert [(row.row, row.agrees) for row in table.rows] == expected


def test_test_sets_are_thinned_by_the_rules_of_the_authors() -> None:
    assert TRIAL.options == FURTHER_TRIAL.options == {"sampling": "user", "popularity": "train"}
