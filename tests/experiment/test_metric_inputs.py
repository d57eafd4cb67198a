"""Metrics that need more than ranks, through whole studies: lists, training ratings, tables of items, scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import NotApplicableError

DATA = "simulate(users=120, items=80, ratings=3000)"
BASE: dict[str, Any] = {"data": DATA, "split": "ratio(train=0.7, by=user)", "recommend": ["Popularity", "AverageRating"]}


def values(results: Any, metric: str) -> dict[str, float]:
    board = results.tables["all-leaderboards"].frame.filter(pl.col("metric") == metric)
    return dict(zip(board["system"], board["value"], strict=True))


@pytest.fixture(scope="module")
def split() -> Any:
    data = ho.make("reader", DATA).read().interactions()
    return next(ho.make("split", BASE["split"]).split(data, seed=1))


def test_a_metric_of_whole_systems_has_a_value_and_no_test() -> None:
    asked = {"metrics": ["nDCG@5", "ItemCoverage@5"], "objectives": ["ItemCoverage@5"], "aggregate": ["mean", "median"]}
    results = ho.run({**BASE, **asked})
    board = results.tables["all-leaderboards"].frame.filter(pl.col("metric") == "ItemCoverage@5")
    assert len(board) == 2  # once, whatever the aggregations
    assert board["low"].null_count() == 2
    found = [
        row for row in results.findings.comparisons if results.findings.settings[row.setting].metric == "ItemCoverage@5"
    ]
    assert all(row.p is None and row.wins == row.losses == 0 for row in found)
    assert {row.reason for row in found} == {"it is one number for a whole system, so there are no users to compare"}


def test_whole_systems_are_measured_on_the_users_who_are_tested(split: Any) -> None:
    """Popularity recommends its top five less what a user knows; the union over fewer users is smaller or equal."""
    results = ho.run({**BASE, "users": ["with_test", "with_train(min=30)"], "metrics": ["ItemCoverage@5", "P@5"]})
    order = np.argsort(-split.train.item_counts, kind="stable")
    for rule, tested in (
        ("with_test(min=1)", split.test.user_counts > 0),
        ("with_test + with_train(min=30)", (split.train.user_counts >= 30) & (split.test.user_counts > 0)),
    ):
        met = set()
        for user in np.flatnonzero(tested):
            own = set(split.train.item[split.train.user_indptr[user] : split.train.user_indptr[user + 1]].tolist())
            met |= set([i for i in order.tolist() if i not in own][:5])
        board = results.tables["all-leaderboards"].frame.filter(
            (pl.col("metric") == "ItemCoverage@5") & (pl.col("system") == "Popularity")
        )
        short = rule if rule in board["users"].to_list() else rule.replace("(min=1)", "")
        found = board.filter(pl.col("users") == short)["value"].item()
        assert found == pytest.approx(len(met) / split.train.n_items)


def test_the_global_curve_is_that_of_all_pairs(split: Any) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    found = values(ho.run({**BASE, "metrics": ["P@5", "GROC", "GPR"]}), "GROC")["Popularity"]
    scores, relevant = [], []
    for user in np.flatnonzero(split.test.user_counts):
        own = split.train.item[split.train.user_indptr[user] : split.train.user_indptr[user + 1]]
        mine = slice(split.test.user_indptr[user], split.test.user_indptr[user + 1])
        liked = split.test.item[mine][split.test.value[mine] >= 4]
        others = np.setdiff1d(np.arange(split.train.n_items), own)
        scores += split.train.item_counts[others].tolist()
        relevant += np.isin(others, liked).tolist()
    assert found == pytest.approx(metrics.roc_auc_score(relevant, scores))


def test_rating_errors_over_users_and_over_ratings(split: Any) -> None:
    study = {**BASE, "recommend": ["AverageRating"], "metrics": ["RMSE", "MAE"], "aggregate": ["mean", "pooled"]}
    board = ho.run(study).tables["all-leaderboards"].frame.filter(pl.col("aggregate") == "pooled")
    counts = split.train.item_counts
    mean = np.bincount(split.train.item, split.train.value, split.train.n_items) / np.maximum(counts, 1)
    known = counts[split.test.item] > 0
    error = (mean[split.test.item] - split.test.value)[known]
    found = dict(zip(board["metric"], board["value"], strict=True))
    assert found["MAE"] == pytest.approx(np.abs(error).mean(), rel=1e-6)
    assert found["RMSE"] == pytest.approx(np.sqrt((error**2).mean()), rel=1e-6)


@pytest.mark.parametrize(
    ("metric", "named", "parts"),
    [
        ("RMSE", "RMSE", {"where": "metrics", "found": ["RMSE of Popularity: its scores are not on the rating scale"]}),
        ("Utility@5", "Utility@5", {"where": "Utility@5", "hint": "utility=<column>"}),
        ("ILD(features=genres)@5", "ILD(features=genres)@5", {"hint": 'table="items.csv"'}),
        ("P(ips, propensity=column(p))@5", "propensity=column(column=p))@5", {"hint": 'table="items.csv"'}),
    ],
)
def test_what_cannot_be_measured_says_why(metric: str, named: str, parts: dict[str, Any]) -> None:
    with refused(NotApplicableError, **parts) as refusal:
        ho.run({**BASE, "recommend": ["Popularity"], "metrics": [metric]})
    assert named in str(refusal.value)


def test_scores_that_users_do_not_share_make_no_global_curve() -> None:
    with refused(
        NotApplicableError,
        where="metrics",
        found=["GROC of ItemKNN(k=10): its scores are not comparable across users"],
        expected="a metric that applies to a system of the study",
    ):
        ho.run({**BASE, "recommend": ["ItemKNN(k=10)"], "metrics": ["GROC"]})
    with refused(
        NotApplicableError,
        where="metrics",
        found=["GROC needs all candidates of a user in one list, which TestRatings does not make"],
        expected="a metric that applies to a system of the study",
    ):
        ho.run({**BASE, "target": "TestRatings", "metrics": ["GROC"]})


def test_tables_of_items_lie_beside_the_study(tmp_path: Path) -> None:
    items = pl.DataFrame({"item_id": np.arange(1, 81), "genre": [f"g{k % 4}" for k in range(80)], "p": 0.5})
    items.write_csv(tmp_path / "items.csv")
    file = tmp_path / "study.toml"
    measures = '["ILD(features=genre, table=\\"items.csv\\")@5", "P(ips, propensity=column(p, \\"items.csv\\"))@5", "P@5"]'
    file.write_text(
        f'data = "{DATA}"\nsplit = "{BASE["split"]}"\nrecommend = ["Popularity", "AverageRating"]\nmetrics = {measures}\n'
    )
    results = ho.run(file, out=tmp_path / "out")
    board = results.tables["all-leaderboards"].frame
    assert board.filter(pl.col("metric").str.starts_with("ILD"))["value"].is_between(0, 1).all()
    plain = values(results, "P@5")
    ips = {
        r["system"]: r["value"] for r in board.filter(pl.col("metric").str.starts_with("P(estimate")).iter_rows(named=True)
    }
    assert ips == {name: pytest.approx(2 * value) for name, value in plain.items()}
    # another table is another study: nothing of the first is taken for it
    items.with_columns(p=pl.lit(0.25)).write_csv(tmp_path / "items.csv")
    again = (
        ho.run(file, out=tmp_path / "out")
        .tables["all-leaderboards"]
        .frame.filter(pl.col("metric").str.starts_with("P(estimate"))
    )
    assert dict(zip(again["system"], again["value"], strict=True)) == {n: pytest.approx(4 * v) for n, v in plain.items()}


def test_propensities_of_ratings_are_read_from_a_table_of_pairs(tmp_path: Path) -> None:
    """Even users' ratings have 1/2, odd ones' 1/4: a user's hits count two or four times."""
    pairs = pl.DataFrame({"user_id": np.arange(1, 201)}).join(pl.DataFrame({"item_id": np.arange(1, 81)}), how="cross")
    pairs = pairs.with_columns(p=pl.when(pl.col("user_id") % 2 == 0).then(0.5).otherwise(0.25))
    pairs.write_csv(tmp_path / "pairs.csv")
    ips = f'P(ips, propensity=column(p, "{tmp_path / "pairs.csv"}"))@5'
    found = ho.run({**BASE, "recommend": ["Popularity"], "metrics": [ips, "P@5"]}).per_user()
    weighed = next(found[name].to_numpy() for name in found.columns if name.startswith("P(estimate=ips"))
    plain, even = found["P@5"].to_numpy(), (found["user_id"].cast(pl.Int64) % 2 == 0).to_numpy()
    assert plain[even].any() and plain[~even].any()
    np.testing.assert_allclose(weighed, plain * np.where(even, 2, 4))


