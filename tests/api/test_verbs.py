"""The verbs of a notebook, one after the other: read, split, fit, recommend, measure, compare, evaluate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import heldout as ho


def _session(source: object) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame, ho.Results]:
    """The lines of the first page, as a person types them."""
    ratings = ho.read(source)
    split = ho.split(ratings, "ratio(train=0.8, by=user)", seed=1)
    model = ho.fit("EASE(l2=100)", split.train)
    lists = model.recommend(users=None, n=10)
    scores_a = ho.measure(split.test, lists, ["nDCG@10", "Recall@20"], train=split.train)
    popular = ho.fit("Popularity", split.train).recommend(n=10)
    scores_b = ho.measure(split.test, popular, ["nDCG@10", "Recall@20"], train=split.train)
    return scores_a, scores_b, ho.compare_users(scores_a, scores_b, "permutation"), ho.evaluate(split.test, lists, "nDCG@10")


def test_the_first_page_runs_as_printed(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    ho.read("simulate(users=80, items=60, ratings=2000)").to_polars().write_csv(path)
    a, _, compared, results = _session(str(path))
    assert a.columns == ["user_id", "nDCG@10", "Recall@20", "length"]
    assert compared.columns[:7] == ["metric", "difference", "low", "high", "effect", "p", "users"]
    assert results.tables["all-leaderboards"].frame["value"].to_list() == pytest.approx([a["nDCG@10"].mean()], abs=1e-12)


def test_the_first_page_says_what_a_study_says(real_data: Callable[[str], Path]) -> None:
    """The same split, models and metrics through `run`, on MovieLens 100k."""
    source = f'movielens("{real_data("ml-100k")}")'
    a, b, compared, _ = _session(source)
    study = {"data": source, "split": "ratio(train=0.8, by=user)", "recommend": ["EASE(l2=100)", "Popularity"], "seed": 1}
    results = ho.run(study | {"metrics": "nDCG@10", "compare": {"tests": "permutation"}})
    board = dict(results.tables["all-leaderboards"].frame.select("system", "value").iter_rows())
    assert a["nDCG@10"].mean() == pytest.approx(board["EASE(l2=100)"], abs=1e-12)
    assert b["nDCG@10"].mean() == pytest.approx(board["Popularity"], abs=1e-12)
    pair, row = compared.row(0, named=True), results.tables["all-comparisons"].frame.row(0, named=True)
    for name in ("difference", "low", "high", "effect", "p"):
        assert pair[name] == pytest.approx(row[name], abs=1e-12), name


# --- split

RATINGS = {"user": ["u"] * 5 + ["v"] * 5, "item": list("abcde") * 2, "rating": [1, 2, 3, 4, 5] * 2}


# --- printing


def test_tables_splits_and_models_print_themselves() -> None:
    split = ho.split(RATINGS, "leave_out(1)")
    model = ho.fit("Popularity", split.train)
    assert repr(split.train).startswith("8 ratings of 2 users and 5 items, values 1 to 5")
    assert "user_id" in repr(split.train) and "array" not in repr(split.train)
    assert "  test       2 ratings of 2 users" in repr(split) and repr(split).startswith("leave_out")
    assert repr(model).startswith("Popularity, fitted on 8 ratings of 2 users")
    for table in (split.train, split, split[0], model):
        assert table._repr_html_().startswith("<p>")


def test_results_of_a_folder(tmp_path: Path) -> None:
    study = {"data": RATINGS, "split": "ratio(train=0.5)", "recommend": "Popularity", "metrics": "P@2"}
    results = ho.run(study, out=tmp_path / "out")
    assert repr(ho.load(tmp_path / "out")) == repr(results)
