"""Sizes of the parts of splits, counted once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.papers.sample import TINY

from heldout.papers.bench import PaperBench
from heldout.papers.split_sizes import SplitSizes


def test_sizes_are_counted_by_split_fold_and_part_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = SplitSizes(("folds(n=2)", "leave_out(l=2)"))
    first = work.measure(PaperBench(data="simulated", out=tmp_path), TINY)
    hidden = first.rows("sizes", split="leave_out(l=2)", part="test")
    assert hidden["ratings"].to_list() == [2 * hidden["users"][0]]
    assert first.rows("sizes", split="folds(n=2)")["part"].to_list() == ["train", "test"] * 2
    assert first.rows("sizes", split="folds(n=2)", fold=0)["ratings"].sum() == 500

    def refuse(*_: object) -> None:
        raise AssertionError("a split was made again")

    monkeypatch.setattr("heldout.papers.split_sizes.read", refuse)
    assert work.measure(PaperBench(data="simulated", out=tmp_path), TINY).tables["sizes"].equals(first.tables["sizes"])
