"""`compare` of results and folders, `compare_users` of columns and frames."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import InputError, NotApplicableError, SpecError, UnknownNameError

# --- compare


def test_compare_by_hand() -> None:
    """Differences 1, 2 and 3 have mean 2 and deviation 1: d = 2, t = 2√3."""
    [row] = ho.compare_users([2, 4, 6], [1, 2, 3], "t").to_dicts()
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
        ho.compare_users(a, b),
        ho.compare_users(frame_a, shuffled),
        ho.compare_users(*by_user),
        ho.compare_users(frame_a.to_pandas(), frame_b),
    ]
    assert all(answer["p"].to_list() == answers[0]["p"].to_list() for answer in answers)
    test = {"user": users, "item": ["x"] * 30, "rating": [1] * 30}
    runs = [{u: ["x" if v < 0.5 else "y"] for u, v in zip(users, values, strict=True)} for values in (a, b)]
    of_results = ho.compare_users(*(ho.evaluate(test, run, "P@1") for run in runs))
    of_frames = ho.compare_users(*(ho.measure(test, run, "P@1") for run in runs))
    both = ho.evaluate(test, {"A": runs[0], "B": runs[1]}, "P@1", compare={"tests": "permutation"})
    assert of_results.equals(of_frames) and of_frames["p"].to_list() == both.tables["all-comparisons"].frame["p"].to_list()


def test_several_tests_are_several_rows() -> None:
    compared = ho.compare_users([1.0, 2, 3, 5], [1.0, 1, 1, 1], ["t", "sign"])
    assert compared["test"].to_list() == ["t", "sign"]


def test_metrics_of_two_systems_are_named_as_anywhere() -> None:
    frame = pl.DataFrame({"user_id": [1, 2, 3], "P@5": [0.2, 0.4, 0.6], "P@10": [0.1, 0.1, 0.3], "RR": [1.0, 0.5, 0.2]})
    other = frame.with_columns(pl.col("P@5", "P@10") / 2)
    assert ho.compare_users(frame, other, metrics="P@5,10")["metric"].to_list() == ["P@5", "P@10"]
    assert ho.compare_users(frame, other, metrics=["recip_rank", ho.metrics.P(n=5)])["metric"].to_list() == ["RR", "P@5"]


def test_a_folder_or_results_alone_are_compared_again(tmp_path: Path) -> None:
    """As `heldout compare` does: what is not named stays, and nothing is fitted."""
    study = {"data": "simulate(users=40, items=30, ratings=500)", "split": "ratio", "recommend": ["Popularity", "Random"]}
    results = ho.run({**study, "metrics": ["P@5", "RR"]}, out=tmp_path)
    again = ho.compare(tmp_path, {"tests": "sign", "correction": "none"}, metrics="RR")
    assert again.tables["all-comparisons"].frame["test"].unique().to_list() == ["sign"]
    of_results = ho.compare(results, {"tests": "sign", "correction": "none"}, metrics="RR")
    assert again.tables["all-comparisons"].frame.equals(of_results.tables["all-comparisons"].frame)
    assert again.verdict == of_results.verdict


def test_two_systems_and_a_folder_are_compared_by_their_own_verbs() -> None:
    for table in ({"correction": "holm"}, {"baseline": "A"}):
        with pytest.raises(SpecError) as error:
            ho.compare_users([1, 2], [2, 3], table)  # type: ignore[arg-type]
        assert error.value.where == f"compare.{next(iter(table))}"
    of_users = "ho.compare_users(scores_a, scores_b)"
    with refused(SpecError, where="compare", hint=of_users):
        ho.compare([1, 2], [2, 3])  # type: ignore[arg-type]
    with refused(SpecError, where="scores_a", hint=of_users):
        ho.compare(**{"scores_a": [1, 2], "scores_b": [2, 3]})
    with refused(SpecError, where="test", hint='ho.compare(results, "wilcoxon")'):
        ho.compare("results", **{"test": "sign"})


def test_lists_are_measured_before_they_are_compared() -> None:
    run = {"u": {"a": 0.9, "b": 0.5}, "v": {"a": 0.3, "c": 0.2}}
    measured = "measure lists first, ho.measure(qrels, lists, metrics)"
    with refused(InputError, file="scores_a", expected="the same metrics for each user", hint=measured):
        ho.compare_users(run, run)
    lists = pl.DataFrame({"user_id": [1, 2], "item_id": [7, 7], "rank": [1, 1], "score": [0.5, 0.4]})
    with refused(InputError, file="scores_a", column="item_id", hint=measured):
        ho.compare_users(lists, lists)


def test_what_compare_refuses() -> None:
    frame = pl.DataFrame({"user_id": [1, 2], "P@5": [0.1, 0.2]})
    with refused(InputError, file="the first scores", found=2, hint="the same test set"):
        ho.compare_users(frame, frame.with_columns(user_id=pl.Series([1, 1])).unique("user_id"))
    with refused(InputError, file="the first scores", found=1, expected="one row for each user"):
        ho.compare_users(frame.with_columns(user_id=pl.lit(1)), frame)
    with refused(InputError, where="metrics", found=["P@5", "P@10"]):
        ho.compare_users(frame, frame.rename({"P@5": "P@10"}))
    with refused(UnknownNameError, found="RR", hint="known: P@5"):
        ho.compare_users(frame, frame, metrics="RR")
    with refused(InputError, file="scores_a", found="an array of float64 and shape (3, 2)"):
        ho.compare_users(np.ones((3, 2)), np.ones(3))
    with refused(InputError, file="scores_a", column="user_id", found=["x", "P@5"]):
        ho.compare_users(frame.rename({"user_id": "x"}), frame)
    with refused(InputError, file="scores_a", found="int", hint="a frame of ho.measure"):
        ho.compare_users(3, frame)
    test = {"user": ["u"], "item": ["a"], "rating": [1]}
    both = ho.evaluate(test, {"A": {"u": ["a"]}, "B": {"u": ["b"]}}, "P@1")
    with refused(NotApplicableError, where="scores_a", found=["A", "B"], expected="one system"):
        ho.compare_users(both, both)
    with refused(SpecError, where="compare", hint='compare="permutation"'):
        ho.compare_users([1, 2], [2, 3], "none")
