"""The verbs of a notebook, one after the other: read, split, fit, recommend, measure, compare, evaluate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import heldout as ho
from heldout.errors import InputError, NotApplicableError, SpecError, UnknownNameError


def _session(source: object) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame, ho.Results]:
    """The lines of the first page, as a person types them."""
    ratings = ho.read(source)
    split = ho.split(ratings, "ratio(train=0.8, by=user)", seed=1)
    model = ho.fit("EASE(l2=100)", split.train)
    lists = model.recommend(users=None, n=10)
    scores_a = ho.measure(split.test, lists, ["nDCG@10", "Recall@20"], train=split.train)
    popular = ho.fit("Popularity", split.train).recommend(n=10)
    scores_b = ho.measure(split.test, popular, ["nDCG@10", "Recall@20"], train=split.train)
    return scores_a, scores_b, ho.compare(scores_a, scores_b, test="permutation"), ho.evaluate(split.test, lists, "nDCG@10")


def test_the_first_page_runs_as_printed(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    ho.read("simulate(users=80, items=60, ratings=2000)").to_polars().write_csv(path)
    a, _, compared, results = _session(str(path))
    assert a.columns == ["user_id", "nDCG@10", "Recall@20", "length"]
    assert compared.columns[:7] == ["metric", "difference", "low", "high", "effect", "p", "users"]
    assert results.leaderboard["value"].to_list() == pytest.approx([a["nDCG@10"].mean()], abs=1e-12)


def test_the_first_page_says_what_a_study_says(real_data: Callable[[str], Path]) -> None:
    """The same split, models and metrics through `run`, on MovieLens 100k."""
    source = f'movielens("{real_data("ml-100k")}")'
    a, b, compared, _ = _session(source)
    study = {"data": source, "split": "ratio(train=0.8, by=user)", "recommend": ["EASE(l2=100)", "Popularity"], "seed": 1}
    results = ho.run(study | {"metrics": "nDCG@10", "compare": {"tests": "permutation"}})
    board = dict(results.leaderboard.select("system", "value").iter_rows())
    assert a["nDCG@10"].mean() == pytest.approx(board["EASE(l2=100)"], abs=1e-12)
    assert b["nDCG@10"].mean() == pytest.approx(board["Popularity"], abs=1e-12)
    pair, row = compared.row(0, named=True), results.comparisons.row(0, named=True)
    for name in ("difference", "low", "high", "effect", "p"):
        assert pair[name] == pytest.approx(row[name], abs=1e-12), name


# --- split

RATINGS = {"user": ["u"] * 5 + ["v"] * 5, "item": list("abcde") * 2, "rating": [1, 2, 3, 4, 5] * 2}


def test_a_split_of_several_folds_is_iterated() -> None:
    split = ho.split(RATINGS, "folds(5)", seed=3)
    assert len(split) == 5 and [fold.fold for fold in split] == [0, 1, 2, 3, 4]
    assert sum(len(fold.test) for fold in split) == 10 and split[0].train.n_items == 5
    for part in ("train", "test", "validation"):
        with pytest.raises(NotApplicableError, match=f"for fold in split: … fold.{part}"):
            getattr(split, part)


def test_a_split_takes_what_read_takes(tmp_path: Path) -> None:
    frame = pl.DataFrame(RATINGS)
    frame.write_csv(tmp_path / "r.csv")
    splits = [ho.split(source, seed=2) for source in (RATINGS, frame, ho.read(RATINGS), str(tmp_path / "r.csv"))]
    assert len({split.train.digest for split in splits}) == 1


def test_filters_and_validation_of_a_split() -> None:
    split = ho.split(RATINGS, "leave_out(1)", filters=["positive(3)"], validation="leave_out(1)")
    assert (len(split.train), len(split.validation or ()), len(split.test)) == (2, 2, 2)


def test_a_split_and_its_data_swapped() -> None:
    with pytest.raises(SpecError, match=r'ho.split\("ratings.csv", "ratio"\)'):
        ho.split("ratio", "ratings.csv")


# --- fit


def test_lists_of_some_users_by_their_ids() -> None:
    model = ho.fit("Popularity", {"user": [1, 1, 2, 3], "item": list("abac"), "rating": [5, 4, 3, 2]})
    assert model.recommend(users=[3, 1], n=1).rows() == [(1, "c", 1, 1.0), (3, "a", 1, 2.0)]
    assert model.recommend(n=9).filter(pl.col("user_id") == 3)["item_id"].to_list() == ["a", "b"]
    with pytest.raises(InputError, match="there is no user 7 in the training ratings"):
        model.recommend(users=[7])
    with pytest.raises(SpecError, match="at least 1 item"):
        model.recommend(n=0)


def test_the_same_lists_as_recommendations_give() -> None:
    ratings = ho.read("simulate(users=70, items=40, ratings=900)")
    one_way, other = ho.fit("UserKNN(k=5)", ratings).recommend(n=7), ho.recommend("UserKNN(k=5)", ratings, n=7)
    assert one_way.equals(other)


def test_a_recommender_in_three_spellings() -> None:
    ratings = ho.read("simulate(users=30, items=20, ratings=300)")
    popularity = ho.find("recommender", "Popularity")
    frames = [ho.fit(recommender, ratings).recommend(n=3) for recommender in ("Popularity", popularity(), popularity)]
    assert frames[0].equals(frames[1]) and frames[0].equals(frames[2])


def test_a_failing_model_is_named() -> None:
    def broken(train: object, users: object) -> object:
        raise ValueError("out of cheese")

    with pytest.raises(ho.HeldoutError, match="out of cheese"):
        ho.fit(broken, RATINGS).recommend()


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


# --- measure


def test_every_test_user_has_a_row() -> None:
    test = {"user": ["u", "u", "v", "w"], "item": ["a", "b", "a", "c"], "rating": [1, 1, 1, 1]}
    scores = ho.measure(test, {"u": ["a", "x", "b"], "w": ["x"]}, ["P@2", "RR"])
    assert scores.rows() == [("u", 0.5, 1.0, 3), ("v", 0.0, 0.0, 0), ("w", 0.0, 0.0, 1)]


def test_an_undefined_value_is_null() -> None:
    test = {"user": ["u", "v"], "item": ["a", "a"], "rating": [5, 1]}
    scores = ho.measure(test, {"u": ["a"], "v": ["a"]}, "Recall@1", relevance="threshold(4)")
    assert scores["Recall@1"].to_list() == [1.0, None]


def test_what_measure_refuses() -> None:
    test = {"user": ["u"], "item": ["a"], "rating": [1]}
    with pytest.raises(SpecError, match="the lists of one system"):
        ho.measure(test, {"A": {"u": {"a": 1.0}}, "B": {"u": {"a": 1.0}}})
    with pytest.raises(SpecError, match="has one value for all users"):
        ho.measure(test, {"u": ["a"]}, ["P@1", "ItemCoverage@1"])
    with pytest.raises(SpecError, match="2 options"):
        ho.measure(test, {"u": ["a"]}, ties=["item", "trec"])


# --- compare


def test_compare_by_hand() -> None:
    """Differences 1, 2 and 3 have mean 2 and deviation 1: d = 2, t = 2√3."""
    [row] = ho.compare([2, 4, 6], [1, 2, 3], test="t").to_dicts()
    assert row["difference"] == 2 and row["effect"] == pytest.approx(2.0) and row["users"] == 3
    assert row["p"] == pytest.approx(0.0741799) and (row["low"] + row["high"]) / 2 == pytest.approx(2.0)


def test_compare_takes_frames_arrays_dicts_and_results() -> None:
    draw = np.random.default_rng(1)
    a, b = draw.random(30), draw.random(30)
    users = [f"u{k}" for k in range(30)]
    frame_a, frame_b = (pl.DataFrame({"user_id": users, "P@5": x}) for x in (a, b))
    shuffled = frame_b.sample(fraction=1.0, shuffle=True, seed=3)
    by_user = [{u: {"P@5": x} for u, x in zip(users, values, strict=True)} for values in (a, b)]
    answers = [
        ho.compare(a, b),
        ho.compare(frame_a, shuffled),
        ho.compare(*by_user),
        ho.compare(frame_a.to_pandas(), frame_b),
    ]
    assert all(answer["p"].to_list() == answers[0]["p"].to_list() for answer in answers)
    test = {"user": users, "item": ["x"] * 30, "rating": [1] * 30}
    runs = [{u: ["x" if v < 0.5 else "y"] for u, v in zip(users, values, strict=True)} for values in (a, b)]
    of_results = ho.compare(*(ho.evaluate(test, run, "P@1") for run in runs))
    of_frames = ho.compare(*(ho.measure(test, run, "P@1") for run in runs))
    both = ho.evaluate(test, {"A": runs[0], "B": runs[1]}, "P@1", compare={"tests": "permutation"})
    assert of_results.equals(of_frames) and of_frames["p"].to_list() == both.comparisons["p"].to_list()


def test_several_tests_are_several_rows() -> None:
    compared = ho.compare([1.0, 2, 3, 5], [1.0, 1, 1, 1], test=["t", "sign"])
    assert compared["test"].to_list() == ["t", "sign"]


def test_what_compare_refuses() -> None:
    frame = pl.DataFrame({"user_id": [1, 2], "P@5": [0.1, 0.2]})
    with pytest.raises(InputError, match=r"1 user only in the first scores \(first: 2\)"):
        ho.compare(frame, frame.with_columns(user_id=pl.Series([1, 1])).unique("user_id"))
    with pytest.raises(InputError, match="user 1 comes twice"):
        ho.compare(frame.with_columns(user_id=pl.lit(1)), frame)
    with pytest.raises(InputError, match="P@5 and P@10 was measured of one system alone"):
        ho.compare(frame, frame.rename({"P@5": "P@10"}))
    with pytest.raises(UnknownNameError, match="metric of both systems"):
        ho.compare(frame, frame, metric="RR")
    with pytest.raises(InputError, match="a number per user is expected"):
        ho.compare(np.ones((3, 2)), np.ones(3))
    with pytest.raises(InputError, match="no column user_id"):
        ho.compare(frame.rename({"user_id": "x"}), frame)
    with pytest.raises(InputError, match="scores of type int"):
        ho.compare(3, frame)
    test = {"user": ["u"], "item": ["a"], "rating": [1]}
    both = ho.evaluate(test, {"A": {"u": ["a"]}, "B": {"u": ["b"]}}, "P@1")
    with pytest.raises(NotApplicableError, match="2 systems, which they compare themselves"):
        ho.compare(both, both)
    with pytest.raises(SpecError, match="no test is named"):
        ho.compare([1, 2], [2, 3], test="none")


# --- what the command line does, in Python


def test_profile_is_data_describe(tmp_path: Path) -> None:
    table = {"userId": [1, 1, 2], "what": ["a", "b", "a"], "rating": [5, 3, 4]}
    described = ho.profile(ho.read(table, item="what"), ["positive(4)"])
    assert [label for label, _ in described.steps] == ["as read", "positive(threshold=4)"] and described.last.ratings == 2
    assert repr(described).startswith("as read: 3 ratings of 2 users and 2 items, 75.000% of all pairs\npositive")
    pl.DataFrame(table).write_csv(tmp_path / "r.csv")
    with pytest.raises(InputError, match="no column for the item"):
        ho.profile(str(tmp_path / "r.csv"))


def test_convert(tmp_path: Path) -> None:
    rows = {"user": [1, 1, 2], "item": ["a", "a", "b"], "rating": [1, 2, 3]}
    converted = ho.convert(rows, tmp_path / "r.parquet", duplicates="sum")
    assert converted.rows == 3 and ho.read(str(tmp_path / "r.parquet")).value.tolist() == [3.0, 3.0]
    with pytest.raises(SpecError):
        ho.convert(rows, tmp_path / "r.odd")


def test_what_there_is_prints_itself() -> None:
    [(kind, rows)] = ho.list("metrics")
    assert kind == "metrics" and any(name == "nDCG" for name, *_ in rows) and "nDCG" in repr(ho.list("metrics"))
    assert repr(ho.describe("nDCG")).startswith("nDCG (metric") and "Formula" in repr(ho.describe("nDCG"))
    with pytest.raises(UnknownNameError):
        ho.describe("nonsense")


def test_results_of_a_folder(tmp_path: Path) -> None:
    study = {"data": RATINGS, "split": "ratio(train=0.5)", "recommend": "Popularity", "metrics": "P@2"}
    results = ho.run(study, out=tmp_path / "out")
    assert repr(ho.load(tmp_path / "out")) == repr(results)
