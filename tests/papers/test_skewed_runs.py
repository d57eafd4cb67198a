"""Metrics on simulated ratings of more and more skew: those of a study of the same data, kept and taken again."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.papers.sample import TINY

import heldout as ho
from heldout.biases.sweeps import without_tastes
from heldout.data.simulation_fit import fitted
from heldout.papers.bench import PaperBench
from heldout.papers.skewed_runs import SkewedRun

KEYS = {
    "split": "ratio(train=0.6)",
    "recommend": ["Popularity", "Random"],
    "relevance": "threshold(4)",
    "target": "TestItems",
    "metrics": ["Recall@3"],
    "compare": "none",
}


def test_a_skew_is_a_study_of_the_fitted_data_without_tastes(tmp_path: Path) -> None:
    run = SkewedRun(keys=KEYS, alphas=(0.0, 2.0))
    bench = PaperBench(data="simulated", out=tmp_path)
    rows = run.measure(bench, TINY).tables["skewed"]
    like = fitted(bench.source(TINY).read().interactions("error"), seed=1)
    board = ho.run({**KEYS, "data": without_tastes(like, 2.0)}).leaderboard
    for row in rows.filter(alpha=2.0).iter_rows(named=True):
        [value] = board.filter(system=row["system"])["value"]
        assert row["value"] == pytest.approx(value)
    flat, steep = rows.filter(system="Popularity").sort("alpha")["value"]
    assert flat < steep
    again = PaperBench(data="simulated", out=tmp_path)
    assert run.measure(again, TINY).tables["skewed"].equals(rows) and again.computed == 0
