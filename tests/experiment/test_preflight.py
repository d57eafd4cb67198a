"""Contradictions that the data show are found before anything is fitted, on all splits and all at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import HeldoutError, InputError, NotApplicableError, SpecError, UnknownNameError
from heldout.experiment import preflight

BASE: dict[str, Any] = {
    "data": "simulate(users=60, items=40, ratings=1200)",
    "split": "ratio(train=0.7, by=user)",
    "metrics": "P@5",
    "compare": ["t"],
}


def never_fitted(train: Any, users: Any) -> Any:
    raise AssertionError("it was fitted")


@pytest.mark.parametrize(
    ("keys", "kind", "parts"),
    [
        (
            {"compare": {"group": "development"}},
            NotApplicableError,
            {"where": "compare", "hint": "divide the test users in the split"},
        ),
        (
            {"development": 60, "compare": {"group": "evaluation"}},
            InputError,
            {"where": "development", "found": 60, "expected": "fewer than 60 test users"},
        ),
        (
            {"target": "OnePlusRandom(5000)"},
            NotApplicableError,
            {"where": "target", "found": 5000, "expected": "at most 40 items"},
        ),
        (
            {"aggregate": 'mean(weight=age, table="users.csv")'},
            UnknownNameError,
            {"where": "users.csv", "hint": "known: height"},
        ),
    ],
)
def test_what_the_data_contradict_is_found_before_anything_is_fitted(
    keys: dict[str, Any],
    kind: type[HeldoutError],
    parts: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"user_id": [1, 2], "height": [1.0, 2.0]}).write_csv("users.csv")
    with refused(kind, **parts):
        ho.run({**BASE, **keys}, models={"mine": never_fitted}, out="out")


def test_a_problem_of_the_last_split_is_found_before_the_first_is_fitted_and_all_are_told_at_once() -> None:
    splits = ["ratio(train=0.7, by=user)", "ratio(train=0.6, by=user)"]
    keys = {"split": splits, "target": ["AllItems", "OnePlusRandom(5000)"]}
    with refused(NotApplicableError) as refusal:
        ho.run({**BASE, **keys}, models={"mine": never_fitted})
    assert [part.where for part in refusal.value.parts] == [f"{split}: target" for split in splits]


def test_folds_that_are_made_again_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    study = {**BASE, "split": ["folds(3, by=rating)", "ratio(train=0.6)"], "recommend": ["Popularity", "ItemKNN(k=5)"]}
    whole = ho.run(study)
    monkeypatch.setattr(preflight, "KEPT_ROWS", 2000)
    assert ho.run(study).tables["all-leaderboards"].frame.equals(whole.tables["all-leaderboards"].frame)


def test_all_keys_that_are_wrong_are_told_at_once() -> None:
    keys = {"metrics": "nDGC@5", "target": "AllItms", "compare": {"tests": ["t"], "baseline": "Random"}}
    with pytest.raises(SpecError) as raised:
        ho.run({**BASE, **keys, "recommend": "Popularity"})
    told = str(raised.value).splitlines()
    assert told[0] == "3 things are wrong:"
    assert [line.split(":")[0] for line in told[1:]] == ["- target", "- metrics", "- compare"]
    assert "did you mean nDCG" in told[2]
