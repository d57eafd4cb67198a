"""Ratings and runs in memory: frames of any library, dicts, matrices and arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from scipy.sparse import csr_matrix
from tests.data.files import rows
from tests.refusals import refused

import heldout as ho
from heldout import InputError, SpecError, UnknownNameError, read, read_log
from heldout.data.frames import run_from_frame
from heldout.data.memory import InMemory
from heldout.errors import UNKNOWN

COLUMNS: dict[str, list[Any]] = {"user_id": ["a", "b"], "movieId": [3, 1], "rating": [5.0, 4.0], "timestamp": [20, 10]}


def _pandas(columns: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("pandas").DataFrame(columns)


def _arrow(columns: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("pyarrow").table(columns)


def _duckdb(columns: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("duckdb").from_arrow(_arrow(columns))  # a relation does not keep its connection open


@pytest.mark.parametrize(
    "make",
    [pl.DataFrame, pl.LazyFrame, dict, _pandas, _arrow, _duckdb, lambda c: tuple(np.array(v) for v in c.values())],
    ids=["polars", "lazy", "dict", "pandas", "pyarrow", "duckdb", "tuple"],
)
def test_every_kind_of_frame(make: Any) -> None:
    log = read_log(make(COLUMNS))
    assert log.user_id.to_list() == ["a", "b"]
    assert log.item_id.to_list() == [3, 1]
    assert log.value.tolist() == [5.0, 4.0]
    assert log.time is not None and log.time.tolist() == [20, 10]
    assert read(make(COLUMNS)).n_users == 2


def test_columns_may_be_named_or_absent() -> None:
    frame = pl.DataFrame({"who": [1], "what": [2], "rating": [5]})
    assert read_log(frame, user="who", item="what").value.tolist() == [5.0]
    assert read_log(frame, user="who", item="what", value=None).value.tolist() == [1.0]


def test_pandas_dates_become_seconds() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"user": [1], "item": [2], "date": pandas.to_datetime(["2001-09-09 01:46:40"])})
    time = read_log(frame).time
    assert time is not None and time.tolist() == [1_000_000_000]


def test_runs() -> None:
    assert run_from_frame(pl.DataFrame({"user": [1], "item": [2], "rank": [3]})).score.tolist() == [-3.0]
    assert run_from_frame((["u"], ["i"], [0.5])).score.tolist() == [0.5]


@pytest.mark.parametrize(
    ("frame", "parts"),
    [
        (pl.DataFrame({"a": [1], "item": [2]}), {"found": ["a", "item"], "hint": "pass user=<column>"}),
        (
            pl.DataFrame({"user": [1, 2], "item": [2, 3], "rating": [1.0, math.nan]}),
            {"row": 2, "column": "rating", "found": pytest.approx(math.nan, nan_ok=True), "expected": "a finite number"},
        ),
        (
            pl.DataFrame({"user": [1, 2], "item": [2, 3], "rating": [1.0, None]}),
            {"row": 2, "column": "rating", "found": None, "expected": "a finite number"},
        ),
        (
            pl.DataFrame({"user": [1, None], "item": [2, 3]}),
            {"row": 2, "column": "user", "found": None, "expected": "a user id"},
        ),
        (pl.DataFrame({"user": [1.5], "item": [2]}), {"column": "user", "found": pl.Float64, "expected": "as ids"}),
        (
            pl.DataFrame({"user": [1], "item": [2], "rating": [[1]]}),
            {"column": "rating", "found": pl.List(pl.Int64), "expected": "numbers"},
        ),
        (
            pl.DataFrame({"user": [1], "item": [2], "time": [True]}),
            {"column": "time", "found": pl.Boolean, "expected": "seconds"},
        ),
        (
            pl.DataFrame({"user": [], "item": []}, schema={"user": pl.Int64, "item": pl.Int64}),
            {"expected": "at least one row"},
        ),
        ({"user": [1, 2], "item": [1]}, {"found": ["user 2", "item 1"], "expected": "the same length"}),
        (([1],), {"found": 1, "expected": "user, item, value, time"}),
        ({"user": [1, "a"], "item": [1, 2]}, {"expected": "one type each"}),
    ],
)
def test_what_is_wrong_and_where(frame: Any, parts: dict[str, Any]) -> None:
    with refused(InputError, file="frame", **parts):
        read_log(frame)


def test_a_pandas_column_of_several_types() -> None:
    frame = _pandas({"user": [1, "a"], "item": [1, 2]})
    with refused(InputError, column="user", hint="make each column one type"):
        read_log(frame)


class _Stream:
    """A table, or a column, of a library that narwhals does not know, but that speaks Arrow."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