def test_curves_are_kept_with_the_results(tmp_path: Path) -> None:
    study = {**BASE, "split": "folds(2)", "metrics": ["P@5", "CROC", "UPR"]}
    first = ho.run(study, out=tmp_path / "out")
    again = ho.run(study, out=tmp_path / "out")
    assert len(first.findings.curves) == 2 * 2
    assert first.findings.curves == again.findings.curves
    assert type(first.findings).from_dict(first.findings.to_dict()).curves == first.findings.curves
    charts = [block for section in first.document.sections if section.id == "curves" for block in section.blocks]
    titles = {chart.name: chart.title for chart in charts if chart.name.startswith("curve")}
    assert titles == {"curve": "Curve of CROC", "curve-upr": "Curve of UPR"}
    page = first.to_html()
    assert all(f'id="figure-{name}"' in page for name in titles)


def test_notices_about_metrics() -> None:
    study = {**BASE, "recommend": ["AverageRating"], "metrics": ["bpref", "nDCG@500", "RMSE"], "relevance": "threshold(1)"}
    codes = {n.code: n.message for n in ho.run(study).findings.notices}
    assert "bpref cannot tell unrated items from disliked ones" in codes["HO302"]
    assert "nDCG@500 looks beyond the candidates" in codes["HO304"]
    assert "Users whose RMSE is undefined are left out" in codes["HO305"]
    ones = {**BASE, "filters": [["binarise(1)"]], "relevance": "threshold(1)", "metrics": ["nDCG@5", "nDCG(gain=binary)@5"]}
    found = {n.code: n.message for n in ho.run(ones).findings.notices}
    assert found["HO303"].endswith("are equal: nDCG@5 cannot grade")


