"""Tables in memory."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_matrix

import heldout as ho
from heldout import read, read_log
from heldout.data.frames import log_from_frame, run_from_frame
from heldout.errors import InputError

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
    log = log_from_frame(make(COLUMNS))
    assert log.user_id.to_list() == ["a", "b"]
    assert log.item_id.to_list() == [3, 1]
    assert log.value.tolist() == [5.0, 4.0]
    assert log.time is not None and log.time.tolist() == [20, 10]
    assert read(make(COLUMNS)).n_users == 2


def test_columns_may_be_named_or_absent() -> None:
    frame = pl.DataFrame({"who": [1], "what": [2], "rating": [5]})
    assert log_from_frame(frame, user="who", item="what").value.tolist() == [5.0]
    assert log_from_frame(frame, user="who", item="what", value=None).value.tolist() == [1.0]


def test_pandas_dates_become_seconds() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"user": [1], "item": [2], "date": pandas.to_datetime(["2001-09-09 01:46:40"])})
    time = log_from_frame(frame).time
    assert time is not None and time.tolist() == [1_000_000_000]


def test_runs() -> None:
    assert run_from_frame(pl.DataFrame({"user": [1], "item": [2], "rank": [3]})).score.tolist() == [-3.0]
    assert run_from_frame((["u"], ["i"], [0.5])).score.tolist() == [0.5]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pl.DataFrame({"a": [1], "item": [2]}), "no column for the user; found a, item"),
        (pl.DataFrame({"user": [1, 2], "item": [2, 3], "rating": [1.0, float("nan")]}), "row 2: 'nan' is not a finite"),
        (pl.DataFrame({"user": [1, 2], "item": [2, 3], "rating": [1.0, None]}), "row 2: an empty field is not a finite"),
        (pl.DataFrame({"user": [1, None], "item": [2, 3]}), "column 'user': row 2: the user id is missing"),
        (pl.DataFrame({"user": [1.5], "item": [2]}), "column 'user': ids must be whole numbers or texts, found Float64"),
        (pl.DataFrame({"user": [1], "item": [2], "rating": [[1]]}), "column 'rating': numbers are expected, found List"),
        (pl.DataFrame({"user": [1], "item": [2], "time": [True]}), "column 'time': times are expected, found Boolean"),
        (pl.DataFrame({"user": [], "item": []}, schema={"user": pl.Int64, "item": pl.Int64}), "no rows"),
        ({"user": [1, 2], "item": [1]}, "different lengths: user 2, item 1"),
        (([1],), r"a tuple of 1 arrays; expected \(user, item, value, time\)"),
        ({"user": [1, "a"], "item": [1, 2]}, "make no table"),
    ],
)
def test_what_is_wrong_and_where(frame: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        log_from_frame(frame)


def test_a_pandas_column_of_several_types() -> None:
    frame = _pandas({"user": [1, "a"], "item": [1, 2]})
    with pytest.raises(InputError, match="values of several types"):
        log_from_frame(frame)


class _Stream:
    """A table of a library that is not known here, but speaks Arrow."""

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
    with pytest.raises(InputError, match=r'several tables: train; give one of them, such as data\["train"\]'):
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
        with pytest.raises(InputError, match=r"time_format=\"%d.%m.%Y\""):
            read(source)
        times = read(source, time_format="%d.%m.%Y").time
        assert times is not None and np.diff(times).tolist() == [86_400]


def test_which_columns_were_taken_and_why(tmp_path: Any) -> None:
    table = {"userId": [1], "what": [2], "stars": [5], "title": ["x"]}
    log = log_from_frame(table, item="what")
    assert (
        log.columns_read == "columns by usual names: user is userId, value is stars; as named: item is what; not used: title"
    )
    assert "each counts 1" in log_from_frame({"user": [1], "item": [2]}).columns_read
    (tmp_path / "r.csv").write_text("1,2,5\n1,3,4\n")
    assert read_log(str(tmp_path / "r.csv")).columns_read.endswith("taken by their place: user, item, value")
    assert repr(log).startswith("1 row of frame")


def test_a_pandas_index_is_not_looked_into_and_said_so() -> None:
    frame = pytest.importorskip("pandas").DataFrame({"user": [1], "item": [2], "rating": [3.0]}).set_index(["user", "item"])
    with pytest.raises(InputError, match=r"no column for the user.*index holds user and item: give frame.reset_index\(\)"):
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
    read_table: Callable[[Any], Any] = run_from_frame if role == "score" else log_from_frame
    with pytest.raises(InputError, match="are the same number in double precision, and would tie"):
        read_table(LONG_TABLES[kind](role, [TENTH, LONG_TENTH]))
    for apart in ([TENTH, "0.1000000000000001000000000"], [LONG_TENTH, LONG_TENTH], [TENTH, "0.10"]):
        assert len(read_table(LONG_TABLES[kind](role, apart)).item_id) == 2


@pytest.mark.parametrize("printed", ["0.10000000000000001", "0.1000000000000000055511151231257827", "1e-1"])
def test_one_float64_printed_with_other_digits_is_the_same_number(printed: str) -> None:
    assert len(run_from_frame(_columns("score", [TENTH, printed]))) == 2


def test_decimals_that_polars_does_not_read_are_refused() -> None:
    arrow = pytest.importorskip("pyarrow")
    wide = arrow.array([Decimal(1), Decimal(2)], arrow.decimal256(60, 30))
    with pytest.raises(InputError, match="a column holds values of several types, or of one that is not read"):
        run_from_frame(arrow.table(_columns("score", wide)))


@pytest.mark.parametrize("role", ["score", "value"])
@pytest.mark.parametrize("kind", TABLES)
def test_whole_numbers_that_float64_makes_equal_are_refused_from_every_table(kind: str, role: str) -> None:
    read_table: Callable[[Any], Any] = run_from_frame if role == "score" else log_from_frame
    with pytest.raises(InputError, match="are the same number in double precision, and would tie"):
        read_table(TABLES[kind](role, [EXACT, EXACT + 1]))
    for apart in ([EXACT, EXACT + 2], [EXACT, EXACT], [EXACT - 1, EXACT]):
        assert len(read_table(TABLES[kind](role, apart)).item_id) >= 2


def test_an_item_whose_higher_score_float64_lowers_is_an_error() -> None:
    """P@1 was 0: both items had the same score."""
    with pytest.raises(InputError, match=f"the scores {EXACT} and {EXACT + 1} are the same"):
        ho.measure({"u": {"y": 1}}, {"u": {"x": EXACT, "y": EXACT + 1}}, "P@1", relevance="threshold(1)")


class ArrowStream:
    """A table, or a column, of a library that narwhals does not know."""

    def __init__(self, held: Any) -> None:
        self.held = held

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return self.held.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("form", ["pandas", "unused", "pyarrow", "stream"])
def test_columns_of_one_name_are_refused(form: str) -> None:
    pd, pa = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    table = pa.table([[1], [2], [3.0], [4.0]], names=["user", "item", "rating", "rating"])
    frame, what = {
        "pandas": (pd.DataFrame([[1, 2, 3.0, 4.0]], columns=table.column_names), "2 columns are called 'rating'"),
        "unused": (pd.DataFrame([[1, 2, 3.0, 4.0]], columns=["user", "item", "x", "x"]), "2 columns are called 'x'"),
        "pyarrow": (table, "two columns have the same name"),
        "stream": (ArrowStream(table), "two columns have the same name"),
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
        with pytest.raises(InputError, match=f"{what}.*give them different names"):
            use()


@pytest.mark.parametrize("kind", ["pandas", "polars", "index", "stream"])
def test_a_single_column_is_refused(kind: str) -> None:
    pd, pa = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    pairs = pd.MultiIndex.from_tuples([(1, 2)], names=["user", "item"])
    column: Any = {
        "pandas": pd.Series([1.0]),
        "polars": pl.Series([1.0]),
        "index": pd.Series([1.0], index=pairs),
        "stream": ArrowStream(pa.chunked_array([[1.0]])),
    }[kind]
    hint = r"user and item: give series\.reset_index" if kind == "index" else "give a frame"
    test = {"user": [1], "item": [2], "rating": [3.0]}
    uses: list[Callable[[], object]] = [
        lambda: ho.read(column),
        lambda: ho.measure(column, test, ["P@1"]),
        lambda: ho.measure(test, column, ["P@1"]),
        lambda: ho.run({"data": column, "split": "ratio", "recommend": ["Popularity"], "metrics": ["P@1"]}),
        lambda: ho.split(column, "ratio"),
    ]
    for use in uses:
        with pytest.raises(InputError, match=f"is a single column.*{hint}"):
            use()


def test_columns_of_a_dict_may_be_series_of_pandas() -> None:
    pd = pytest.importorskip("pandas")
    test = {"user": [1, 1], "item": [2, 3], "rating": [3.0, 5.0]}
    lists = {"user": [1, 1], "item": [2, 3], "score": [0.5, 0.7]}
    run = {name: pd.Series(column) for name, column in lists.items()}
    assert ho.measure(test, run, ["P@1"]).equals(ho.measure(test, lists, ["P@1"]))