class _HuggingFace:
    """The part of a `datasets.Dataset` that is used: its selection of rows is not in its Arrow table."""

    __module__ = "datasets.arrow_dataset"

    def __init__(self, table: Any, rows: list[int]) -> None:
        self._table, self._rows = table, rows

    def with_format(self, kind: str) -> Any:
        assert kind == "arrow"
        return self

    def __getitem__(self, _: slice) -> Any:
        return self._table.take(self._rows)


class _HuggingFaceParts(dict[str, Any]):
    __module__ = "datasets.dataset_dict"

    def with_format(self, kind: str) -> Any:
        return self


def test_tables_that_speak_arrow() -> None:
    table = _arrow(COLUMNS)
    assert read(_Stream(table)).digest == read(COLUMNS).digest
    assert run_from_frame(_Stream(_arrow({"user": ["u"], "item": ["x"], "score": [0.5]}))).score.tolist() == [0.5]


def test_tables_of_hugging_face() -> None:
    chosen = _HuggingFace(_arrow(COLUMNS), [1])
    assert read(chosen).to_polars().select("user_id", "item_id").rows() == [("b", 1)]
    with refused(InputError, found=["train"], expected="one table", hint='data["train"]'):
        read(_HuggingFaceParts(train=chosen))


def test_a_real_table_of_hugging_face() -> None:
    datasets = pytest.importorskip("datasets")
    table = datasets.Dataset.from_dict(COLUMNS).select([1])
    assert read(table).to_polars().select("user_id", "item_id").rows() == [("b", 1)]


DATES = {"user": ["a", "b"], "item": [3, 1], "date": ["31.12.2020", "01.01.2021"]}


def test_dates_in_texts_are_read_or_the_error_names_time_format(tmp_path: Any) -> None:
    frame = pl.DataFrame(DATES)
    frame.write_csv(tmp_path / "r.csv")
    frame.write_parquet(tmp_path / "r.parquet")
    frame.write_ndjson(tmp_path / "r.jsonl")
    for source in (DATES, frame, *(str(tmp_path / f"r.{ending}") for ending in ("csv", "parquet", "jsonl"))):
        with refused(InputError, column="date", found="31.12.2020", hint='time_format="%d.%m.%Y"'):
            read(source)
        times = read(source, time_format="%d.%m.%Y").time
        assert times is not None and np.diff(times).tolist() == [86_400]


def test_which_columns_were_taken_and_why(tmp_path: Any) -> None:
    table = {"userId": [1], "what": [2], "stars": [5], "title": ["x"]}
    log = read_log(table, item="what")
    assert (
        log.columns_read == "columns by usual names: user is userId, value is stars; as named: item is what; not used: title"
    )
    log = read_log({"user": [1], "item": [2]})
    assert log.columns_read == "columns by usual names: user is user, item is item; no column of values, so each counts 1"
    (tmp_path / "r.csv").write_text("1,2,5\n1,3,4\n")
    assert read_log(str(tmp_path / "r.csv")).columns_read.endswith("taken by their place: user, item, value")
    assert repr(log).startswith("1 row of frame")


