"""Multiverses from Python: a study, or data and systems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.api.multiverse import grid_of
from heldout.errors import SpecError, SystemsFailedError, UnknownNameError
from heldout.universes.grid.file import multiverse_from
from heldout.universes.grid.grid import Multiverse


def test_a_frame_and_systems_are_enough() -> None:
    draw = np.random.default_rng(1)
    pairs = draw.permutation(30 * 20)[:400]
    frame = pl.DataFrame({"user": pairs // 20, "item": pairs % 20, "rating": draw.integers(1, 6, 400)})
    made = ho.multiverse(data=frame, systems="Popularity,Random")
    assert made.tables["universes"].frame["data"].unique().to_list() == ["frame"]
    assert made.tables["universes"].frame["metric"].n_unique() == 6


KEYS: dict[str, Any] = {
    "data": "simulate(users=40, items=20, ratings=300)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "Random"],
    "metrics": ["P@5"],
    "compare": ["t"],
}


def systems(grid: Multiverse) -> list[str]:
    return [system.name for system in grid.study.recommend]


def test_systems_in_a_text_are_told_apart_by_commas_outside_of_brackets() -> None:
    grid = grid_of(KEYS, None, "UserKNN(k=3, q=2), Popularity,", None)
    assert systems(grid) == ["UserKNN(k=3, q=2)", "Popularity"]
    with refused(SpecError, where="systems", hint="such as UserKNN(k=50),WRMF"):
        grid_of(KEYS, None, "Popularity, k=3", None)


def test_data_and_systems_replace_those_of_the_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("ratings.csv", "r.csv"):
        (tmp_path / name).write_text("u,item,rating\n1,2,3\n")
    grid = grid_of(KEYS, "ratings.csv", ["Random", "AverageRating"], None)
    assert systems(grid) == ["Random", "AverageRating"]
    (source,) = grid.study.data
    assert str(tmp_path / "ratings.csv") in str(source)  # of the working folder, wherever a study file lies
    assert systems(grid_of(KEYS, None, None, None)) == ["Popularity", "Random"]
    (named,) = grid_of(KEYS, 'csv("r.csv", user=u)', None, None).study.data
    assert str(tmp_path / "r.csv") in str(named) and "user=u" in str(named)


def test_without_a_study_there_must_be_data_and_systems() -> None:
    for data, names in ((None, "Random,Popularity"), ("r.csv", None)):
        with refused(SpecError, hint="or --data ratings.csv --systems UserKNN,WRMF"):
            grid_of(None, data, names, None)
    grid = multiverse_from(KEYS)
    assert grid_of(grid, None, None, None) is grid
    with refused(SpecError, hint="give the study's keys instead"):
        grid_of(grid, None, "Random", None)


def test_where_all_systems_but_one_fail_there_is_nothing_to_compare() -> None:
    def breaks(train: Any, users: Any) -> Any:
        raise RuntimeError("no")

    alone = {**KEYS, "recommend": ["Random"]}
    with refused(SystemsFailedError, where="recommend") as refusal:
        ho.multiverse(alone, models={"mine": breaks})
    assert refusal.value.reasons == {"mine": "score: RuntimeError: no"}


def test_a_plan_is_of_the_same_grid() -> None:
    estimate = ho.plan(KEYS, systems="Popularity,Random,AverageRating")
    assert (estimate.fits, estimate.universes) == (3, 1)
    with refused(UnknownNameError, where="engine", found="nowhere", hint="did you mean here?"):
        ho.plan(KEYS, engine="nowhere")


def test_a_plan_prints_itself() -> None:
    plan = ho.plan(KEYS)
    assert repr(plan).startswith("data: 1 data set") and repr(plan).endswith(plan.summary)
    assert f"{plan.universes} distinct universes from {plan.fits} fits: " in plan.summary
