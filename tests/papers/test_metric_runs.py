"""Trials of papers say what `meta` says, and are kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.papers.sample import TINY

import heldout as ho
from heldout.papers.bench import PaperBench
from heldout.papers.metric_runs import MetricRun

KEYS = {
    "split": "ratio(train=0.6, by=user)",
    "recommend": ["Popularity", "Random", "UserKNN(k=5)"],
    "relevance": "threshold(4)",
    "target": "AllItems",
}
OPTIONS = {"samples": 2, "flips": 100, "shares": (1.0, 0.5), "item_shares": (1.0, 0.9)}
TRIAL = MetricRun(keys=KEYS, metrics=("P", "nDCG"), depths=(3, 5), simulated_options=OPTIONS)


def test_tables_are_those_of_meta_and_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = TRIAL.measure(PaperBench(data="simulated", out=tmp_path), TINY)
    study = {**KEYS, "data": TINY.stand_in, "metrics": ["P@3"]}
    results = ho.meta(study, OPTIONS, metrics=["P", "nDCG"], depths=[3, 5], progress=False)
    columns = ["metric", "dp", "missing_tau", "popularity_tau", "reliability"]
    ours, theirs = (table.select(columns).sort("metric") for table in (measured.tables["metrics"], results.findings.table))
    assert ours.equals(theirs, null_equal=True)
    assert measured.tables["sweeps"]["tau"].to_list() == results.findings.sweeps["tau"].to_list()
    assert set(measured.tables["agreement"]["between"]) == {"metrics", "depths"}

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("metrics were tried again")

    monkeypatch.setattr("heldout.meta", refuse)
    again = TRIAL.measure(PaperBench(data="simulated", out=tmp_path), TINY)
    assert again.tables["power"].equals(measured.tables["power"], null_equal=True)