def test_a_pandas_index_is_not_looked_into_and_said_so() -> None:
    frame = pytest.importorskip("pandas").DataFrame({"user": [1], "item": [2], "rating": [3.0]}).set_index(["user", "item"])
    with refused(InputError, found=["rating"], hint="its index holds user and item: pass frame.reset_index()"):
        read(frame)
    assert len(read(frame.reset_index())) == 1


EXACT = 2**53
"""EXACT + 1 is the same float64 as EXACT."""


def _columns(role: str, numbers: Any) -> dict[str, Any]:
    return {"user": ["u"] * len(numbers), "item": list("xyz"[: len(numbers)]), role: numbers}


TABLES: dict[str, Callable[[str, list[int]], Any]] = {
    "polars": lambda role, n: pl.DataFrame(_columns(role, n)),
    "unsigned": lambda role, n: pl.DataFrame(_columns(role, pl.Series(n, dtype=pl.UInt64))),
    "decimal": lambda role, n: pl.DataFrame(_columns(role, [Decimal(k) for k in n])),
    "text": lambda role, n: pl.DataFrame(_columns(role, [f" {k}.0" for k in n])),
    "pandas": lambda role, n: _pandas(_columns(role, n)),
    "pandas, objects": lambda role, n: _pandas(_columns(role, n)).astype({role: object}),
    "pandas, nullable": lambda role, n: _pandas(_columns(role, n)).astype({role: "Int64"}),
    "arrow": lambda role, n: _arrow(_columns(role, n)),
    "columns": _columns,
    "columns with a fraction": lambda role, n: _columns(role, [*n, 0.5]),
    "arrays": lambda role, n: (np.array(["u", "u"]), np.array(["x", "y"]), np.array(n)),
    "by user": lambda role, n: {"u": dict(zip("xy", n, strict=True))},
    "by user with a fraction": lambda role, n: {"u": dict(zip("xyz", [*n, 0.5], strict=True))},
    "matrix": lambda role, n: np.array([n]),
    "sparse matrix": lambda role, n: csr_matrix(np.array([n])),
}


TENTH, LONG_TENTH = "0.1", "0.1000000000000000000000001"
"""Different numbers and the same float64."""
LONG_TABLES: dict[str, Callable[[str, list[str]], Any]] = {
    "polars": lambda role, n: pl.DataFrame(_columns(role, pl.Series([Decimal(k) for k in n], dtype=pl.Decimal(38, 30)))),
    "pandas": lambda role, n: _pandas(_columns(role, [Decimal(k) for k in n])),
    "arrow": lambda role, n: _arrow(_columns(role, [Decimal(k) for k in n])),
    "columns": lambda role, n: _columns(role, [Decimal(k) for k in n]),
    "arrays": lambda role, n: (["u", "u"], ["x", "y"], [Decimal(k) for k in n]),
    "by user": lambda role, n: {"u": dict(zip("xy", map(Decimal, n), strict=True))},
    "text": _columns,
}


@pytest.mark.parametrize("role", ["score", "value"])
@pytest.mark.parametrize("kind", LONG_TABLES)
def test_decimals_that_float64_makes_equal_are_refused_from_every_table(kind: str, role: str) -> None:
    read_table: Callable[[Any], Any] = run_from_frame if role == "score" else read_log
    with refused(InputError, row=2, hint="subtract a constant") as refusal:
        read_table(LONG_TABLES[kind](role, [TENTH, LONG_TENTH]))
    assert Decimal(refusal.value.found) == Decimal(LONG_TENTH)  # type: ignore[arg-type]
    for apart in ([TENTH, "0.1000000000000001000000000"], [LONG_TENTH, LONG_TENTH], [TENTH, "0.10"]):
        assert len(read_table(LONG_TABLES[kind](role, apart)).item_id) == 2


