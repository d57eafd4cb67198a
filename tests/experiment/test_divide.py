"""One split by itself: what is divided, and what is refused."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from tests.refusals import refused

import heldout as ho
from heldout.errors import InputError, SpecError
from heldout.experiment.divide import divide

RATINGS = {"user": ["u"] * 5 + ["v"] * 5, "item": list("abcde") * 2, "rating": [1, 2, 3, 4, 5] * 2}


def test_ratings_in_memory_are_taken_as_they_are() -> None:
    data = ho.read(RATINGS)
    split = divide(data, "leave_out(2)")
    assert split.data is data and (len(split.train), len(split.test), split.validation) == (6, 4, None)
    assert divide(data, "leave_out(1)", ["positive(3)"]).data is not data


def test_validation_and_groups_are_carved_out_of_every_fold() -> None:
    split = divide(RATINGS, "folds(2)", validation="leave_out(1)", development=0.5)
    for fold in split:
        assert fold.validation is not None and len(fold.train) + len(fold.validation) + len(fold.test) == 10
        assert len(fold.validation) == 2
        assert fold.development is not None and fold.development.sum() == 1


def test_the_headline_has_the_split_and_a_line_for_each_fold() -> None:
    first, *folds = repr(divide(RATINGS, "folds(2)")).splitlines()
    assert first.startswith("folds(n=2): 2 folds. ")
    assert [line for line in folds if not line.startswith(" ")] == ["fold 1", "fold 2"]


def test_skipped_rows_are_counted(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("user,item,rating\nu,a,1\nu,b,bad\nu,c,3\n")
    split = divide(str(tmp_path / "r.csv"), "leave_out(1)", on_bad_rows="skip")
    assert len(split.train) == len(split.test) == 1
    assert [count for _, count in split.skipped] == [1]


def test_files_with_pairs_in_both_parts_are_taken_only_where_that_is_allowed(tmp_path: Path) -> None:
    frame = pl.DataFrame(RATINGS)
    frame.write_csv(tmp_path / "train.csv")
    frame.head(2).write_csv(tmp_path / "test.csv")
    files = f'given(train="{tmp_path / "train.csv"}", test="{tmp_path / "test.csv"}")'
    with refused(InputError, file="test.csv", found=["user u, item a", "and 1 more"], hint="overlap=train") as refusal:
        divide(None, files)
    assert str(tmp_path / "train.csv") in refusal.value.what
    split = divide(None, files, overlap_allowed=True)
    assert split.data is None and (len(split.train), len(split.test)) == (10, 2)


def test_data_where_none_are_needed_and_none_where_some_are(tmp_path: Path) -> None:
    with refused(SpecError, hint='such as heldout split "ratio(train=0.8)" ratings.csv'):
        divide(None, "ratio")
    pl.DataFrame(RATINGS).write_csv(tmp_path / "r.csv")
    files = f'given(train="{tmp_path / "r.csv"}", test="{tmp_path / "r.csv"}")'
    with refused(SpecError, hint="leave the data out"):
        divide(RATINGS, files)
    with refused(SpecError, hint="leave the data out"):
        divide("other.csv", files)


def test_data_in_the_place_of_the_split_are_told_with_what_to_type(tmp_path: Path) -> None:
    path = tmp_path / "my ratings.csv"
    path.write_text("")
    with refused(SpecError, hint=f"such as heldout split 'folds(3)' '{path}', or ho.split"):
        divide("folds(3)", str(path))
    with refused(SpecError, hint=f"such as heldout split ratio '{path}', or ho.split"):
        divide(None, str(path))
