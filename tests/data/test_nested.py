"""Ratings and runs as other libraries hold them: dicts by user, sparse matrices, a single run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp

import heldout as ho
from heldout import read
from heldout.data.frames import log_from_frame, run_from_frame
from heldout.errors import InputError
from heldout.tables import Log

QRELS = {"u": {"x": 1, "y": 0}, "v": {"x": 2}}
RUN = {"u": {"x": 0.9, "y": 0.5}, "v": {"z": 0.7, "x": 0.1}}
COLUMNS = {"user": ["u", "u", "v", "v"], "item": ["x", "y", "z", "x"], "score": [0.9, 0.5, 0.7, 0.1]}


def rows(found: Log) -> list[tuple[Any, ...]]:
    return list(zip(found.user_id.to_list(), found.item_id.to_list(), found.value.tolist(), strict=True))


def _pandas(columns: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("pandas").DataFrame(columns)


def test_dicts_of_dicts_are_ratings() -> None:
    assert rows(log_from_frame(QRELS)) == [("u", "x", 1.0), ("u", "y", 0.0), ("v", "x", 2.0)]
    assert rows(log_from_frame({1: {10: np.float32(5)}, 2: {}, 3: {10: 4}})) == [(1, 10, 5.0), (3, 10, 4.0)]
    assert len(read(QRELS)) == 3


@pytest.mark.parametrize("listed", [["x", "y"], ("x", "y"), np.array(["x", "y"]), pl.Series(["x", "y"])])
def test_lists_by_user_are_items_and_in_runs_ranked(listed: Any) -> None:
    assert rows(log_from_frame({"u": listed, "w": ["z"]})) == [("u", "x", 1.0), ("u", "y", 1.0), ("w", "z", 1.0)]
    assert run_from_frame({"u": listed, "w": ["z"]}).score.tolist() == [-1.0, -2.0, -1.0]


def test_pairs_and_sets_by_user() -> None:
    assert run_from_frame({"u": [("x", 0.2), ("y", 0.9)], "w": []}).score.tolist() == [0.2, 0.9]
    assert rows(log_from_frame({"u": {"x"}, "w": {"y"}})) == [("u", "x", 1.0), ("w", "y", 1.0)]
    with pytest.raises(InputError, match="the items of user u are a set, which has no order"):
        run_from_frame({"u": {"x", "y"}})


@pytest.mark.parametrize("make", [sp.csr_matrix, sp.csc_array, sp.coo_matrix, sp.lil_array, sp.dok_matrix])
def test_sparse_matrices(make: Any) -> None:
    matrix = make(np.array([[0, 5, 0], [0, 0, 0], [3, 0, 1]]))
    assert sorted(rows(log_from_frame(matrix))) == [(0, 1, 5.0), (2, 0, 3.0), (2, 2, 1.0)]
    assert len(read(matrix)) == 3
    assert sorted(run_from_frame(matrix).score.tolist()) == [1.0, 3.0, 5.0]
    assert len(ho.evaluate(matrix, matrix, ["RR"], relevance="threshold(1)").leaderboard) == 1
    assert ho.evaluate(matrix, {"A": matrix}, ["RR"], relevance="threshold(1)").leaderboard["system"].to_list() == ["A"]
    study = {"data": make(np.full((4, 5), 2)), "split": "ratio(train=0.6, by=user)", "recommend": "Popularity"}
    assert ho.run({**study, "metrics": "P@1"}).leaderboard["value"].to_list() == [1.0]


def test_zeros_that_a_matrix_stores() -> None:
    matrix = sp.csr_matrix(([5.0, 0.0], ([0, 1], [1, 1])), shape=(2, 2))
    with pytest.raises(InputError, match=r"stores 1 zeros: these may be ratings of 0, or no ratings; call its eliminate"):
        read(matrix)
    assert sorted(run_from_frame(matrix).score.tolist()) == [0.0, 5.0]
    matrix.eliminate_zeros()
    assert len(read(matrix)) == 1
    twice = sp.coo_matrix(([5.0, 4.0], ([0, 0], [1, 1])), shape=(2, 2))
    with pytest.raises(InputError, match="repeated"):
        read(twice)


@pytest.mark.parametrize("make", [pl.DataFrame, pl.LazyFrame, dict, _pandas, lambda c: tuple(c.values()), lambda _: RUN])
@pytest.mark.parametrize("single", [True, False])
def test_a_single_run_needs_no_name(make: Any, single: bool) -> None:
    run = make(COLUMNS)
    results = ho.evaluate(QRELS, run if single else {"run": run}, ["RR", "P@1"], relevance="threshold(1)")
    assert results.leaderboard["system"].to_list() == ["run", "run"]
    assert results.leaderboard["value"].to_list() == [0.75, 0.5]


def test_a_single_file_and_a_single_list(tmp_path: Path) -> None:
    pl.DataFrame(COLUMNS).write_csv(tmp_path / "best.csv")
    board = ho.evaluate(QRELS, tmp_path / "best.csv", ["RR"], relevance="threshold(1)").leaderboard
    assert (board["system"][0], board["value"][0]) == ("best", 0.75)
    board = ho.evaluate(QRELS, {"u": ["x", "y"], "v": ["z", "x"]}, ["RR"], relevance="threshold(1)").leaderboard
    assert board["value"][0] == 0.75


def test_studies_take_them_too() -> None:
    drawn = np.random.default_rng(3).random((40, 30)) < 0.3
    by_user = {int(u): {int(i): 1 for i in np.flatnonzero(drawn[u])} for u in range(40)}
    study = {"split": "ratio(train=0.7)", "recommend": "Popularity", "relevance": "threshold(1)", "metrics": "P@3"}
    values = [
        ho.run(study | {"data": data}).leaderboard["value"].to_list() for data in (sp.csr_matrix(drawn * 1.0), by_user)
    ]
    assert values[0] == values[1]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (np.eye(3), "the matrix has 6 zeros"),
        (np.ones(3), "ndarray is no source of ratings"),
        ([1, 2], "list is no source of ratings"),
        (pl.Series([1]), "a Series is a single column"),
        ({"u": "xyz", "v": "x"}, "the items of user u are of type str"),
        ({"u": 5, "v": 4}, "the items of user u are of type int"),
        ({"u": np.eye(2)}, "the items of user u are of type ndarray"),
        ({"u": {"x": "good"}}, "'good' is not a finite number"),
        ({"u": {"x": None}}, "an empty field is not a finite number"),
        ({"u": {"x": 1}, "v": ["x"]}, "some users' items have a value and those of others none"),
        ({"user": [1, 2], "item": [3, 4], "rating": [0.5, 10**400]}, "0' is not a finite number"),
        ({"u": {("a", "b"): 1}}, "ids must be whole numbers or texts"),
        ({"u": {"x": 1}, 7: {"x": 1}}, "make no table"),
        ({"u": {"\ud800": 1}}, "make no table"),
        ({"user": ["a"], "itm": ["b"]}, "no column for the item; found user, itm"),
        ({"frame": pl.DataFrame({"user": [1]})}, "the items of user frame are of type DataFrame"),
        (sp.csr_matrix(np.array([[1j]])), "numbers are expected"),
        ({}, "this frame has no rows"),
    ],
)
def test_anything_else_is_refused_with_a_sentence(source: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(source)


@pytest.mark.parametrize("runs", [[1, 2], 5, None, np.ones(2), {"A": 5}, {"A": None}, {"x": 0.5, "y": 0.4}])
def test_no_runs_are_refused_with_a_sentence(runs: Any) -> None:
    with pytest.raises(InputError, match=r"the runs? .*(is|are) of type \w+; give"):
        ho.evaluate(QRELS, runs, ["RR"], relevance="threshold(1)")


@pytest.mark.parametrize("run", [np.ones((2, 2)), np.ones((3, 3)), np.array([[2, 0], [1, 2]])])
def test_matrices_of_other_shapes_are_refused(run: Any) -> None:
    """A matrix of item numbers, the best first, would be taken for scores of the first items."""
    test = sp.csr_matrix([[0, 5, 0], [4, 0, 0]])
    with pytest.raises(InputError, match=r"run run: this matrix is \d × \d, and that of the test set 2 × 3"):
        ho.evaluate(test, run, "P@1")
    train = sp.csr_matrix([[1, 0, 0], [0, 1, 0]])
    assert ho.evaluate(test, np.array([[9.0, 3, 2], [3, 9, 2]]), "P@1", train=train).leaderboard["value"].to_list() == [1.0]


SCORES = np.array([[0.9, 0.1, 0.5], [0.2, 0.8, 0.4]])


@pytest.mark.parametrize("as_run", [lambda matrix: matrix, sp.csr_array], ids=["dense", "sparse"])
def test_a_matrix_beside_a_test_set_that_is_none_has_its_users_and_items(as_run: Any) -> None:
    """Row 0 is user 0: users 1 and 2, as a file numbers them, would be judged by the scores of others."""
    run = as_run(SCORES)
    by_row = {"user": [0, 1], "item": [0, 2], "rating": [1, 1]}
    assert ho.measure(by_row, run, "RR")["RR"].to_list() == [1.0, 1 / 2]  # item 2 is second for user 1
    with pytest.raises(ho.InputError, match=r"run run: this matrix is 2 × 3: its rows are users 0 to 1, .* has user 2"):
        ho.measure({"user": [1, 2], "item": [0, 2], "rating": [1, 1]}, run, "RR")
    with pytest.raises(ho.InputError, match="columns items 0 to 2, and the test set has item 3; give scores with their ids"):
        ho.evaluate({"user": [0, 1], "item": [0, 3], "rating": [1, 1]}, {"A": run}, "RR")
    with pytest.raises(ho.InputError, match="the test set has user u1"):
        ho.evaluate({"u1": {0: 1}}, {"A": run}, "RR")