@pytest.mark.parametrize("printed", ["0.10000000000000001", "0.1000000000000000055511151231257827", "1e-1"])
def test_one_float64_printed_with_other_digits_is_the_same_number(printed: str) -> None:
    assert len(run_from_frame(_columns("score", [TENTH, printed]))) == 2


def test_decimals_that_polars_does_not_read_are_refused() -> None:
    arrow = pytest.importorskip("pyarrow")
    wide = arrow.array([Decimal(1), Decimal(2)], arrow.decimal256(60, 30))
    with refused(InputError, file="frame", hint="make each column one type"):
        run_from_frame(arrow.table(_columns("score", wide)))


@pytest.mark.parametrize("role", ["score", "value"])
@pytest.mark.parametrize("kind", TABLES)
def test_whole_numbers_that_float64_makes_equal_are_refused_from_every_table(kind: str, role: str) -> None:
    read_table: Callable[[Any], Any] = run_from_frame if role == "score" else read_log
    with refused(InputError, row=2, expected=f"a clear difference from {EXACT}" if kind != "text" else None) as refusal:
        read_table(TABLES[kind](role, [EXACT, EXACT + 1]))
    assert Decimal(refusal.value.found) == EXACT + 1  # type: ignore[arg-type]
    for apart in ([EXACT, EXACT + 2], [EXACT, EXACT], [EXACT - 1, EXACT]):
        assert len(read_table(TABLES[kind](role, apart)).item_id) >= 2


@pytest.mark.parametrize("form", ["pandas", "unused", "pyarrow", "stream"])
def test_columns_of_one_name_are_refused(form: str) -> None:
    pd, pa = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    table = pa.table([[1], [2], [3.0], [4.0]], names=["user", "item", "rating", "rating"])
    frame, column = {
        "pandas": (pd.DataFrame([[1, 2, 3.0, 4.0]], columns=table.column_names), "rating"),
        "unused": (pd.DataFrame([[1, 2, 3.0, 4.0]], columns=["user", "item", "x", "x"]), "x"),
        "pyarrow": (table, None),
        "stream": (_Stream(table), None),
    }[form]
    test = {"user": [1], "item": [2], "rating": [3.0]}
    uses: list[Callable[[], object]] = [
        lambda: ho.read(frame),
        lambda: ho.read(frame, value=None),
        lambda: ho.measure(frame, test, ["P@1"]),
        lambda: ho.measure(test, {"A": frame}, ["P@1"]),
        lambda: ho.run({"data": frame, "split": "ratio", "recommend": ["Popularity"], "metrics": ["P@1"]}),
        lambda: ho.split(frame, "ratio"),
    ]
    for use in uses:
        with refused(InputError, column=column, hint="give them different names"):
            use()


@pytest.mark.parametrize("kind", ["pandas", "polars", "index", "stream"])
def test_a_single_column_is_refused(kind: str) -> None:
    pd, pa = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    pairs = pd.MultiIndex.from_tuples([(1, 2)], names=["user", "item"])
    column: Any = {
        "pandas": pd.Series([1.0]),
        "polars": pl.Series([1.0]),
        "index": pd.Series([1.0], index=pairs),
        "stream": _Stream(pa.chunked_array([[1.0]])),
    }[kind]
    hint = "its index holds user and item: pass series.reset_index()" if kind == "index" else None
    test = {"user": [1], "item": [2], "rating": [3.0]}
    uses: list[Callable[[], object]] = [
        lambda: ho.read(column),
        lambda: ho.measure(column, test, ["P@1"]),
        lambda: ho.measure(test, column, ["P@1"]),
        lambda: ho.run({"data": column, "split": "ratio", "recommend": ["Popularity"], "metrics": ["P@1"]}),
        lambda: ho.split(column, "ratio"),
    ]
    for use in uses:
        with refused(InputError, found=type(column).__name__, expected="a table of users and items", hint=hint):
            use()


