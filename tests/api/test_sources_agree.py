"""The same ratings in any form give the same numbers, and ids join whether they are numbers or texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import InputError, SpecError

RATINGS = ho.read("simulate(users=40, items=25, ratings=500)").to_polars().drop("time", strict=False)


TEST = RATINGS.filter(pl.int_range(pl.len()) % 3 == 0)


RUN = RATINGS.select("user_id", "item_id").with_columns(score=(pl.int_range(pl.len()) * 7919 % 1000) / 1000)


FORMS: dict[str, Callable[[pl.DataFrame], Any]] = {
    "polars": lambda frame: frame,
    "polars lazy": lambda frame: frame.lazy(),
    "pandas": lambda frame: frame.to_pandas(),
    "pandas without pyarrow": lambda frame: pd.DataFrame(frame.to_dict(as_series=False)),
    "pyarrow": lambda frame: frame.to_arrow(),
    "dict of arrays": lambda frame: {name: frame[name].to_numpy() for name in frame.columns},
    "dict of lists": lambda frame: frame.to_dict(as_series=False),
    "tuple of arrays": lambda frame: tuple(frame[name].to_numpy() for name in frame.columns),
    "tuple of lists": lambda frame: tuple(frame[name].to_list() for name in frame.columns),
    "shuffled": lambda frame: frame.sample(fraction=1.0, shuffle=True, seed=3),
    "other order of columns": lambda frame: frame.select(frame.columns[::-1]),
}


STUDY: dict[str, Any] = {
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "UserKNN(k=5)"],
    "metrics": ["nDCG@5", "P@5"],
    "compare": ["t"],
}


@pytest.mark.parametrize("form", FORMS)
def test_read(form: str) -> None:
    found = ho.read(FORMS[form](RATINGS))
    assert found.digest == ho.read(RATINGS).digest
    assert found.to_polars().equals(RATINGS.sort("user_id", "item_id"))


@pytest.mark.parametrize("form", FORMS)
def test_run(form: str) -> None:
    found = ho.run({**STUDY, "data": FORMS[form](RATINGS)})
    expected = ho.run({**STUDY, "data": RATINGS})
    assert found.tables["all-leaderboards"].frame.equals(expected.tables["all-leaderboards"].frame)
    assert found.tables["all-comparisons"].frame.equals(expected.tables["all-comparisons"].frame)


@pytest.mark.parametrize("form", FORMS)
def test_evaluate(form: str) -> None:
    make = FORMS[form]
    runs = {"A": RUN, "B": RUN.with_columns(score=-pl.col("score"))}
    found = ho.evaluate(make(TEST), {name: make(run) for name, run in runs.items()}, ["nDCG@5", "RR"])
    expected = ho.evaluate(TEST, runs, ["nDCG@5", "RR"])
    assert found.tables["all-leaderboards"].frame.equals(expected.tables["all-leaderboards"].frame)
    assert found.per_user().equals(expected.per_user())


def test_files_agree_with_frames(tmp_path: Path) -> None:
    TEST.write_csv(tmp_path / "test.csv")
    TEST.write_parquet(tmp_path / "test.parquet")
    RUN.write_csv(tmp_path / "run.tsv", separator="\t")
    expected = ho.evaluate(TEST, {"A": RUN}, ["AP"]).tables["all-leaderboards"].frame
    for test in (tmp_path / "test.csv", str(tmp_path / "test.parquet"), ho.readers.Csv(str(tmp_path / "test.csv"))):
        assert ho.evaluate(test, {"A": tmp_path / "run.tsv"}, ["AP"]).tables["all-leaderboards"].frame.equals(expected)
    assert ho.read(tmp_path / "test.csv").digest == ho.read(TEST).digest
    assert ho.evaluate(ho.read(TEST), {"A": RUN}, [ho.metrics.AP()]).tables["all-leaderboards"].frame.equals(expected)


def test_duckdb_tables() -> None:
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.from_arrow(RATINGS.to_arrow())
    assert ho.read(relation).digest == ho.read(RATINGS).digest


@pytest.mark.parametrize(
    ("qrels", "runs", "parts"),
    [
        (5, {"A": RUN}, {"where": "the test set", "found": "int", "expected": "a path"}),
        (
            TEST,
            {"A": RUN.drop("score")},
            {"file": "A", "found": ["user_id", "item_id"], "expected": "a column score or rank"},
        ),
        (TEST, {"A": RUN.head(0)}, {"file": "A", "expected": "at least one row"}),
        (TEST, {"A": pl.concat([RUN.head(2), RUN.head(1)])}, {"file": "A", "row": 3, "hint": "one row for each pair"}),
        (pl.concat([TEST, TEST]), {"A": RUN}, {"expected": "each pair once", "hint": "keep one row for each pair"}),
        ((TEST["user_id"],), {"A": RUN}, {"file": "test set", "found": 1, "expected": "user, item, value, time"}),
        ({"user": [1, 2], "item": [1]}, {"A": RUN}, {"file": "test set", "found": ["user 2", "item 1"]}),
    ],
)
def test_what_is_no_table_is_refused(qrels: Any, runs: Any, parts: dict[str, Any]) -> None:
    with refused(ho.InputError, **parts):
        ho.evaluate(qrels, runs)


@pytest.mark.parametrize(
    ("runs", "kind", "parts"),
    [({"A": 5}, InputError, {"hint": "give a path, a frame or arrays"}), ({}, SpecError, {"where": "runs"})],
)
def test_invalid_runs_are_refused(runs: Any, kind: type[ho.HeldoutError], parts: dict[str, str]) -> None:
    with refused(kind, **parts):
        ho.evaluate(TEST, runs)
