"""`split` in Python."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from tests.refusals import refused

import heldout as ho
from heldout.errors import InputError, NotApplicableError, SpecError

# --- split

RATINGS = {"user": ["u"] * 5 + ["v"] * 5, "item": list("abcde") * 2, "rating": [1, 2, 3, 4, 5] * 2}


def test_a_split_of_several_folds_is_iterated() -> None:
    split = ho.split(RATINGS, "folds(5)", seed=3)
    assert len(split) == 5 and [fold.fold for fold in split] == [0, 1, 2, 3, 4]
    assert sum(len(fold.test) for fold in split) == 10 and split[0].train.n_items == 5
    for part in ("train", "test", "validation"):
        with refused(NotApplicableError, where=part, hint=f"for fold in split: … fold.{part} …"):
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
    with refused(SpecError, hint='such as heldout split ratio ratings.csv, or ho.split("ratings.csv", "ratio")'):
        ho.split("ratio", "ratings.csv")


def test_a_split_is_kept_drawn_and_audited(tmp_path: Path) -> None:
    split = ho.split(RATINGS, "folds(2)", seed=3, out=tmp_path / "kept")
    split.save(tmp_path / "copy")
    digests = [fold.digest for fold in split]
    for name in ("kept", "copy"):
        assert [fold.digest for fold in ho.split(None, f'saved("{tmp_path / name}")')] == digests
    assert [entry["digest"] for entry in split.to_dicts()] == digests
    assert [audit.test for audit in split.audits()] == [5, 5]
    assert repr(split.audits()[0]).startswith("fold 1: 5 training ratings and 5 test ratings, of which 0 are in train too")
    split.save_plot(tmp_path / "split.svg")
    assert (tmp_path / "split.svg").read_text().startswith("<svg")
    figure = split.plot()
    assert figure.title == "folds(n=2)" and len(figure.spec["data"]["values"]) == 10 and "config" in figure.spec


def test_a_folder_that_is_taken_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with refused(InputError, where=str(tmp_path), expected="a new or empty folder"):
        ho.split("no-such-file.csv", out=tmp_path)


def test_what_a_scikit_learn_user_types_says_what_to_write() -> None:
    with refused(NotApplicableError, hint="train, test = split.train, split.test"):
        train, test = ho.split(RATINGS)
    with refused(NotApplicableError, hint="for fold in split: … fold.train …"):
        train, test = ho.split(RATINGS, "folds(3)")  # noqa: RUF059 - as it is typed
    (only,) = ho.split(RATINGS)  # what Python can unpack it does
    first, *others = ho.split(RATINGS, "folds(3)")
    a, b = ho.split(RATINGS, "folds(2)")
    assert (only.fold, first.fold, len(others), a.fold, b.fold) == (0, 0, 2, 0, 1)
    assert [len(list(ho.split(RATINGS))), len([*ho.split(RATINGS, "folds(2)")])] == [1, 2]