def test_columns_of_a_dict_may_be_series_of_pandas() -> None:
    pd = pytest.importorskip("pandas")
    test = {"user": [1, 1], "item": [2, 3], "rating": [3.0, 5.0]}
    lists = {"user": [1, 1], "item": [2, 3], "score": [0.5, 0.7]}
    run = {name: pd.Series(column) for name, column in lists.items()}
    assert ho.measure(test, run, ["P@1"]).equals(ho.measure(test, lists, ["P@1"]))


QRELS = {"u": {"x": 1, "y": 0}, "v": {"x": 2}}
RUN = {"u": {"x": 0.9, "y": 0.5}, "v": {"z": 0.7, "x": 0.1}}
SCORED = {"user": ["u", "u", "v", "v"], "item": ["x", "y", "z", "x"], "score": [0.9, 0.5, 0.7, 0.1]}


def test_dicts_of_dicts_are_ratings() -> None:
    assert rows(read_log(QRELS)) == [("u", "x", 1.0), ("u", "y", 0.0), ("v", "x", 2.0)]
    assert rows(read_log({1: {10: np.float32(5)}, 2: {}, 3: {10: 4}})) == [(1, 10, 5.0), (3, 10, 4.0)]
    assert len(read(QRELS)) == 3


@pytest.mark.parametrize("listed", [["x", "y"], ("x", "y"), np.array(["x", "y"]), pl.Series(["x", "y"])])
def test_lists_by_user_are_items_and_in_runs_ranked(listed: Any) -> None:
    assert rows(read_log({"u": listed, "w": ["z"]})) == [("u", "x", 1.0), ("u", "y", 1.0), ("w", "z", 1.0)]
    assert run_from_frame({"u": listed, "w": ["z"]}).score.tolist() == [-1.0, -2.0, -1.0]


def test_pairs_and_sets_by_user() -> None:
    assert run_from_frame({"u": [("x", 0.2), ("y", 0.9)], "w": []}).score.tolist() == [0.2, 0.9]
    assert rows(read_log({"u": {"x"}, "w": {"y"}})) == [("u", "x", 1.0), ("w", "y", 1.0)]
    with refused(InputError, found="set", expected="a list, best first"):
        run_from_frame({"u": {"x", "y"}})


@pytest.mark.parametrize("make", [sp.csr_matrix, sp.csc_array, sp.coo_matrix, sp.lil_array, sp.dok_matrix])
def test_sparse_matrices(make: Any) -> None:
    matrix = make(np.array([[0, 5, 0], [0, 0, 0], [3, 0, 1]]))
    assert sorted(rows(read_log(matrix))) == [(0, 1, 5.0), (2, 0, 3.0), (2, 2, 1.0)]
    assert len(read(matrix)) == 3
    assert sorted(run_from_frame(matrix).score.tolist()) == [1.0, 3.0, 5.0]
    assert len(ho.evaluate(matrix, matrix, ["RR"], relevance="threshold(1)").tables["all-leaderboards"].frame) == 1
    assert ho.evaluate(matrix, {"A": matrix}, ["RR"], relevance="threshold(1)").tables["all-leaderboards"].frame[
        "system"
    ].to_list() == ["A"]
    study = {"data": make(np.full((4, 5), 2)), "split": "ratio(train=0.6, by=user)", "recommend": "Popularity"}
    assert ho.run({**study, "metrics": "P@1"}).tables["all-leaderboards"].frame["value"].to_list() == [1.0]


def test_zeros_that_a_matrix_stores() -> None:
    matrix = sp.csr_matrix(([5.0, 0.0], ([0, 1], [1, 1])), shape=(2, 2))
    with refused(InputError, found=1, hint="call its eliminate_zeros()"):
        read(matrix)
    assert sorted(run_from_frame(matrix).score.tolist()) == [0.0, 5.0]
    matrix.eliminate_zeros()
    assert len(read(matrix)) == 1
    twice = sp.coo_matrix(([5.0, 4.0], ([0, 0], [1, 1])), shape=(2, 2))
    with refused(InputError, where="frame", found=["0", "1"], expected="each pair once"):
        read(twice)


