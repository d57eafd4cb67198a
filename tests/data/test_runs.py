"""Runs that other systems produced."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from heldout.data.frames import run_from_frame
from heldout.data.runs import RunFrame, read_run
from heldout.errors import InputError


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
    ("text", "message"),
    [
        ("u Q0 x 1 0.9 me\nu Q0 y 2 NaN me\n", "line 2, column 'score': 'NaN' is not a finite number"),
        ("user,item,score\nu,x,inf\n", "line 2, column 'score': 'inf' is not a finite number"),
        ("u Q0 x 1 0.9 me\nu Q0 y 2 0.5\n", "line 2: too few fields"),
        ("user,item,score\nu,x,1\nu,x,2\n", "line 3, column 'item': user u has item x more than once"),
        ("user,item\nu,x\n", "neither a score nor a rank; found user, item"),
        ("", "empty"),
    ],
)
def test_what_is_wrong_and_where(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        run(tmp_path, text)


@pytest.mark.parametrize("as_text", [True, False])
def test_whole_numbers_that_double_precision_cannot_tell_apart_are_refused(as_text, tmp_path):
    frame = pl.DataFrame({"user": [1, 1, 1], "item": [1, 2, 3], "score": [2**60, 2**60 + 512, 2**60 + 1]})
    path = tmp_path / ("run.csv" if as_text else "run.parquet")
    frame.write_csv(path) if as_text else frame.write_parquet(path)
    with pytest.raises(InputError, match=f"the scores {2**60} and {2**60 + 1} are the same number in double precision"):
        read_run(path)
    with pytest.raises(InputError, match=f"the scores {2**60} and {2**60 + 1} are the same number in double precision"):
        run_from_frame(frame)
    apart = frame.head(2)
    apart.write_csv(path) if as_text else apart.write_parquet(path)
    assert read_run(path).score.tolist() == [2.0**60, 2.0**60 + 512]
