"""Runs: the formats they come in, ranks and scores, and how they are written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

from heldout import InputError, SpecError, WriteError, evaluate
from heldout.data.runs import RunFrame, read_run, write_run


def run(folder: Path, text: str, name: str = "r.run") -> RunFrame:
    (folder / name).write_text(text)
    return read_run(folder / name)


def content(found: RunFrame) -> list[tuple[object, ...]]:
    return list(zip(found.user_id.to_list(), found.item_id.to_list(), found.score.tolist(), strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "u Q0 x 1 0.9 me\nu Q0 y 2 0.5 me\n",
        "u  Q0\tx 1   0.9 me\n u Q0 y 2 0.5\tme \n",
        "user,item,score\nu,x,0.9\nu,y,0.5\n",
        "item\trank\tscore\tuser\nx\t1\t0.9\tu\ny\t2\t0.5\tu\n",
        "u\tx\t0.9\nu\ty\t0.5\n",
        "user_id,item_id,prediction\nu,x,.9\nu,y,.5\n",
    ],
)
def test_formats(tmp_path: Path, text: str) -> None:
    found = run(tmp_path, text)
    assert content(found) == [("u", "x", 0.9), ("u", "y", 0.5)]
    assert found.score.dtype == np.float64


def test_parquet(tmp_path: Path) -> None:
    pl.DataFrame({"user": [1, 1], "item": [2, 3], "rank": [1, 2]}).write_parquet(tmp_path / "r.parquet")
    assert content(read_run(tmp_path / "r.parquet")) == [(1, 2, -1.0), (1, 3, -2.0)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "u Q0 x 1 0.9 me\nu Q0 y 2 NaN me\n",
            {"line": 2, "column": "score", "found": "NaN", "expected": "a finite number"},
        ),
        ("user,item,score\nu,x,inf\n", {"line": 2, "column": "score", "found": "inf", "expected": "a finite number"}),
        ("u Q0 x 1 0.9 me\nu Q0 y 2 0.5\n", {"line": 2, "found": 5, "expected": "6 fields"}),
        ("user,item,score\nu,x,1\nu,x,2\n", {"line": 3, "column": "item", "found": "x", "hint": "one row for each pair"}),
        ("user,item,score\n" + "u,x,1\n" * 3, {"line": 3, "column": "item", "found": "x", "hint": "these 2 rows"}),
        ("user,item\nu,x\n", {"found": ["user", "item"], "expected": "a column score or rank"}),
        ("", {"expected": "at least one line"}),
    ],
)
def test_what_is_wrong_and_where(tmp_path: Path, text: str, parts: dict[str, Any]) -> None:
    with refused(InputError, file="r.run", **parts):
        run(tmp_path, text)


@pytest.mark.parametrize("as_text", [True, False])
def test_whole_numbers_that_double_precision_cannot_tell_apart_are_refused(as_text, tmp_path):
    frame = pl.DataFrame({"user": [1, 1, 1], "item": [1, 2, 3], "score": [2**60, 2**60 + 512, 2**60 + 1]})
    path = tmp_path / ("run.csv" if as_text else "run.parquet")
    frame.write_csv(path) if as_text else frame.write_parquet(path)
    found = str(2**60 + 1) if as_text else 2**60 + 1
    with refused(InputError, file=path, column="score", found=found, expected=f"difference from {2**60}"):
        read_run(path)
    apart = frame.head(2)
    apart.write_csv(path) if as_text else apart.write_parquet(path)
    assert read_run(path).score.tolist() == [2.0**60, 2.0**60 + 512]


@pytest.mark.parametrize("text", ["user,item,rank\nu,x,1\nv,x,1\nu,y,2\n", "u,x,1\nv,x,1\nu,y,2\n"])
def test_ranks_become_negative_scores(tmp_path: Path, text: str) -> None:
    assert content(run(tmp_path, text)) == [("u", "x", -1.0), ("v", "x", -1.0), ("u", "y", -2.0)]


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("u,x,1\nv,y,1\n", [1.0, 1.0]),  # one row each: nothing depends on it
        ("user,item,score\nu,x,1\nu,y,2\n", [1.0, 2.0]),
        ("u,x,0.5\nu,y,2\n", [0.5, 2.0]),
        ("u,x,-1\nu,y,-2\n", [-1.0, -2.0]),
        ("u,x,5\nu,y,4\nu,z,4\n", [5.0, 4.0, 4.0]),  # stars
        ("u,x,0\nu,y,1\nu,z,1\n", [0.0, 1.0, 1.0]),  # yes and no
        ("u,x,978300760\nu,y,978302109\n", [978300760.0, 978302109.0]),  # times
        ("".join(f"u,{k},{900 - k * k}\n" for k in range(11)), [900.0 - k * k for k in range(11)]),  # best first
    ],
)
def test_a_third_column_of_scores(tmp_path: Path, text: str, scores: list[float]) -> None:
    assert run(tmp_path, text).score.tolist() == scores


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("u,x,2\nu,y,3\nu,z,1\n", [2, 3, 1]),
        ("u,x,1\nu,y,0\nv,x,0\nv,y,1\n", [1, 0, 0, 1]),
        ("u,x,3\nv,y,1\nu,z,1\nu,y,2\n", [3, 1, 1, 2]),
    ],
)
def test_whole_numbers_from_one_on_are_ranks_in_any_order(tmp_path: Path, text: str, ranks: list[int]) -> None:
    assert run(tmp_path, text).score.tolist() == [-rank for rank in ranks]


@pytest.mark.parametrize(
    "text",
    [
        "u,x,1\nu,y,2\nu,z,4\n",  # a gap
        "u,x,4\nu,y,1\nu,z,2\n",
        "u,x,75\nu,y,118\nv,x,2033\n",  # places of some items in the whole list
        "u,x,3\nu,y,2\nu,z,1\n",  # points, or the worst first
        "u,x,1\nu,y,2\nu,z,2\nu,w,4\n",  # ranks that tie
        "u,x,1\nu,y,2\nu,z,2\nu,w,3\n",
    ],
)
def test_what_may_be_scores_or_ranks_is_refused_with_both_ways_to_say_it(tmp_path: Path, text: str) -> None:
    numbers = [line.rpartition(",")[2] for line in text.splitlines()]
    with refused(InputError, found=[numbers[0], numbers[-1]], hint="user, item, score; or user, item, rank"):
        run(tmp_path, text)
    assert run(tmp_path, "user,item,rank\n" + text).score[0] < 0
    assert run(tmp_path, "user,item,score\n" + text).score[0] > 0


@pytest.mark.parametrize("step", [1, 2])
def test_ranks_in_disorder_never_turn_a_list_upside_down(tmp_path: Path, step: int) -> None:
    rows = [(f"u{user}", f"i{k}", 1 + step * k) for user in range(3) for k in range(6)]
    shuffled = [rows[k] for k in np.random.default_rng(5).permutation(len(rows))]
    text = "".join(f"{user}\t{item}\t{rank}\n" for user, item, rank in shuffled)
    if step > 1:
        with refused(InputError, file="r.run", expected="a header"):
            run(tmp_path, text)
        return
    (tmp_path / "r.run").write_text(text)
    test = {"user": [f"u{k}" for k in range(3)], "item": ["i0"] * 3, "rating": [1] * 3}
    results = evaluate(test, {"A": str(tmp_path / "r.run")}, ["P@1"], relevance="threshold(1)")
    assert results.tables["all-leaderboards"].frame["value"].to_list() == [1.0]


RUN = RunFrame.of(pl.Series(["u1", "u1", "u2"]), pl.Series([7, 5, 7]), np.array([0.5, 0.25, 3.0]))


@pytest.mark.parametrize("name", ["run.parquet", "run.csv", "run.tsv", "run.txt", "run.trec"])
def test_what_is_written_is_read_back(name, tmp_path):
    write_run(RUN, tmp_path / name)
    found = read_run(tmp_path / name)
    assert found.user_id.to_list() == ["u1", "u1", "u2"]
    assert found.item_id.to_list() == [7, 5, 7]
    np.testing.assert_array_equal(found.score, RUN.score)
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_trec_lines(tmp_path):
    write_run(RUN, tmp_path / "run.txt", tag="my model")
    assert (tmp_path / "run.txt").read_text() == "u1 Q0 7 1 0.5 my_model\nu1 Q0 5 2 0.25 my_model\nu2 Q0 7 1 3.0 my_model\n"


def test_csv_columns(tmp_path):
    write_run(RUN, tmp_path / "run.csv")
    assert (tmp_path / "run.csv").read_text().splitlines()[:2] == ["user_id,item_id,rank,score", "u1,7,1,0.5"]


def test_what_cannot_be_written_is_refused(tmp_path):
    with refused(SpecError, where="run.xls", found=".xls", expected=".parquet"):
        write_run(RUN, tmp_path / "run.xls")
    spaced = RunFrame.of(pl.Series(["a b"]), pl.Series([1]), np.ones(1))
    with refused(SpecError, where="run.txt", found="a b", hint="write .csv"):
        write_run(spaced, tmp_path / "run.txt")
    with refused(WriteError, where="run.csv"):
        write_run(RUN, tmp_path / "nowhere" / "run.csv")
    assert not list(tmp_path.iterdir())