@pytest.mark.parametrize("make", [pl.DataFrame, pl.LazyFrame, dict, _pandas, lambda c: tuple(c.values()), lambda _: RUN])
@pytest.mark.parametrize("single", [True, False])
def test_a_single_run_needs_no_name(make: Any, single: bool) -> None:
    run = make(SCORED)
    results = ho.evaluate(QRELS, run if single else {"run": run}, ["RR", "P@1"], relevance="threshold(1)")
    assert results.tables["all-leaderboards"].frame["system"].to_list() == ["run", "run"]
    assert results.tables["all-leaderboards"].frame["value"].to_list() == [0.75, 0.5]


def test_a_single_file_and_a_single_list(tmp_path: Path) -> None:
    pl.DataFrame(SCORED).write_csv(tmp_path / "best.csv")
    board = ho.evaluate(QRELS, tmp_path / "best.csv", ["RR"], relevance="threshold(1)").tables["all-leaderboards"].frame
    assert (board["system"][0], board["value"][0]) == ("best", 0.75)
    board = (
        ho.evaluate(QRELS, {"u": ["x", "y"], "v": ["z", "x"]}, ["RR"], relevance="threshold(1)")
        .tables["all-leaderboards"]
        .frame
    )
    assert board["value"][0] == 0.75


def test_studies_take_them_too() -> None:
    drawn = np.random.default_rng(3).random((40, 30)) < 0.3
    by_user = {int(u): {int(i): 1 for i in np.flatnonzero(drawn[u])} for u in range(40)}
    study = {"split": "ratio(train=0.7)", "recommend": "Popularity", "relevance": "threshold(1)", "metrics": "P@3"}
    values = [
        ho.run(study | {"data": data}).tables["all-leaderboards"].frame["value"].to_list()
        for data in (sp.csr_matrix(drawn * 1.0), by_user)
    ]
    assert values[0] == values[1]


@pytest.mark.parametrize(
    ("source", "found", "expected"),
    [
        (np.eye(3), 6, None),
        (np.ones(3), "ndarray", "a path"),
        ([1, 2], "list", "a path"),
        (pl.Series([1]), "Series", "a table of users and items"),
        ({"u": "xyz", "v": "x"}, "str", "a list of items"),
        ({"u": 5, "v": 4}, "int", "a list of items"),
        ({"u": np.eye(2)}, "ndarray", "a list of items"),
        ({"u": {"x": "good"}}, "good", "a finite number"),
        ({"u": {"x": None}}, None, "a finite number"),
        ({"u": {"x": 1}, "v": ["x"]}, 1, "a value for each of 2 items"),
        ({"user": [1, 2], "item": [3, 4], "rating": [0.5, 10**400]}, str(10**400), "a finite number"),
        ({"u": {("a", "b"): 1}}, pl.List(pl.String), "whole numbers or texts as ids"),
        ({"u": {"x": 1}, 7: {"x": 1}}, UNKNOWN, "one type each"),
        ({"u": {"\ud800": 1}}, UNKNOWN, "one type each"),
        ({"user": ["a"], "itm": ["b"]}, ["user", "itm"], None),
        ({"frame": pl.DataFrame({"user": [1]})}, "DataFrame", "a list of items"),
        (sp.csr_matrix(np.array([[1j]])), pl.Object, "numbers"),
        ({}, UNKNOWN, "at least one row"),
    ],
)
def test_anything_else_is_refused_with_a_sentence(source: Any, found: object, expected: str | None) -> None:
    with refused(InputError, found=found, expected=expected):
        read(source)


