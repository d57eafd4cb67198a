"""Where the inputs of an evaluation came from, and reading them again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.experiment.run_sources import RunSource, recorded_sources, run_sources

TEST = {"u1": {"a": 5, "b": 2}, "u2": {"b": 4}}
TEST_FRAME = pl.DataFrame({"user": ["u1"], "item": ["c"], "rating": [5]})
RUN = {"u1": ["a", "c"], "u2": ["c", "b"]}


def sources(qrels: Any = TEST, run: Any = RUN, *, keep: bool = True, **options: Any) -> Any:
    given = {"items": None, "scores": "order", "descriptions": None} | options
    return run_sources(qrels, {"A": run}, None, **given, keep=keep)


def test_files_are_recorded_as_given_and_tables_by_where_they_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("user,item,score\nu1,a,1\n")
    given = sources(run=file)
    assert given.test == RunSource(kept="inputs/test.parquet")
    assert given.runs["A"] == RunSource(file=str(file)) and given.runs["A"].name == "`a.csv`"
    assert sources(keep=False).test == RunSource()
    assert sources(qrels="simulate(users=9, items=9, ratings=30)").test.name == "`simulate(users=9, items=9, ratings=30)`"


def test_the_record_comes_back(tmp_path: Path) -> None:
    given = sources(descriptions={"A": " by\n hand "})
    assert given.runs["A"].description == "by hand"
    assert recorded_sources(given.record) == given
    assert recorded_sources({}) is None
    with refused(ho.ResultsError, hint="judge the runs again"):
        recorded_sources({"sources": {"test": 3}})


def test_a_pipe_is_kept_as_a_table(tmp_path: Path) -> None:
    """It can be read only once."""
    os.mkfifo(tmp_path / "run.csv")
    assert sources(run=tmp_path / "run.csv").runs["A"] == RunSource(kept="inputs/run-1.parquet")


@pytest.mark.parametrize(
    ("descriptions", "kind", "parts"),
    [
        ({"B": "by hand"}, ho.UnknownNameError, {"where": "descriptions", "found": "B"}),
        ({"A": 3}, ho.SpecError, {"where": "descriptions: A", "found": "int", "expected": "a text"}),
        ("by hand", ho.SpecError, {"where": "descriptions", "found": "str", "expected": "a text for each run"}),
    ],
)
def test_descriptions_are_texts_of_runs(descriptions: Any, kind: type[ho.SpecError], parts: dict[str, str]) -> None:
    with refused(kind, **parts):
        ho.evaluate(TEST, {"A": RUN}, ["RR"], relevance="threshold(4)", descriptions=descriptions)


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an evaluation of files and of a table in memory."""
    monkeypatch.chdir(tmp_path)
    Path("test.csv").write_text("user,item,rating\nu1,a,5\nu1,b,2\nu2,b,4\n")
    Path("a.csv").write_text("user,item,score\nu1,a,2\nu1,c,1\nu2,b,1\n")
    runs = {"A": "a.csv", "B": RUN, "C": {"u1": ["c", "b", "a"], "u2": ["b"]}}
    ho.evaluate("test.csv", runs, ["RR"], relevance="threshold(4)", out="judged")
    return tmp_path / "judged"


TRIED: dict[str, Any] = {"metrics": ["P", "RR"], "depths": [1, 2], "meta": {"samples": 2}}


def test_meta_reads_the_inputs_again(judged: Path) -> None:
    runs = {"A": "a.csv", "B": RUN, "C": {"u1": ["c", "b", "a"], "u2": ["b"]}}
    named = ho.meta(qrels="test.csv", runs=runs, relevance="threshold(4)", **TRIED)
    again = ho.meta(judged, **TRIED)
    assert again.findings.table.equals(named.findings.table)
    assert ho.meta(ho.load(judged), **TRIED).findings.table.equals(named.findings.table)


def test_a_changed_file_is_refused(judged: Path) -> None:
    with Path("a.csv").open("a") as file:
        file.write("u2,a,3\n")
    with refused(ho.ResultsError, where="a.csv", hint="name the files: ho.meta"):
        ho.meta(judged, **TRIED)


def test_a_missing_file_is_refused(judged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    with refused(ho.ResultsError, where="judged", hint="call it in the folder where"):
        ho.meta(judged, **TRIED)


def test_a_changed_table_is_refused(judged: Path) -> None:
    table = judged / "inputs" / "run-2.parquet"
    pl.read_parquet(table).with_columns(score=-pl.col("score")).write_parquet(table)
    with refused(ho.ResultsError, where="run-2.parquet", hint="delete this file and run the study again"):
        ho.meta(judged, **TRIED)
    assert ho.verify(judged).filter(pl.col("problem") != "")["file"].to_list() == ["inputs/run-2.parquet"]


def test_runs_that_were_judged_are_not_made_again(judged: Path) -> None:
    for option in ({"seeds": [2]}, {"models": {"A": object()}}, {"train": TEST_FRAME}):
        with refused(ho.SpecError, where=next(iter(option)), hint="leave it out"):
            ho.meta(judged, **TRIED, **option)
    with refused(ho.ResultsError, where="judged", hint="name a study file"):
        ho.bias(judged)
    in_memory = ho.evaluate(TEST, {"A": RUN}, ["RR"], relevance="threshold(4)")
    with refused(ho.ResultsError, hint="keep them: ho.evaluate(…, out=folder)"):
        ho.meta(in_memory, **TRIED)