def test_undefined_errors_are_left_out() -> None:
    """A user none of whose test items was rated in training has no error; 0 would be the best one."""
    results = ho.run({**BASE, "recommend": ["AverageRating"], "metrics": ["RMSE"], "undefined": ["zero", "skip"]})
    assert results.tables["all-leaderboards"].frame["undefined"].to_list() == ["skip"]


def runs_of(split: Any) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    test, train = split.test.to_polars(), split.train.to_polars()
    mean = train.group_by("item_id").agg(score=pl.col("value").mean())
    return test, train, test.select("user_id", "item_id").join(mean, on="item_id", how="inner")


def test_runs_have_lists_and_scores_too(split: Any) -> None:
    test, train, run = runs_of(split)
    mean = run.select("item_id", "score").unique("item_id")
    run = test.select("user_id").unique(maintain_order=True).join(mean, how="cross")  # every candidate of every user
    results = ho.evaluate(
        test, {"mean": run}, ["ARP@5", "Recall(snips)@5", "CROC", "RMSE", "GROC"], train=train, scores="ratings"
    )
    found = dict(
        zip(
            results.tables["all-leaderboards"].frame["metric"],
            results.tables["all-leaderboards"].frame["value"],
            strict=True,
        )
    )
    assert found["ARP@5"] > 1
    assert 0 < found["RMSE"] < 2
    assert 0.5 < found["GROC"] <= 1
    assert len(results.findings.curves) == 2
    with refused(NotApplicableError, where="RMSE", hint="a system that predicts ratings"):
        ho.evaluate(test, {"mean": run}, ["RMSE"], train=train)
    with refused(NotApplicableError, hint="train=…"):
        ho.evaluate(test, {"mean": run}, ["ARP@5"])
    with refused(ho.UnknownNameError, where="scores", hint="known: comparable, order, ratings"):
        ho.evaluate(test, {"mean": run}, ["P@5"], scores="stars")


