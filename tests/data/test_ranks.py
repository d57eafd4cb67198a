"""Columns that may be scores or ranks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from heldout import evaluate
from heldout.data.runs import RunFrame, read_run
from heldout.errors import InputError


def run(folder: Path, text: str, name: str = "r.run") -> RunFrame:
    (folder / name).write_text(text)
    return read_run(folder / name)


def content(found: RunFrame) -> list[tuple[object, ...]]:
    return list(zip(found.user_id.to_list(), found.item_id.to_list(), found.score.tolist(), strict=True))


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
    with pytest.raises(InputError, match=r"may be scores or ranks.*user, item, score; or user, item, rank"):
        run(tmp_path, text)
    assert run(tmp_path, "user,item,rank\n" + text).score[0] < 0
    assert run(tmp_path, "user,item,score\n" + text).score[0] > 0


@pytest.mark.parametrize("step", [1, 2])
def test_ranks_in_disorder_never_turn_a_list_upside_down(tmp_path: Path, step: int) -> None:
    rows = [(f"u{user}", f"i{k}", 1 + step * k) for user in range(3) for k in range(6)]
    shuffled = [rows[k] for k in np.random.default_rng(5).permutation(len(rows))]
    text = "".join(f"{user}\t{item}\t{rank}\n" for user, item, rank in shuffled)
    if step > 1:
        with pytest.raises(InputError, match="may be scores or ranks"):
            run(tmp_path, text)
        return
    (tmp_path / "r.run").write_text(text)
    test = {"user": [f"u{k}" for k in range(3)], "item": ["i0"] * 3, "rating": [1] * 3}
    results = evaluate(test, {"A": str(tmp_path / "r.run")}, ["P@1"], relevance="threshold(1)")
    assert results.leaderboard["value"].to_list() == [1.0]