@pytest.mark.parametrize("runs", [[1, 2], 5, None, np.ones(2), {"A": 5}, {"A": None}, {"x": 0.5, "y": 0.4}])
def test_no_runs_are_refused_with_a_sentence(runs: Any) -> None:
    parts = {} if isinstance(runs, dict) else {"found": type(runs).__name__, "expected": "a run, or runs by name"}
    with refused(InputError, **parts):
        ho.evaluate(QRELS, runs, ["RR"], relevance="threshold(1)")


@pytest.mark.parametrize("run", [np.ones((2, 2)), np.ones((3, 3)), np.array([[2, 0], [1, 2]])])
def test_matrices_of_other_shapes_are_refused(run: Any) -> None:
    """A matrix of item numbers, the best first, would be taken for scores of the first items."""
    test = sp.csr_matrix([[0, 5, 0], [4, 0, 0]])
    with refused(InputError, file="run run", found=run.shape, expected="(2, 3), the shape of the test set"):
        ho.evaluate(test, run, "P@1")
    train = sp.csr_matrix([[1, 0, 0], [0, 1, 0]])
    assert ho.evaluate(test, np.array([[9.0, 3, 2], [3, 9, 2]]), "P@1", train=train).tables["all-leaderboards"].frame[
        "value"
    ].to_list() == [1.0]


SCORES = np.array([[0.9, 0.1, 0.5], [0.2, 0.8, 0.4]])


@pytest.mark.parametrize("as_run", [lambda matrix: matrix, sp.csr_array], ids=["dense", "sparse"])
def test_a_matrix_beside_a_test_set_that_is_none_has_its_users_and_items(as_run: Any) -> None:
    """Row 0 is user 0: users 1 and 2, as a file numbers them, would be judged by the scores of others."""
    run = as_run(SCORES)
    by_row = {"user": [0, 1], "item": [0, 2], "rating": [1, 1]}
    assert ho.measure(by_row, run, "RR")["RR"].to_list() == [1.0, 1 / 2]  # item 2 is second for user 1
    with refused(InputError, file="run run", found=2, expected="users 0 to 1 in the test set"):
        ho.measure({"user": [1, 2], "item": [0, 2], "rating": [1, 1]}, run, "RR")
    with refused(InputError, file="run A", found=3, expected="items 0 to 2", hint="pass scores with their ids"):
        ho.evaluate({"user": [0, 1], "item": [0, 3], "rating": [1, 1]}, {"A": run}, "RR")
    with refused(InputError, file="run A", found="u1", expected="users 0 to 1"):
        ho.evaluate({"u1": {0: 1}}, {"A": run}, "RR")


def test_a_dense_matrix_of_ratings() -> None:
    matrix = np.array([[5.0, np.nan], [np.nan, 3.0]])
    assert read(matrix).to_polars().rows() == [(0, 0, 5.0), (1, 1, 3.0)]
    with refused(InputError, found=2, hint="NaN"):
        read(np.nan_to_num(matrix))


def test_a_dense_matrix_of_scores() -> None:
    run = run_from_frame(np.array([[0.5, -np.inf, 0.0], [np.nan, 2.0, -1.0]]))
    rows = list(zip(run.user_id, run.item_id, run.score.tolist(), strict=True))
    assert rows == [(0, 0, 0.5), (0, 2, 0.0), (1, 1, 2.0), (1, 2, -1.0)]


FRAME = {"user": ["u", "v"], "item": [1, 2], "rating": [3.0, 4.0]}


def test_what_is_read_is_not_what_the_caller_may_still_change() -> None:
    ratings = np.array([3.0, 4.0])
    log = InMemory({**FRAME, "rating": ratings}).read()
    ratings[0] = 99
    assert log.value.tolist() == [3, 4]
    data = read(FRAME)
    log = InMemory(data).read()
    log.value[0] = 99
    assert data.value.tolist() == [3, 4]


def test_ratings_come_back_with_their_ids_times_and_utilities() -> None:
    data = read({**FRAME, "timestamp": [7, 8], "utility": [0.5, 0.25]})
    log = InMemory(data, "mine").read()
    assert log.user_id.to_list() == ["u", "v"] and log.item_id.to_list() == [1, 2] and log.source == "mine"
    assert log.interactions().digest == data.digest
    assert InMemory(data).source_digest() == data.digest