def test_ties_are_counted_for_all_users_where_a_metric_looks_at_them(split: Any) -> None:
    """Popularity ties many items: AUC counts them half, as scikit-learn does, and τ-b keeps them, as scipy does."""
    metrics, stats = pytest.importorskip("sklearn.metrics"), pytest.importorskip("scipy.stats")
    results = ho.run({**BASE, "recommend": ["Popularity"], "metrics": ["AUC", "KendallTau"], "undefined": "skip"})
    auc, tau = [], []
    counts = split.train.item_counts
    for user in np.flatnonzero(split.test.user_counts):
        own = split.train.item[split.train.user_indptr[user] : split.train.user_indptr[user + 1]]
        mine = slice(split.test.user_indptr[user], split.test.user_indptr[user + 1])
        item, value = split.test.item[mine], split.test.value[mine]
        others = np.setdiff1d(np.arange(split.train.n_items), own)
        relevant = np.isin(others, item[value >= 4])
        if relevant.any():
            auc.append(metrics.roc_auc_score(relevant, counts[others]))
        if len(set(value)) > 1 and len(set(counts[item])) > 1:
            tau.append(stats.kendalltau(counts[item], value).statistic)
    assert values(results, "AUC")["Popularity"] == pytest.approx(np.mean(auc))
    assert values(results, "KendallTau")["Popularity"] == pytest.approx(np.mean(tau))


def test_lists_of_samples_follow_the_rule_of_relevance_they_were_drawn_under() -> None:
    keys: dict[str, Any] = {
        "data": "simulate(users=80, items=60, ratings=1500)",
        "split": "ratio(train=0.6)",
        "recommend": ["Random"],
        "target": "targets(nonrelevant=5)",
        "metrics": ["P@3", "ARP@3"],
    }

    def popularity(rules: list[str]) -> dict[str, list[float]]:
        frame = ho.run({**keys, "relevance": rules}).per_user()
        return {str(rule): part["ARP@3"].to_list() for (rule,), part in frame.group_by("relevance", maintain_order=True)}

    both = popularity(["threshold(3)", "threshold(5)"])
    assert both["threshold(tau=3)"] != both["threshold(tau=5)"]
    for rule in ("threshold(3)", "threshold(5)"):
        ((name, alone),) = popularity([rule]).items()
        assert both[name] == alone


def test_coverage_under_popularity_classes_is_that_of_the_lists_as_they_are_judged() -> None:
    keys = {
        "data": "simulate(users=80, items=60, ratings=1500)",
        "split": "ratio(train=0.6)",
        "recommend": ["UserKNN(k=2)"],
        "target": "P1R(5, percentiles=3)",
        "metrics": ["P@3", "Filled@1"],
    }
    made, condensed = (ho.run({**keys, "unrated": rule}).per_user() for rule in ("zero", "condense"))
    assert condensed["length"].to_list() == condensed["Filled@1"].to_list()  # the relevant item alone, where it is ranked
    assert 0 < condensed["length"].mean() < made["length"].mean()


def test_popularity_classes_too_small_for_the_sample_are_told() -> None:
    keys = {"data": DATA, "split": "leave_out(1)", "recommend": ["Random"], "metrics": "HitRate@3"}
    told = [n for n in ho.run({**keys, "target": "P1R(7, percentiles=10)"}).findings.notices if n.code == "HO209"]
    assert len(told) == 1
    assert "samples 7 items, and" in told[0].message
    assert not [n for n in ho.run({**keys, "target": "P1R(2, percentiles=2)"}).findings.notices if n.code == "HO209"]
