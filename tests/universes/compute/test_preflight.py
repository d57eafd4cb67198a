"""A grid that the data contradict is refused before anything is fitted, on all splits and seeds and all at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import HeldoutError, InputError, NotApplicableError, SpecError
from heldout.experiment import preflight
from heldout.splits import Ratio

GRID: dict[str, Any] = {
    "data": "simulate(users=60, items=40, ratings=1200)",
    "split": ["ratio(train=0.7, by=user)", "ratio(train=0.6, by=user)"],
    "metrics": ["P@5", "nDCG@5"],
    "compare": ["t"],
    "multiverse": {"seeds": [1, 2]},
}
TARGET = "OnePlusRandom(nonrelevant=5000)"
"""A target for which these data have too few items."""


@pytest.fixture
def fits() -> list[int]:
    return []


@pytest.fixture
def models(fits: list[int]) -> dict[str, Any]:
    """Two systems that count their fits."""

    def scoring(train: Any, users: Any) -> Any:
        fits.append(len(users))
        return np.tile(np.arange(train.n_items, dtype=np.float64), (len(users), 1))

    return {"a": scoring, "b": lambda train, users: -scoring(train, users)}


@pytest.mark.parametrize(
    ("keys", "kind", "facts"),
    [
        ({"development": 60}, InputError, ("development: ", "fewer than 60 test users", "found 60")),
        (
            {"target": "OnePlusRandom(5000)"},
            NotApplicableError,
            (
                "no universe is left",
                *(f"{TARGET} under {split}: " for split in GRID["split"]),
                "at most 40 items",
                "found 5,000",
            ),
        ),
        (
            {"aggregate": 'mean(weight=age, table="users.csv")'},
            SpecError,
            tuple(f"{split}: users.csv: unknown column 'age'" for split in GRID["split"]),
        ),
        (
            {"metrics": "nDCG(gain=table([0, 1]))@5"},
            NotApplicableError,
            ("no universe is left", *(f"{split}: nDCG(" for split in GRID["split"]), "from 1 to 2", "found 4.0"),
        ),
        (
            {"users": [["with_test"], ["with_relevant"]], "relevance": "threshold(9)"},
            InputError,
            ("relevance: ", "threshold(tau=9)", "found 5.0"),
        ),
    ],
)
def test_what_the_data_contradict_is_refused_without_a_fit(
    keys: dict[str, Any],
    kind: type[HeldoutError],
    facts: tuple[str, ...],
    models: dict[str, Any],
    fits: list[int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"user_id": [1, 2], "height": [1.0, 2.0]}).write_csv("users.csv")
    with refused(kind) as refusal:
        ho.multiverse({**GRID, **keys}, models=models, out="out")
    assert [fact for fact in facts if fact not in str(refusal.value)] == []
    assert fits == []


def test_problems_of_all_splits_are_told_at_once_and_each_once(models: dict[str, Any], fits: list[int]) -> None:
    splits = ["ratio(train=0.7)", "leave_out(100)", "leave_out(200)"]
    with pytest.raises(HeldoutError) as raised:
        ho.multiverse({**GRID, "split": splits, "development": 60}, models=models)
    lines = str(raised.value).splitlines()
    assert lines[0] == "3 things are wrong:"
    assert "development" in lines[1]
    assert ["100" in lines[2], "200" in lines[3]] == [True, True]
    assert fits == []


def test_a_metric_without_a_value_on_one_data_set_makes_no_universe_there(models: dict[str, Any], tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    rows = pl.DataFrame({"user": np.repeat(np.arange(30), 20), "item": np.tile(np.arange(20), 30)})
    for name, top in (("three", 3), ("five", 5)):
        rows.with_columns(rating=rng.integers(1, top + 1, 600)).write_csv(tmp_path / f"{name}.csv")
    keys = {"data": [str(tmp_path / "three.csv"), str(tmp_path / "five.csv")], "relevance": "threshold(3)"}
    metrics = ["P@5", "nDCG(gain=table([1, 2, 3]))@5"]
    found = ho.multiverse({**GRID, **keys, "metrics": metrics}, models=models)
    counts = found.tables["universes"].frame.group_by("data", "metric").len()
    assert sorted(counts["metric"]) == ["P", "P", "nDCG"]
    assert "three.csv" in counts.filter(pl.col("metric") == "nDCG")["data"].item()
    assert any("five.csv" in reason and "nDCG" in reason for reason in found.left_out)


def test_nothing_is_split_or_read_twice(models: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    split = Ratio.split
    monkeypatch.setattr(
        Ratio, "split", lambda self, *args, **options: calls.append(str(self)) or split(self, *args, **options)
    )
    whole = ho.multiverse(GRID, models=models).tables["universes"].frame
    assert len(calls) == 4  # two splits under two seeds
    monkeypatch.setattr(preflight, "KEPT_ROWS", 2000)  # the first split is kept, three are made again
    assert ho.multiverse(GRID, models=models).tables["universes"].frame.equals(whole)
    assert len(calls) == 4 + 4 + 4


def test_a_target_that_no_split_can_serve_leaves_the_others(models: dict[str, Any]) -> None:
    found = ho.multiverse({**GRID, "target": ["AllItems", "OnePlusRandom(5000)"]}, models=models)
    assert set(found.tables["universes"].frame["target"]) == {"AllItems"}
    reasons = [reason for reason in found.left_out if TARGET in reason]
    assert reasons and all("at most 40 items" in reason and "found 5,000" in reason for reason in reasons)
    with pytest.raises(NotApplicableError):
        ho.run({**GRID, "target": "OnePlusRandom(5000)", "multiverse": {}}, models=models)
