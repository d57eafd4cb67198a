"""Searches for parameters, from Python: what of a study is asked for, and what is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import SpecError, SpellingWarning

pytest.importorskip("optuna", reason="the extra tune is not installed")
DATA = "simulate(users=40, items=20, ratings=300)"
SEARCH: dict[str, Any] = {"ranges": {"k": "1,2"}, "trials": 2, "metric": "P@5"}


def test_the_systems_of_a_study_are_left_aside() -> None:
    """One of them is nonsense, and it does not matter: what is tuned is not what is compared."""
    keys = {"data": DATA, "split": "ratio(train=0.7, by=user)", "metrics": "P@5"}
    tuned = ho.tune("UserKNN", {**keys, "recommend": ["NoSuchSystem"], "compare": ["t"]}, **SEARCH)
    assert tuned.model == ho.tune("UserKNN", keys, **SEARCH).model
    assert len(tuned.trials) == 2


def test_without_a_split_the_usual_one_is_taken_and_keys_can_be_replaced() -> None:
    usual = ho.tune("UserKNN", {"data": DATA}, **SEARCH)
    assert usual.protocol["split"] == "ratio(train=0.8, by=user, rounding=nearest)"
    other = ho.tune("UserKNN", {"data": DATA}, instead={"split": "leave_out(1)"}, **SEARCH)
    assert other.protocol["split"].startswith("leave_out(")


def test_paths_are_relative_to_the_study_file(tmp_path: Path) -> None:
    ho.read(DATA).to_polars().write_csv(tmp_path / "ratings.csv")
    (tmp_path / "study.toml").write_text('data = "ratings.csv"\n')
    assert ho.tune("UserKNN", tmp_path / "study.toml", **SEARCH).trials


def test_keys_of_a_study_object_cannot_be_replaced(tmp_path: Path) -> None:
    keys = (f'data = "{DATA}"', 'split = "ratio"', 'recommend = "Random"', 'metrics = "P@5"')
    (tmp_path / "study.toml").write_text("\n".join(keys), encoding="utf-8")
    study = ho.read_study(tmp_path / "study.toml")
    with refused(SpecError, where="instead", hint="give the study's keys or file"):
        ho.tune("UserKNN", study, instead={"split": "leave_out(1)"}, **SEARCH)


def test_swapped_arguments_are_read_with_a_warning() -> None:
    keys = {"data": DATA}
    with pytest.warns(SpellingWarning):
        swapped = ho.tune(keys, "UserKNN", **SEARCH)  # type: ignore[arg-type]
    assert swapped.model == ho.tune("UserKNN", keys, **SEARCH).model
