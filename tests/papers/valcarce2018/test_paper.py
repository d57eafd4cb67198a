"""Valcarce et al. 2018 on simulated data: every experiment runs, every figure is drawn."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from tests.papers.simulated import bench

from heldout.papers.analysis import paper_findings
from heldout.papers.bench import PaperBench
from heldout.papers.paper import MeasuredTables
from heldout.papers.valcarce2018 import figures
from heldout.papers.valcarce2018.figures import agreement, power, sweep
from heldout.papers.valcarce2018.paper import PAPER
from heldout.papers.valcarce2018.works import FEW, FURTHER_TRIAL, TRIAL

MEASURED = MeasuredTables(
    {
        "agreement": pl.DataFrame({"between": ["depths"], "of": ["P"], "first": ["5"], "second": ["10"], "tau": [0.8]}),
        "sweeps": pl.DataFrame(
            {"sweep": ["popularity"] * 2, "metric": ["P@5"] * 2, "share": [0.8, 1.0], "tau": [float("nan"), 1.0]}
        ),
        "power": pl.DataFrame({"metric": ["P@5"], "curve": [[0.0, 0.1, 0.9, 0.0]]}),
    }
)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two depths, and one metric."""
    monkeypatch.setattr(figures, "LABELS", {"depths": ("5", "10")})
    monkeypatch.setattr(figures, "NAMES", {"metric": {"P@5": "P"}})


@pytest.mark.usefixtures("few")
def test_each_label_has_a_line_with_1_at_itself() -> None:
    [panel] = agreement(MEASURED, "depths", "P", "cut-off")
    assert [(series.name, series.y) for series in panel.series] == [("5", (1.0, 0.8)), ("10", (0.8, 1.0))]
    assert panel.ticks == ("5", "10")


@pytest.mark.usefixtures("few")
def test_a_sweep_begins_with_the_whole_and_leaves_gaps_where_there_is_no_order() -> None:
    [panel] = sweep(MEASURED, "popularity", "metric", "% of the items kept")
    assert [(series.name, series.x, series.y) for series in panel.series] == [("P", (100.0, 80.0), (1.0, None))]


@pytest.mark.usefixtures("few")
def test_the_highest_p_value_comes_first() -> None:
    [panel] = power(MEASURED, "metric")
    assert panel.series[0].y == (0.9, 0.1, 0.0) and panel.series[0].x == (1.0, 2.0, 3.0)


def test_all_experiments_run_and_all_figures_are_drawn() -> None:
    records = {experiment.key: experiment for experiment in paper_findings(PAPER, [], bench()).experiments}
    assert all(not record.failures and not record.missing for record in records.values())
    assert all(math.isfinite(row.measured) for key in ("table-2", "table-3") for row in records[key].rows)
    assert {row.row for row in records["systems"].rows if math.isfinite(row.measured)} == set(FEW)
    for key in (f"fig-{k}" for k in range(1, 9)):
        assert records[key].claims and len(records[key].panels) == 1
        assert all(len(series.x) > 1 for series in records[key].panels[0].series)
    tested = [claim for record in records.values() for claim in record.claims if claim.verdict != "cannot be tested"]
    assert len(tested) > 9


def test_the_test_ratings_of_the_authors_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "ml-1m").mkdir()
    (tmp_path / "ml-1m" / "ratings.dat").write_text("1::1::5::978300760\n")
    [figure] = paper_findings(PAPER, ["fig-8"], PaperBench(data=tmp_path)).experiments
    assert figure.missing == ("valcarce-2018/qrels-ml-1M.txt.gz",)
    assert {claim.verdict for claim in figure.claims} == {"cannot be tested"}


def test_table_2_is_met_on_movielens(real_data: Callable[[str], Path]) -> None:
    data = real_data("ml-1m/ratings.dat").parents[1]
    [table] = paper_findings(PAPER, ["table-2"], PaperBench(data=data)).experiments
    expected = [(name, True) for name in ("users", "items", "ratings", "density", "Gini")]
    assert [(row.row, row.agrees) for row in table.rows] == expected


def test_test_sets_are_thinned_by_the_rules_of_the_authors() -> None:
    assert TRIAL.options == FURTHER_TRIAL.options == {"sampling": "user", "popularity": "train"}
