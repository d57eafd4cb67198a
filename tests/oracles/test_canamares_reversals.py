"""The reversals that Cañamares, Castells and Moffat (2020) show on MovieLens 1M are found by a multiverse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from tests.heavy import heavy

import heldout as ho

pytestmark = heavy

SMALL, MIDDLE, LARGE = "ratio(train=0.2)", "ratio(train=0.4)", "ratio(train=0.9)"


@pytest.fixture(scope="module")
def universes(real_data: Callable[[str], Path]) -> pl.DataFrame:
    found = ho.multiverse(
        {
            "data": str(real_data("ml-1m")),
            "split": [SMALL, MIDDLE, LARGE],
            "recommend": [
                {"name": "kNN", "model": "UserKNN(k=100)"},
                {"name": "MF", "model": "WRMF(factors=50, l2=10, alpha=1, target=rating)"},
            ],
            "target": ["AllItems", "TestRatings"],
            "metrics": ["P", "nDCG"],
            "aggregate": ["mean", "mean(weight=test)"],
            "compare": "t",
            "multiverse": {"cutoffs": [1, 10, 30, 50, 100], "gains": ["binary", "exp2"]},
        }
    )
    assert found.findings.pairs[0].stability.kind == "depends"
    return found.tables["universes"].frame


def reversed_by(universes: pl.DataFrame, decision: str, before: str, after: str, **where: str) -> int:
    """Universes in which kNN or MF wins under one option, and the other under the other, all else equal."""
    others = [c for c in ("split", "target", "metric", "cutoff", "gain", "aggregate") if c != decision]
    kept = universes.filter(*(pl.col(name).cast(pl.String) == value for name, value in where.items()))
    sides = [kept.filter(pl.col(decision).cast(pl.String) == option) for option in (before, after)]
    both = sides[0].join(sides[1], on=others, suffix="_after")
    assert len(both) > 0
    return len(both.filter(pl.col("winner") * pl.col("winner_after") == -1))


def test_knn_wins_with_little_training_and_mf_with_much(universes: pl.DataFrame) -> None:
    full = universes.filter(pl.col("target") == "AllItems", pl.col("metric") == "P", pl.col("cutoff") == "10")
    assert full.filter(pl.col("split") == SMALL)["winner"].to_list() == [1, 1]
    assert full.filter(pl.col("split") == LARGE)["winner"].to_list() == [-1, -1]
    assert reversed_by(universes, "split", SMALL, LARGE, target="AllItems") > 0


def test_knn_wins_at_small_depths_and_mf_at_large(universes: pl.DataFrame) -> None:
    assert reversed_by(universes, "cutoff", "1", "100", target="AllItems", split=MIDDLE) > 0


def test_gain_maps_turn_the_winner_round(universes: pl.DataFrame) -> None:
    assert reversed_by(universes, "gain", "binary", "exp2") > 0


def test_weighing_users_by_test_ratings_turns_the_winner_round(universes: pl.DataFrame) -> None:
    assert reversed_by(universes, "aggregate", "mean", "mean(weight=test)") > 0
