"""Which files are streamed, and how a wrong source is named."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from tests.experiment.stream.sharded import evaluated
from tests.refusals import refused

import heldout as ho
from heldout.data.parquet_files import open_files
from heldout.errors import InputError, NotApplicableError, SpecError
from heldout.experiment.stream.sources import inspect, open_sources, streams

RATED = {"user": "auto", "item": "auto", "value": "auto"}
RUN = {"user": "auto", "item": "auto", "score": "auto"}


def test_it_is_chosen_by_the_files(tmp_path: Path) -> None:
    frame = evaluated().test
    frame.write_parquet(tmp_path / "a.parquet")
    one, many = str(tmp_path / "a.parquet"), str(tmp_path / "*.parquet")
    assert not streams(one, {"A": one}, None, None)
    assert streams(one, {"A": one}, None, True)
    assert streams(one, {"A": many}, None, None)
    assert streams('parquet("s3://bucket/a.parquet")', {"A": one}, None, None)
    assert not streams(many, {"A": frame}, None, None)
    assert not streams(many, {"A": many}, None, False)
    assert not streams(many, {"A": many}, "train.csv", None)
    with refused(SpecError, where="stream", hint="write it as Parquet, or leave --stream out"):
        ho.evaluate(many, {"A": frame}, ["P@5"], stream=True)


def test_columns_may_be_named_by_the_reader(tmp_path: Path) -> None:
    frame = evaluated().test
    frame.rename({"user": "who", "rating": "liked"}).write_parquet(tmp_path / "a.parquet")
    evaluated().runs["B"].write_parquet(tmp_path / "b.parquet")
    runs = {"B": str(tmp_path / "b.parquet")}
    path = tmp_path / "a.parquet"
    sources = open_sources(f'parquet("{path}", user=who, value=liked)', runs, None, None)
    assert dict(sources.test.labels) == {"user": "who", "item": "item", "value": "liked"}
    with refused(NotApplicableError, where=str(path), hint="leave on_bad_rows out"):
        open_sources(f'parquet("{path}", on_bad_rows=skip)', runs, None, None)
    frame.write_parquet(tmp_path / "c.parquet")
    frame.select("user", "item").write_parquet(tmp_path / "d.parquet")
    with refused(InputError, where="d.parquet", hint="call a column score or rank"):
        open_sources(str(tmp_path / "c.parquet"), {"D": str(tmp_path / "d.parquet")}, None, None)


def test_ranks_order_a_run_without_scores(tmp_path: Path) -> None:
    data = evaluated()
    data.test.write_parquet(tmp_path / "t.parquet")
    ranked = data.runs["B"].with_columns(rank=pl.col("score").rank("ordinal", descending=True).over("user"))
    ranked.drop("score").write_parquet(tmp_path / "r.parquet")
    data.runs["B"].write_parquet(tmp_path / "s.parquet")
    runs = {"ranks": str(tmp_path / "r.parquet"), "scores": str(tmp_path / "s.parquet")}
    results = ho.evaluate(str(tmp_path / "t.parquet"), runs, ["nDCG@10"], stream=True, compare="none")
    first, second = results.tables["all-leaderboards"].frame["value"].to_list()
    assert first == second


def test_items_ratings_and_rows_are_counted(tmp_path: Path) -> None:
    pl.DataFrame({"user": [1, 1, 2], "item": [7, 3, 7], "rating": [5.0, 2.0, 5.0]}).write_parquet(tmp_path / "t.parquet")
    pl.DataFrame({"user": [1, 2], "item": [3, 9], "score": [1.0, 2.0]}).write_parquet(tmp_path / "r.parquet")
    test = open_files(tmp_path / "t.parquet", RATED, ("user", "item"))
    run = open_files(tmp_path / "r.parquet", RUN, ("user", "item"))
    seen = inspect(test, None, {"A": run})
    assert seen.items.ids.tolist() == [3, 7, 9]
    assert [part.tolist() for part in seen.grades] == [[2.0, 5.0], [1, 2]]
    assert seen.test.of_items(3).tolist() == [1, 2, 0]
    assert seen.test.of_items(3, seen.test.value).tolist() == [2, 10, 0]
    assert seen.listed["A"].tolist() == [True, False, True]
    assert seen.catalogue_size("A") == 3
    assert seen.rows == {"test set": 3, "A": 2}


def test_without_ratings_each_is_1_and_a_bad_one_names_its_file(tmp_path: Path) -> None:
    pl.DataFrame({"user": [1, 1], "item": [7, 3]}).write_parquet(tmp_path / "t.parquet")
    test = open_files(tmp_path / "t.parquet", RATED, ("user", "item"))
    assert [part.tolist() for part in inspect(test, None, {}).grades] == [[1.0], [2]]
    pl.DataFrame({"user": [1], "item": [7], "rating": [float("inf")]}).write_parquet(tmp_path / "u.parquet")
    bad = open_files(tmp_path / "u.parquet", RATED, ("user", "item"))
    with refused(InputError, file="u.parquet", column="rating", expected="a finite number"):
        inspect(bad, None, {})
    pl.DataFrame({"user": [1], "item": [None], "rating": [1.0]}, schema_overrides={"item": pl.Int64}).write_parquet(
        tmp_path / "v.parquet"
    )
    with refused(InputError, file="v.parquet", column="item", expected="an id"):
        inspect(open_files(tmp_path / "v.parquet", RATED, ("user", "item")), None, {})
