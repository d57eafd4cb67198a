"""Ranks that are kept: the same to the last bit, small, and used for whatever they suffice for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.experiment.conftest import STUDY
from tests.experiment.ranked import MANY, prepared, same
from tests.refusals import refused

import heldout as ho
from heldout.errors import ResultsError
from heldout.experiment.ledger.ranks_part import (
    Columns,
    closure,
    entries_of,
    names_of,
    read_columns,
    read_ranks,
    write_ranks,
)
from heldout.experiment.ranks import plan_of
from heldout.targets.ranker import rank


@pytest.mark.parametrize("metrics", [["P@5"], ["P@5", "ItemCoverage@5"], ["P@5", "ILD@30"]])
def test_ranks_are_read_back_to_the_last_bit(metrics: list[str], tmp_path: Path) -> None:
    with_lists = len(metrics) > 1
    fewer = {"target": ["AllItems", "TestRatings"], "ties": "item"} if with_lists else {}
    study, fold = prepared({**MANY, "metrics": metrics, **fewer})
    plan = plan_of(study, fold)
    made = rank(study.recommend[0].recommender.fit(fold.split.train, seed=1), plan)
    write_ranks(made, tmp_path / "ranks.parquet", "k")
    again = read_ranks(tmp_path / "ranks.parquet", plan, "k")
    assert list(again.by_choice) == list(made.by_choice) == entries_of(plan)
    assert all(same(again.by_choice[key], made.by_choice[key]) for key in made.by_choice)
    assert all((ranks.lists is not None) == with_lists for ranks in made.by_choice.values())


@pytest.mark.parametrize("damage", ["flip", "cut", "empty"])
def test_damaged_ranks_are_named_and_left(damage: str, tmp_path: Path) -> None:
    least = {**STUDY, "recommend": "Popularity"}
    ho.run(least, out=tmp_path / "out")
    (part,) = (tmp_path / "out" / "ranks").iterdir()
    whole = part.read_bytes()
    middle = len(whole) // 3
    kept = {"flip": whole[:middle] + bytes([whole[middle] ^ 4]) + whole[middle + 1 :], "cut": whole[:200], "empty": b""}
    part.write_bytes(kept[damage])
    with refused(ResultsError, where=str(part), hint="delete this file and run the study again"):
        ho.run({**least, "metrics": "Recall@5"}, out=tmp_path / "out")
    assert part.read_bytes() == kept[damage]
    part.unlink()
    ho.run({**least, "metrics": "Recall@5"}, out=tmp_path / "out")
    assert part.read_bytes() == whole


def test_arrays_are_told_once_and_small() -> None:
    """10 values that differ from others in one place: only a difference of one byte each is kept; a constant keeps none."""
    columns = Columns()
    first = np.arange(10, dtype=np.int32)
    second = np.where(first == 3, 70_000, first - 1).astype(np.int32)
    numbers = [
        columns.add(first),
        columns.add(first.copy()),
        columns.add(second, like=0, plus=-1),
        columns.add(np.full(7, 4, np.int64)),
        columns.add(np.array([0.5, np.nan])),
        columns.add(np.array([0.1, np.nan])),
        columns.add(np.array([], np.int32)),
        columns.add(np.arange(25, dtype=np.int64)),
    ]
    assert numbers == [0, 0, 1, 2, 3, 4, 5, 6]
    frame, told = columns.frame(10)
    kinds = dict(zip(frame.columns, frame.dtypes, strict=True))
    assert kinds == {
        "0": pl.UInt8,
        "1": pl.UInt32,  # nine zeros and 70,000 − 2
        "3": pl.Float32,  # 0.5 is exact in single precision, 0.1 is not
        "4": pl.Float64,
        "6": pl.UInt8,
        "6.1": pl.UInt8,
        "6.2": pl.UInt8,  # 25 values in columns of 10
    }
    found = read_columns(frame, told, set(numbers))
    for number, array in enumerate(columns.arrays):
        assert found[number].dtype == array.dtype
        np.testing.assert_array_equal(found[number], array)
    assert closure(told, {1}) == {0, 1}
    assert names_of(told, {1, 2}) == ["0", "1"]
