"""Counts of a data set, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.papers.sample import TINY

from heldout.papers.bench import PaperBench
from heldout.papers.rating_counts import RatingCounts, SplitSizes


def test_ratings_and_positive_ratings_of_users_and_items(tmp_path: Path) -> None:
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "ratings.csv").write_text("user,item,rating\nu,x,5\nu,y,3\nv,x,4\nv,z,1\nv,y,2\n")
    out = tmp_path / "out"
    for _ in range(2):  # the second time from the folder
        measured = RatingCounts(positive=4).measure(PaperBench(data=tmp_path, out=out), TINY)
        assert measured.tables["data"].row(0) == (2, 3, 5, 5 / 6)
        assert measured.tables["users"].rows() == [(2, 1), (3, 1)]
        active = RatingCounts(positive=4, filters=("min_ratings(user=3)",)).measure(PaperBench(data=tmp_path, out=out), TINY)
        assert active.tables["data"].row(0) == (1, 3, 3, 1.0)
        assert measured.tables["items"].rows() == [(2, 2, 4.5), (2, 0, 2.5), (1, 0, 1.0)]


def test_sizes_are_counted_by_split_fold_and_part_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = SplitSizes(("folds(n=2)", "leave_out(l=2)"))
    first = work.measure(PaperBench(data="simulated", out=tmp_path), TINY)
    hidden = first.rows("sizes", split="leave_out(l=2)", part="test")
    assert hidden["ratings"].to_list() == [2 * hidden["users"][0]]
    assert first.rows("sizes", split="folds(n=2)")["part"].to_list() == ["train", "test"] * 2
    assert first.rows("sizes", split="folds(n=2)", fold=0)["ratings"].sum() == 500

    def refuse(*_: object) -> None:
        raise AssertionError("a split was made again")

    monkeypatch.setattr("heldout.split", refuse)
    assert work.measure(PaperBench(data="simulated", out=tmp_path), TINY).tables["sizes"].equals(first.tables["sizes"])
