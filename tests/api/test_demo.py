"""The demonstration, on fewer ratings than it has."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import heldout as ho
from heldout.api import demo


def test_results_ratings_and_truth_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = {
        "data": "simulate(users=40, items=30, ratings=600)",
        "recommend": ["Popularity", "Random"],
        "target": "AllItems",
    }
    monkeypatch.setattr(demo, "STUDY", {**demo.STUDY, **small})
    results = ho.demo(tmp_path / "demo")
    assert set(results.tables["all-leaderboards"].frame["system"]) == {"Popularity", "Random"}
    ratings, truth = (pl.read_parquet(tmp_path / "demo" / "data" / f"{name}.parquet") for name in ("ratings", "truth"))
    assert len(truth) == 40 * 30
    assert len(ratings) == 600
    assert ratings.join(truth, on=["user_id", "item_id"], how="anti").is_empty()
