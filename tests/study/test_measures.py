"""Metrics of a study, and the aggregations that some of them name for themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import heldout as ho
from heldout.cli.app import whole_app
from heldout.errors import SpecError
from heldout.study.file import study_from

BASE: dict[str, Any] = {
    "data": "simulate(users=60, items=40, ratings=1200)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "AverageRating", "ItemKNN(k=5)"],
    "metrics": "nDCG@5",
    "compare": ["t"],
}


def values(results: ho.Results, metric: str, aggregate: str = "mean") -> dict[str, float]:
    board = results.leaderboard.filter((pl.col("metric") == metric) & (pl.col("aggregate") == aggregate))
    return dict(zip(board["system"], board["value"], strict=True))


FORMS: list[list[Any]] = [
    ["P@5", {"metric": "HLU", "aggregate": "pooled"}],
    ["P@5", "HLU aggregate=pooled"],
    [ho.metrics.P(n=5), {"metric": ho.metrics.HLU(), "aggregate": ho.aggregations.Pooled()}],
]


@pytest.mark.parametrize("form", FORMS)
def test_a_metric_may_name_its_own_aggregation(form: list[Any], tmp_path: Path) -> None:
    results = ho.run({**BASE, "metrics": form}, out=tmp_path / "out")
    assert [(s.metric, s.aggregate) for s in results.facts.settings] == [("P@5", "mean"), ("HLU", "pooled")]
    pooled = ho.run({**BASE, "metrics": "HLU", "aggregate": "pooled"})
    assert values(results, "HLU", "pooled") == values(pooled, "HLU", "pooled")
    assert values(results, "P@5") == values(ho.run({**BASE, "metrics": "P@5"}), "P@5")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert [text.partition(" aggregate=")[2] for text in manifest["study"]["metrics"]] == ["", "pooled"]
    again = study_from({**BASE, "metrics": manifest["study"]["metrics"]})
    assert [str(a) for m in again.metrics for a in again.aggregations(m)] == ["mean", "pooled"]
    loaded = ho.Results.load(tmp_path / "out").compare(test="wilcoxon")
    assert [(s.metric, s.aggregate) for s in loaded.facts.settings] == [("P@5", "mean"), ("HLU", "pooled")]


def test_both_ways_where_a_metric_is_named_twice() -> None:
    study = study_from(
        {**BASE, "metrics": ["Recall@5", "Recall@5 aggregate=pooled", "P@5"], "aggregate": ["mean", "median"]}
    )
    assert [str(m) for m in study.metrics] == ["Recall@5", "P@5"]
    assert [str(a) for a in study.aggregations(study.metrics[0])] == ["mean", "median", "pooled"]
    assert [str(a) for a in study.all_aggregations] == ["mean", "median", "pooled"]


def test_evaluate_and_the_command_line_take_the_same_form(tmp_path: Path) -> None:
    test = {"user": [1, 1, 2], "item": [1, 2, 1], "rating": [5, 4, 5]}
    run = {"user": [1, 1, 2], "item": [1, 3, 4], "score": [3.0, 2.0, 1.0]}
    results = ho.evaluate(test, {"A": run}, ["Recall@2", "Recall@2 aggregate=pooled"])
    assert values(results, "Recall@2") == {"A": (1 / 2 + 0) / 2}
    assert values(results, "Recall@2", "pooled") == {"A": 1 / 3}
    left = ho.evaluate(test, {"A": run}, ["Recall@2", "RMSE"])
    assert left.left_out == ["RMSE needs scores on the rating scale, which these are not"]
    pl.DataFrame(test).write_csv(tmp_path / "test.csv")
    pl.DataFrame(run).write_csv(tmp_path / "a.csv")
    files = ["--qrels", str(tmp_path / "test.csv"), "--run", str(tmp_path / "a.csv")]
    asked = ["evaluate", *files, "-m", "Recall@2 aggregate=pooled"]
    done = CliRunner().invoke(whole_app(), asked)
    assert done.exit_code == 0, done.output
    assert "0.3333" in done.output


@pytest.mark.parametrize(
    ("metrics", "words"),
    [
        ([{"metric": "P@5", "agregate": "mean"}], "metrics: unknown key 'agregate'; did you mean aggregate"),
        ([{"aggregate": "mean"}], "metrics: the table needs 'metric'"),
        (["P@5 aggregate=poled"], "metrics: aggregate: unknown aggregation 'poled'; did you mean pooled"),
        ([{"metric": "P@5", "aggregate": []}], "metrics: aggregate: the list of options is empty"),
    ],
)
def test_what_is_refused(metrics: list[Any], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        study_from({**BASE, "metrics": metrics})
