"""Pairs that do not apply are left out and named before anything is fitted; everything else is measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import heldout as ho
from heldout.cli.app import whole_app
from heldout.errors import NotApplicableError

BASE: dict[str, Any] = {
    "data": "simulate(users=60, items=40, ratings=1200)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "AverageRating", "ItemKNN(k=5)"],
    "metrics": "nDCG@5",
    "compare": ["t"],
}
RMSE_REASON = "RMSE of Popularity, ItemKNN(k=5): their scores are not on the rating scale"
GMEAN_REASON = "KendallTau under gmean: gmean takes the logarithm of value + 0.01, and the least value is -1"


def values(results: ho.Results, metric: str, aggregate: str = "mean") -> dict[str, float]:
    board = results.leaderboard.filter((pl.col("metric") == metric) & (pl.col("aggregate") == aggregate))
    return dict(zip(board["system"], board["value"], strict=True))


def never_fitted(train: Any, users: Any) -> Any:
    raise AssertionError("it was fitted")


def test_a_metric_that_some_systems_have_no_value_of_is_measured_of_the_others(tmp_path: Path) -> None:
    told: list[str] = []
    begun: list[str] = []
    results = ho.run(
        {**BASE, "metrics": ["nDCG@5", "RMSE"]},
        out=tmp_path / "out",
        notify=told.append,
        progress=lambda stage, done, total: begun.extend([stage] * (stage.startswith("fitting") and not told)),
    )
    assert told == [RMSE_REASON]
    assert begun == []  # nothing was fitted before it was told
    assert results.left_out == [RMSE_REASON]
    assert list(values(results, "RMSE")) == ["AverageRating"]
    assert values(results, "nDCG@5") == values(ho.run(BASE), "nDCG@5")
    alone = ho.run({**BASE, "recommend": "AverageRating", "metrics": "RMSE"})
    assert values(results, "RMSE") == values(alone, "RMSE")
    for text in (results.to_html(), " ".join(repr(results).split())):
        assert "RMSE of Popularity, ItemKNN(k=5)" in text
    loaded = ho.Results.load(tmp_path / "out")
    assert loaded.left_out == [RMSE_REASON]
    assert loaded.leaderboard.equals(results.leaderboard)
    per_user = loaded.per_user()
    assert per_user.filter(pl.col("system") == "Popularity")["RMSE"].null_count() == len(per_user) / 3
    again = ho.run({**BASE, "metrics": ["nDCG@5", "RMSE"]}, out=tmp_path / "out")
    assert again.outcome is not None
    assert again.outcome.manifest["reused"].startswith("scores of 3 of 3 cells reused")
    assert again.leaderboard.equals(results.leaderboard)
    compared = loaded.compare(test="wilcoxon", metrics=["RMSE", "nDCG@5"])
    assert compared.left_out == [RMSE_REASON]
    assert loaded.compare(test="wilcoxon", metrics=["nDCG@5"]).left_out == []


def test_systems_that_have_the_metric_are_compared_among_themselves() -> None:
    ratings = {
        name: ho.as_recommender(
            name, lambda train, users, v=v: np.full((len(users), train.n_items), v), predicts_ratings=True
        )
        for name, v in (("three", 3.0), ("four", 4.0))
    }
    study = {**BASE, "metrics": ["RMSE", "nDCG@5"], "recommend": ["Popularity", "AverageRating"]}
    results = ho.run({**study, "compare": {"tests": ["t", "friedman"], "baseline": "Popularity"}}, models=ratings)
    assert sorted(values(results, "RMSE")) == ["AverageRating", "four", "three"]
    rmse = next(s.id for s in results.facts.settings if s.metric == "RMSE")
    pairs = {(p.a, p.b) for p in results.facts.comparisons if p.setting == rmse}
    assert len(pairs) == 3  # the baseline has no RMSE: all pairs of the others
    plain = ho.run({**study, "recommend": "AverageRating", "compare": ["t", "friedman"]}, models=ratings)
    p = [
        [(c.a, c.b, c.test, c.p_adjusted) for c in r.facts.comparisons if c.setting == s.id]
        for r in (results, plain)
        for s in r.facts.settings
        if s.metric == "RMSE"
    ]
    assert p[0] == p[1]
    for drawn in (results.to_html(), results.to_latex(), repr(results)):
        assert "RMSE" in drawn


@pytest.mark.parametrize("folds", ["ratio(train=0.7, by=user)", "folds(3, by=rating)"])
@pytest.mark.parametrize(
    ("metric", "aggregate", "reason"),
    [
        ("KendallTau", "gmean", GMEAN_REASON),
        ("Spearman", "pooled", "Spearman under pooled: pooled is for ratios of sums, and this metric is none"),
    ],
)
def test_an_aggregation_that_does_not_apply_makes_no_setting(metric: str, aggregate: str, reason: str, folds: str) -> None:
    told: list[str] = []
    results = ho.run({**BASE, "split": folds, "metrics": [metric, "Recall@5"], "aggregate": aggregate}, notify=told.append)
    assert told == results.left_out == [reason]
    assert {s.metric for s in results.facts.settings} == {"Recall@5"}
    assert results.compare(aggregate="mean").left_out == []
    assert {s.metric for s in results.compare(aggregate=["mean", aggregate]).facts.settings} == {metric, "Recall@5"}


def test_a_system_that_nothing_is_measured_of_is_not_fitted() -> None:
    results = ho.run({**BASE, "recommend": "AverageRating", "metrics": "RMSE"}, models={"mine": never_fitted})
    assert results.failed == {}
    assert results.facts.systems == ("AverageRating",)
    assert results.left_out == ["RMSE of mine: its scores are not on the rating scale"]


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({"metrics": "RMSE", "recommend": []}, "RMSE of mine: its scores are not on the rating scale"),
        ({"metrics": "KendallTau", "aggregate": "gmean"}, GMEAN_REASON.replace("+", r"\+")),
        ({"metrics": ["GROC", "MAE"], "recommend": []}, "GROC of mine: .*; MAE of mine: "),
    ],
)
def test_where_nothing_is_left_it_is_an_error_before_anything_is_fitted(keys: dict[str, Any], reason: str) -> None:
    with pytest.raises(NotApplicableError, match=f"nothing is left to measure: .*{reason}"):
        ho.run({**BASE, **keys}, models={"mine": never_fitted})


def test_so_it_is_where_the_data_leave_nothing() -> None:
    words = r"(?s)2 things do not go .*needs a column of utilities.*needs a table of items"
    with pytest.raises(NotApplicableError, match=words):
        ho.run({**BASE, "metrics": ["Utility@5", "ILD(features=g)@5"]}, models={"mine": never_fitted})


def test_metrics_without_lists_under_some_targets_are_left_out_there() -> None:
    results = ho.run({**BASE, "target": ["AllItems", "OnePlusRandom(5)"], "metrics": ["nDCG@5", "Novelty@5"]})
    assert {(s.metric, s.choices["target"]) for s in results.facts.settings if s.metric != "Novelty@5"} == {
        ("nDCG@5", "AllItems"),
        ("nDCG@5", "OnePlusRandom(nonrelevant=5)"),
    }
    assert results.left_out == [
        "Novelty@5 looks at whole lists, and OnePlusRandom(nonrelevant=5) makes none that a user would see"
    ]


def test_columns_that_the_data_lack_leave_a_metric_out_before_anything_is_fitted() -> None:
    told: list[str] = []

    def fitted_after(train: Any, users: Any) -> Any:
        assert told
        return np.tile(train.item_counts.astype(float), (len(users), 1))

    results = ho.run({**BASE, "metrics": ["P@5", "Utility@5"]}, models={"mine": fitted_after}, notify=told.append)
    assert results.failed == {}
    assert told == results.left_out == ["Utility@5 needs a column of utilities, and the test ratings have none"]


def test_study_files_and_the_command_line_name_what_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(
        f'data = "{BASE["data"]}"\nsplit = "{BASE["split"]}"\nrecommend = ["Popularity", "AverageRating"]\n'
        'metrics = ["P@5", "MAE", { metric = "HLU", aggregate = ["pooled", "mean"] }]\ncompare = ["t"]\n'
    )
    done = CliRunner().invoke(whole_app(), ["run", str(tmp_path / "study.toml"), "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert "left out: MAE of Popularity: its scores are not on the rating scale" in " ".join(done.output.split())
    assert "HO108" in done.output


def test_a_multiverse_leaves_out_what_does_not_apply_to_every_system() -> None:
    study = {**BASE, "metrics": ["P@5", "RMSE", "HLU aggregate=pooled"], "recommend": ["Popularity", "AverageRating"]}
    found = ho.multiverse(study)
    frame = found.universes
    assert set(zip(frame["metric"], frame["aggregate"], strict=True)) == {("P", "mean"), ("HLU", "pooled")}
    assert any("RMSE of Popularity" in told for told in found.manifest["left_out"])
