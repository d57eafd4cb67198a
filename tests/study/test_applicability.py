"""Options that do not go together: pairs are left out and named before anything is fitted; the rest is measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused
from typer.testing import CliRunner

import heldout as ho
from heldout.catalogue import make
from heldout.cli.app import whole_app
from heldout.errors import NotApplicableError
from heldout.study.compatibility import about_cut, asks_relevance
from heldout.study.file import study_from

BASE: dict[str, Any] = {
    "data": "simulate(users=60, items=40, ratings=1200)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "AverageRating", "ItemKNN(k=5)"],
    "metrics": "nDCG@5",
    "compare": ["t"],
}


def values(results: ho.Results, metric: str, aggregate: str = "mean") -> dict[str, float]:
    board = results.tables["all-leaderboards"].frame.filter(
        (pl.col("metric") == metric) & (pl.col("aggregate") == aggregate)
    )
    return dict(zip(board["system"], board["value"], strict=True))


def never_fitted(train: Any, users: Any) -> Any:
    raise AssertionError("it was fitted")


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
    rmse = next(s.id for s in results.findings.settings if s.metric == "RMSE")
    pairs = {(p.a, p.b) for p in results.findings.comparisons if p.setting == rmse}
    assert len(pairs) == 3  # the baseline has no RMSE: all pairs of the others
    plain = ho.run({**study, "recommend": "AverageRating", "compare": ["t", "friedman"]}, models=ratings)
    p = [
        [(c.a, c.b, c.test, c.p_adjusted) for c in r.findings.comparisons if c.setting == s.id]
        for r in (results, plain)
        for s in r.findings.settings
        if s.metric == "RMSE"
    ]
    assert p[0] == p[1]
    for drawn in (results.to_html(), results.tables["leaderboard"].to_latex(), repr(results)):
        assert "RMSE" in drawn


def test_metrics_without_lists_under_some_targets_are_left_out_there() -> None:
    results = ho.run({**BASE, "target": ["AllItems", "OnePlusRandom(5)"], "metrics": ["nDCG@5", "Novelty@5"]})
    assert {(s.metric, s.choices["target"]) for s in results.findings.settings if s.metric != "Novelty@5"} == {
        ("nDCG@5", "AllItems"),
        ("nDCG@5", "OnePlusRandom(nonrelevant=5)"),
    }
    assert results.left_out == [
        "Novelty@5 looks at whole lists, and OnePlusRandom(nonrelevant=5) makes none that a user would see"
    ]


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
    frame = found.tables["universes"].frame
    assert set(zip(frame["metric"], frame["aggregate"], strict=True)) == {("P", "mean"), ("HLU", "pooled")}
    assert any("RMSE of Popularity" in told for told in found.manifest["left_out"])


def subjects(left_out: list[str]) -> list[str]:
    """What each sentence is about: a metric and systems, or a metric and an aggregation."""
    return [sentence.partition(":")[0] for sentence in left_out]


def test_a_metric_that_some_systems_have_no_value_of_is_measured_of_the_others(tmp_path: Path) -> None:
    notified: list[str] = []
    begun: list[str] = []
    results = ho.run(
        {**BASE, "metrics": ["nDCG@5", "RMSE"]},
        out=tmp_path / "out",
        notify=notified.append,
        progress=lambda stage, done, total: begun.extend([stage] * (stage.startswith("fitting") and not notified)),
    )
    assert subjects(notified) == ["RMSE of Popularity, ItemKNN(k=5)"]
    assert begun == []  # nothing was fitted before the notification
    assert results.left_out == notified
    assert list(values(results, "RMSE")) == ["AverageRating"]
    assert values(results, "nDCG@5") == values(ho.run(BASE), "nDCG@5")
    alone = ho.run({**BASE, "recommend": "AverageRating", "metrics": "RMSE"})
    assert values(results, "RMSE") == values(alone, "RMSE")
    for text in (results.to_html(), " ".join(repr(results).split())):
        assert "RMSE of Popularity, ItemKNN(k=5)" in text
    loaded = ho.load(tmp_path / "out")
    assert loaded.left_out == notified
    assert loaded.tables["all-leaderboards"].frame.equals(results.tables["all-leaderboards"].frame)
    per_user = loaded.per_user()
    assert per_user.filter(pl.col("system") == "Popularity")["RMSE"].null_count() == len(per_user) / 3
    again = ho.run({**BASE, "metrics": ["nDCG@5", "RMSE"]}, out=tmp_path / "out")
    assert again._source is not None
    assert again._source.manifest["reused"].startswith("scores of 3 of 3 cells reused")
    assert again.tables["all-leaderboards"].frame.equals(results.tables["all-leaderboards"].frame)
    compared = ho.compare(loaded, "wilcoxon", metrics=["RMSE", "nDCG@5"])
    assert compared.left_out == notified
    assert ho.compare(loaded, "wilcoxon", metrics=["nDCG@5"]).left_out == []


@pytest.mark.parametrize("folds", ["ratio(train=0.7, by=user)", "folds(3, by=rating)"])
@pytest.mark.parametrize(("metric", "aggregate"), [("KendallTau", "gmean"), ("Spearman", "pooled")])
def test_an_aggregation_that_does_not_apply_makes_no_setting(metric: str, aggregate: str, folds: str) -> None:
    notified: list[str] = []
    keys = {**BASE, "split": folds, "metrics": [metric, "Recall@5"], "aggregate": aggregate}
    results = ho.run(keys, notify=notified.append)
    assert notified == results.left_out and subjects(notified) == [f"{metric} under {aggregate}"]
    assert {s.metric for s in results.findings.settings} == {"Recall@5"}
    assert ho.compare(results, aggregate="mean").left_out == []
    assert {s.metric for s in ho.compare(results, aggregate=["mean", aggregate]).findings.settings} == {metric, "Recall@5"}


def test_a_system_that_nothing_is_measured_of_is_not_fitted() -> None:
    results = ho.run({**BASE, "recommend": "AverageRating", "metrics": "RMSE"}, models={"mine": never_fitted})
    assert results.failed == {}
    assert results.findings.systems == ("AverageRating",)
    assert subjects(results.left_out) == ["RMSE of mine"]


@pytest.mark.parametrize(
    ("keys", "named"),
    [
        ({"metrics": "RMSE", "recommend": []}, ["RMSE of mine"]),
        ({"metrics": "KendallTau", "aggregate": "gmean"}, ["KendallTau under gmean"]),
        ({"metrics": ["GROC", "MAE"], "recommend": []}, ["GROC of mine", "MAE of mine"]),
    ],
)
def test_if_nothing_is_left_it_is_an_error_before_anything_is_fitted(keys: dict[str, Any], named: list[str]) -> None:
    with refused(NotApplicableError, where="metrics", expected="a metric that applies") as error:
        ho.run({**BASE, **keys}, models={"mine": never_fitted})
    assert subjects(error.value.found) == named


def test_if_the_data_leave_nothing_both_reasons_are_in_the_error() -> None:
    with refused(NotApplicableError) as error:
        ho.run({**BASE, "metrics": ["Utility@5", "ILD(features=g)@5"]}, models={"mine": never_fitted})
    assert [type(part) for part in error.value.parts] == [NotApplicableError, NotApplicableError]


def test_columns_that_the_data_lack_leave_a_metric_out_before_anything_is_fitted() -> None:
    notified: list[str] = []

    def fitted_after(train: Any, users: Any) -> Any:
        assert notified
        return np.tile(train.item_counts.astype(float), (len(users), 1))

    results = ho.run({**BASE, "metrics": ["P@5", "Utility@5"]}, models={"mine": fitted_after}, notify=notified.append)
    assert results.failed == {}
    assert notified == results.left_out
    assert subjects(notified) == ["Utility@5"]


FORMS: list[list[Any]] = [
    ["P@5", {"metric": "HLU", "aggregate": "pooled"}],
    ["P@5", "HLU aggregate=pooled"],
    [ho.metrics.P(n=5), {"metric": ho.metrics.HLU(), "aggregate": ho.aggregations.Pooled()}],
]


@pytest.mark.parametrize("form", FORMS)
def test_a_metric_may_name_its_own_aggregation(form: list[Any], tmp_path: Path) -> None:
    results = ho.run({**BASE, "metrics": form}, out=tmp_path / "out")
    assert [(s.metric, s.aggregate) for s in results.findings.settings] == [("P@5", "mean"), ("HLU", "pooled")]
    pooled = ho.run({**BASE, "metrics": "HLU", "aggregate": "pooled"})
    assert values(results, "HLU", "pooled") == values(pooled, "HLU", "pooled")
    assert values(results, "P@5") == values(ho.run({**BASE, "metrics": "P@5"}), "P@5")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert [text.partition(" aggregate=")[2] for text in manifest["study"]["metrics"]] == ["", "pooled"]
    again = study_from({**BASE, "metrics": manifest["study"]["metrics"]})
    assert [str(a) for m in again.metrics for a in again.aggregations(m)] == ["mean", "pooled"]
    loaded = ho.compare(ho.load(tmp_path / "out"), "wilcoxon")
    assert [(s.metric, s.aggregate) for s in loaded.findings.settings] == [("P@5", "mean"), ("HLU", "pooled")]


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
    assert subjects(left.left_out) == ["RMSE"]
    pl.DataFrame(test).write_csv(tmp_path / "test.csv")
    pl.DataFrame(run).write_csv(tmp_path / "a.csv")
    files = ["--qrels", str(tmp_path / "test.csv"), "--run", str(tmp_path / "a.csv")]
    asked = ["evaluate", *files, "-m", "Recall@2 aggregate=pooled"]
    done = CliRunner().invoke(whole_app(), asked)
    assert done.exit_code == 0, done.output
    assert "0.3333" in done.output


@pytest.mark.parametrize(
    "keys",
    [
        {"metrics": "P@5"},
        {"metrics": "P@5", "target": "OnePlusRandom(5)"},
        {"metrics": "ILD@5"},
        {"metrics": "P@5", "ties": "expected"},
        {"metrics": ["P@5", "nDCG@5"], "unrated": "interval"},
        {"metrics": "nDCG@5", "unrated": ["interval", "zero"]},
    ],
)
def test_what_has_some_value(keys: dict[str, Any]) -> None:
    study_from({**BASE, **keys})


@pytest.mark.parametrize(
    ("keys", "parts"),
    [
        ({"metrics": "nDCG@5", "unrated": "interval"}, {"where": "unrated", "hint": "P, HitRate, RR, DCG, RBP and ERR"}),
        ({"metrics": "ILD@5", "target": "OnePlusRandom(5)"}, {"where": "metrics", "hint": "use AllItems"}),
        ({"metrics": "ILD@5", "unrated": "condense"}, {"where": "metrics", "hint": "use unrated=zero"}),
        (
            {"metrics": "bpref", "target": "targets(relevant=one, nonrelevant=9, corrected=cls)"},
            {"where": "target", "hint": "leave corrected out"},
        ),
        ({"metrics": "bpref", "ties": "expected"}, {"where": "ties", "hint": "use ties=item or random"}),
        (
            {"metrics": "P@5", "unrated": "interval", "ties": "expected"},
            {"where": "ties", "found": ["ties=expected", "unrated=interval"], "hint": "use ties=item or random"},
        ),
        ({"metrics": "P@5", "ties": "file"}, {"where": "ties", "found": "file"}),
    ],
)
def test_what_has_no_value_is_refused(keys: dict[str, Any], parts: dict[str, Any]) -> None:
    with refused(NotApplicableError, **parts):
        study_from({**BASE, **keys})


def test_metrics_that_the_same_lists_leave_without_a_value_share_a_reason() -> None:
    reasons = about_cut({"AUC": {"A": "3 of 9 of A"}, "Spearman": {"A": "3 of 9 of A"}, "NDPM": {"B": "1 of 2 of B"}})
    assert [reason.partition(":")[0] for reason in reasons] == ["AUC, Spearman", "NDPM"]


def test_which_metrics_ask_for_the_rule_of_relevance() -> None:
    asking = {text: asks_relevance(make("metric", text)) for text in ("P@5", "nDCG@5", "nDCG(gain=binary)@5", "RMSE")}
    assert asking == {"P@5": True, "nDCG@5": False, "nDCG(gain=binary)@5": True, "RMSE": False}
    assert [asks_relevance(make("metric", f"HLU(utility={u})")) for u in ("hit", "above_neutral")] == [True, False]
