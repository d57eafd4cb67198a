"""`split` in Python."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import heldout as ho
from heldout.errors import NotApplicableError, SpecError

# --- split

RATINGS = {"user": ["u"] * 5 + ["v"] * 5, "item": list("abcde") * 2, "rating": [1, 2, 3, 4, 5] * 2}


def test_a_split_of_several_folds_is_iterated() -> None:
    split = ho.split(RATINGS, "folds(5)", seed=3)
    assert len(split) == 5 and [fold.fold for fold in split] == [0, 1, 2, 3, 4]
    assert sum(len(fold.test) for fold in split) == 10 and split[0].train.n_items == 5
    for part in ("train", "test", "validation"):
        with pytest.raises(NotApplicableError, match=f"for fold in split: … fold.{part}"):
            getattr(split, part)


def test_a_split_takes_what_read_takes(tmp_path: Path) -> None:
    frame = pl.DataFrame(RATINGS)
    frame.write_csv(tmp_path / "r.csv")
    splits = [ho.split(source, seed=2) for source in (RATINGS, frame, ho.read(RATINGS), str(tmp_path / "r.csv"))]
    assert len({split.train.digest for split in splits}) == 1


def test_filters_and_validation_of_a_split() -> None:
    split = ho.split(RATINGS, "leave_out(1)", filters=["positive(3)"], validation="leave_out(1)")
    assert (len(split.train), len(split.validation or ()), len(split.test)) == (2, 2, 2)


def test_a_split_and_its_data_swapped() -> None:
    with pytest.raises(SpecError, match=r'ho.split\("ratings.csv", "ratio"\)'):
        ho.split("ratio", "ratings.csv")