def test_the_digest_is_of_the_content_and_not_of_the_name() -> None:
    digests = {
        InMemory(frame, name).source_digest()
        for frame, name in (
            (FRAME, "a"),
            (FRAME, "b"),
            ({**FRAME, "rating": [3.0, 5.0]}, "a"),
            ({**FRAME, "user": ["v", "u"]}, "a"),
            ({**FRAME, "timestamp": [7, 8]}, "a"),
        )
    }
    assert len(digests) == 4


def test_columns_are_named_for_frames_alone() -> None:
    log = InMemory(
        {"who": ["u"], "what": ["i"], "stars": [4]}, columns={"user": "who", "item": "what", "value": "stars"}
    ).read()
    assert log.user_id.to_list() == ["u"] and log.value.tolist() == [4]
    with refused(UnknownNameError, hint="did you mean user?"):
        InMemory(FRAME, columns={"usr": "who"})
    with refused(SpecError, found=["user"], hint="leave them out"):
        InMemory(read(FRAME), columns={"user": "who"})


def test_merged_pairs_are_still_known_as_merged() -> None:
    """u rated 1 at times 5 and 50: an audit must know, whichever time the pair carries, in any order of rows."""
    rows = {"user": ["v", "u", "u"], "item": [2, 1, 1], "rating": [3.0, 4.0, 1.0], "timestamp": [9, 5, 50]}
    data = read(rows, duplicates="sum")
    again = InMemory(data).read().interactions()
    assert again.time is not None and again.merged_time is not None
    assert (again.time.tolist(), again.merged_time.tolist()) == ([5, 9], [50, 9])
    log = InMemory(data).read()
    backwards = replace(
        log,
        user_id=log.user_id.reverse(),
        item_id=log.item_id.reverse(),
        value=log.value[::-1],
        time=log.time[::-1],  # type: ignore[index]
        merged_time=log.merged_time[::-1],  # type: ignore[index]
    )
    for keep in ("error", "latest"):
        turned = backwards.interactions(keep)  # type: ignore[arg-type]
        assert turned.merged_time is not None and turned.merged_time.tolist() == [50, 9]


@pytest.mark.parametrize("with_training", [False, True])
@pytest.mark.parametrize("ties", ["item", "expected", "trec", "random"])
@pytest.mark.parametrize("absent", [None, np.nan, -np.inf])
def test_a_dense_matrix_is_measured_as_its_cells_in_a_table(absent: float | None, ties: str, with_training: bool) -> None:
    draw = np.random.default_rng(1)
    scores = draw.integers(0, 6, (12, 30)).astype(float)
    if absent is not None:
        scores[draw.random(scores.shape) < 0.2] = absent
    part = draw.integers(0, 4, scores.shape)
    test, train = (_rated(part == number) for number in (1, 2))
    user, item = np.nonzero(np.isfinite(scores))
    table = {"user": user, "item": item, "score": scores[user, item]}
    options: dict[str, Any] = {"train": train} if with_training else {}
    metrics = ["P@5", "nDCG", "nDCG@10", "RR", "AP", "Recall@3"]
    options |= {"ties": ties, "relevance": "threshold(1)"}
    matrix, cells = (ho.measure(test, run, metrics, **options) for run in (scores, table))
    assert matrix.equals(cells)
    matrix, cells = (
        ho.evaluate(test, {"A": run}, [*metrics, "ItemCoverage@5"], **options).tables["all-leaderboards"].frame
        for run in (scores, table)
    )
    assert matrix.equals(cells)


def _rated(cells: Any) -> pl.DataFrame:
    user, item = np.nonzero(cells)
    return pl.DataFrame({"user": user, "item": item, "rating": (user + item) % 3 + 1})
