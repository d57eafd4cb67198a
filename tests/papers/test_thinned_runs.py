"""Metrics when test ratings are removed: the values of the whole test set at 0, and what removing must do to precision."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.papers.sample import TINY

import heldout as ho
from heldout.papers.bench import PaperBench
from heldout.papers.thinned_runs import ThinnedRun

KEYS = {
    "split": "ratio(train=0.6)",
    "recommend": ["Popularity", "Random"],
    "relevance": "threshold(4)",
    "target": "TestItems",
    "metrics": ["P@3", "Recall@3"],
    "compare": "none",
}


def test_nothing_removed_is_the_study_itself_and_removed_ratings_cost_precision(tmp_path: Path) -> None:
    run = ThinnedRun(keys=KEYS, removed=(0.0, 0.8))
    rows = run.measure(PaperBench(data="simulated", out=tmp_path), TINY).tables["removed"]
    assert len(rows) == 2 * 2 * 2
    board = ho.run({**KEYS, "data": TINY.stand_in}).leaderboard
    for row in rows.filter(removed=0.0).iter_rows(named=True):
        [value] = board.filter(system=row["system"], metric=row["metric"])["value"]
        assert row["value"] == pytest.approx(value)
    whole, fifth = (rows.filter(removed=share, metric="P@3", system="Popularity")["value"][0] for share in (0.0, 0.8))
    assert fifth < whole
    assert run.measure(PaperBench(data="simulated", out=tmp_path), TINY).tables["removed"].equals(rows)
