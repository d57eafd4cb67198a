"""The training ratings of a whole data set or of one fold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.refusals import refused

from heldout import Study
from heldout.errors import HeldoutError, InputError, NotApplicableError, SpecError
from heldout.experiment.recommend import fold_of, keys_of, whole
from heldout.study.spec import make_study

RATINGS = {"user": ["u"] * 4 + ["v"] * 4, "item": list("abcd") * 2, "rating": [1, 2, 3, 4] * 2}


def study(data: Any = RATINGS, **keys: Any) -> Study:
    return make_study({**keys_of(data, **keys), "recommend": ["Random"], "metrics": "P@5"})


def test_a_whole_data_set_is_that_after_its_filters() -> None:
    assert len(whole(study())) == 8
    assert sorted(whole(study(filters=["positive(3)"])).value.tolist()) == [3, 3, 4, 4]


def test_without_data_there_is_nothing_to_train_on() -> None:
    with refused(SpecError, where="data", hint='such as --data "ratings.csv"'):
        whole(replace(study(), data=()))


def test_folds_are_numbered_from_one_and_differ() -> None:
    folds = [fold_of(study(split="folds(4)", seed=3), fold) for fold in (1, 2, 3, 4)]
    assert [split.fold for split in folds] == [0, 1, 2, 3]
    assert len({split.test.digest for split in folds}) == 4
    assert sum(len(split.test) for split in folds) == 8


def test_the_seed_is_that_of_the_split() -> None:
    draws = [fold_of(study(split="ratio(train=0.5)", seed=seed), None).train.digest for seed in (1, 1, 2, 3)]
    assert draws[0] == draws[1] and len(set(draws)) > 1


@pytest.mark.parametrize(
    ("split", "fold", "kind", "parts"),
    [
        ("folds(4)", None, NotApplicableError, {"hint": "name one from 1 to 4"}),
        ("folds(4)", 5, SpecError, {"found": 5, "expected": "1 to 4, the folds of folds(n=4)"}),
        ("folds(4)", 0, SpecError, {"found": 0, "expected": "1 to 4"}),
        ("ratio(train=0.5)", 2, SpecError, {"found": 2, "expected": "1 to 1"}),
    ],
)
def test_a_fold_that_there_is_not(split: str, fold: int | None, kind: type[HeldoutError], parts: dict[str, Any]) -> None:
    with refused(kind, where="fold", **parts):
        fold_of(study(split=split), fold)


def test_an_empty_training_set_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a split, as one from elsewhere might, does not look itself."""
    monkeypatch.setattr("heldout.splits.given.not_empty", lambda split, _: split)
    pl.DataFrame(RATINGS).write_csv(tmp_path / "r.csv")
    both = f'given(train="{tmp_path / "r.csv"}", test="{tmp_path / "r.csv"}", overlap=test)'
    with refused(InputError, where=f"split {both}", hint="keep more ratings"):
        fold_of(make_study({"split": both, "recommend": ["Random"], "metrics": "P@5"}), None)


def test_keys_name_only_what_was_said() -> None:
    assert keys_of("r.csv") == {"data": "r.csv", "split": "ratio(train=0.8, by=user)"}
    said = keys_of("r.csv", split="folds(2)", filters=("core(2)",), seed=0)
    assert said == {"data": "r.csv", "split": "folds(2)", "filters": [["core(2)"]], "seed": 0}
