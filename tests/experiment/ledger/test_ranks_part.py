"""Ranks that are kept: the same to the last bit, small, and used for whatever they suffice for."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.experiment.conftest import STUDY, scores

import heldout as ho
from heldout.errors import ResultsError
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Fold, Prepared, split_folds
from heldout.experiment.ledger import Ledger
from heldout.experiment.ledger.columns import Columns, closure, names_of, read_columns
from heldout.experiment.ledger.ranks_part import entries_of, read_ranks, write_ranks
from heldout.experiment.ranks import Fitted, fit_key, plan_of
from heldout.study.spec import Study, make_study
from heldout.tables import Rankings
from heldout.targets.ranker import Ranks, rank

MANY = {
    **STUDY,
    "target": [
        "AllItems",
        "targets(candidates=test, head=0.1)",
        "OnePlusRandom(10)",
        "P1R(5, percentiles=3)",
        "TestRatings",
    ],
    "fallback": ["none", "popularity"],
    "ties": ["item", "expected"],
    "relevance": ["threshold(4)", "threshold(5)"],
    "recommend": ["UserKNN(k=5)"],
}


def prepared(keys: dict[str, Any]) -> tuple[Study, Fold]:
    study = make_study(keys)
    return study, next(next(split_folds(study, Prepared([], []), Clock()))[1])


def same(ours: Ranks, theirs: Ranks) -> bool:
    for one in fields(Ranks):
        a, b = getattr(ours, one.name), getattr(theirs, one.name)
        if isinstance(a, Rankings) and isinstance(b, Rankings):
            if a.digest != b.digest:
                return False
        elif isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
            if a.dtype != b.dtype or a.tobytes() != b.tobytes():
                return False
        elif a != b:
            return False
    return True


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


def test_what_ranks_depend_on() -> None:
    study, fold = prepared(MANY)
    plan, system = plan_of(study, fold), study.recommend[0]
    key = fit_key(plan, system)
    assert fit_key(plan_of(replace(study, metrics=make_study(STUDY).metrics), fold), system) == key
    assert fit_key(plan, replace(system, name="another name")) == key
    assert fit_key(replace(plan, seed=2), system) != key
    assert fit_key(replace(plan, users=plan.users[1:]), system) != key
    assert fit_key(replace(plan, split=replace(plan.split, fold=1)), system) != key
    assert fit_key(plan, replace(system, recommender=system.recommender.replace(k=6))) != key


def test_fewer_choices_are_served_by_the_same_file(tmp_path: Path) -> None:
    study, fold = prepared(MANY)
    store = Ledger(tmp_path / "out")
    store.announce({})
    system = study.recommend[0]
    clock = Clock()
    every = Fitted(system=system, plan=plan_of(study, fold), clock=clock).ranks(store)
    fewer = replace(study, target=study.target[1:3], fallback=study.fallback[1:], ties=study.ties[:1])
    fitted = Fitted(system=system, plan=plan_of(fewer, fold), clock=clock)
    found = fitted.ranks(store)
    assert fitted.fits == []
    assert set(found.by_choice) < set(every.by_choice)
    assert all(same(found.by_choice[key], every.by_choice[key]) for key in found.by_choice)
    more = make_study({**MANY, "target": ["AllItems", "TestItems"]})
    assert not store.has_ranks(fit_key(plan_of(more, fold), system), plan_of(more, fold))
    assert len(list((tmp_path / "out" / "ranks").iterdir())) == 1


def test_other_metrics_need_no_other_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ho.run(STUDY, out=tmp_path / "out")
    changed = {**STUDY, "metrics": ["Recall@5", "AP"], "aggregate": ["mean", "median"], "unrated": ["zero", "condense"]}
    expected = ho.run(changed, out=tmp_path / "fresh")
    monkeypatch.setattr("heldout.recommenders.baseline.popularity.Popularity.fit", None)
    found = ho.run(changed, out=tmp_path / "out")
    assert found.outcome is not None
    assert found.outcome.manifest["reused"] == (
        "0 of 3 cells reused; Popularity, UserKNN(k=5), WRMF(factors=4, iterations=2) measured again from kept ranks: "
        "unrated and metrics changed"
    )
    assert found.leaderboard.equals(expected.leaderboard)
    assert scores(tmp_path / "fresh").items() < scores(tmp_path / "out").items()


def test_metrics_of_all_scores_fit_again_and_say_so(tmp_path: Path) -> None:
    least = {**STUDY, "target": "AllItems", "recommend": ["Popularity"]}
    ho.run(least, out=tmp_path / "out")
    curves = {**least, "metrics": ["P@5", "nDCG(gain=binary)@5", "GROC"]}
    found = ho.run(curves, out=tmp_path / "out")
    assert found.outcome is not None
    assert found.outcome.manifest["reused"] == "0 of 1 cell reused; Popularity fitted: metrics changed"
    assert found.leaderboard.equals(ho.run(curves).leaderboard)


@pytest.mark.parametrize("damage", ["flip", "cut", "empty"])
def test_damaged_ranks_are_named_and_left(damage: str, tmp_path: Path) -> None:
    least = {**STUDY, "recommend": "Popularity"}
    ho.run(least, out=tmp_path / "out")
    (part,) = (tmp_path / "out" / "ranks").iterdir()
    whole = part.read_bytes()
    middle = len(whole) // 3
    kept = {"flip": whole[:middle] + bytes([whole[middle] ^ 4]) + whole[middle + 1 :], "cut": whole[:200], "empty": b""}
    part.write_bytes(kept[damage])
    with pytest.raises(ResultsError, match="this part of the results is not what was written here") as told:
        ho.run({**least, "metrics": "Recall@5"}, out=tmp_path / "out")
    assert str(told.value).startswith(str(part))
    assert str(told.value).endswith("delete this file and run the study again")
    assert part.read_bytes() == kept[damage]
    part.unlink()
    ho.run({**least, "metrics": "Recall@5"}, out=tmp_path / "out")
    assert part.read_bytes() == whole
