"""What becomes of undefined values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import heldout as ho
from heldout.aggregations.undefined.skip import SkipUndefined
from heldout.aggregations.undefined.zero import UndefinedAsZero


def test_undefined_rules() -> None:
    values = np.array([0.5, math.nan, 1.0])
    assert UndefinedAsZero().apply(values).tolist() == [0.5, 0.0, 1.0]
    np.testing.assert_array_equal(SkipUndefined().apply(values), values)
    assert math.isnan(values[1])  # the input is not changed


def random_scores(users: int = 2000, items: int = 12) -> tuple[pl.DataFrame, pl.DataFrame]:
    """A test set in which a quarter of the users has no relevant rating, and a run with random scores."""
    rng = np.random.default_rng(3)
    user, item = np.divmod(np.arange(users * items), items)
    ratings = np.where((user % 4 > 0) & (rng.random(users * items) < 0.3), 5.0, 1.0)
    frame = pl.DataFrame({"user": user, "item": item})
    return frame.with_columns(rating=ratings), frame.with_columns(score=rng.random(users * items))


@pytest.mark.parametrize("metric", ["AUC", "UROC"])
def test_a_random_ranking_has_half_the_area(metric: str) -> None:
    test, run = random_scores()
    values = ho.measure(test, run, metric, relevance="threshold(4)")[metric]
    assert values.null_count() >= 500
    undefined: Any
    for undefined in ("zero", "skip"):
        [row] = ho.evaluate(test, {"A": run}, metric, relevance="threshold(4)", undefined=undefined).facts.leaderboard
        assert row.value == pytest.approx(values.mean(), abs=1e-12) and abs(row.value - 0.5) < 0.02
        assert (row.users, row.undefined) == (2000 - values.null_count(), values.null_count())
    counted = ho.evaluate(test, {"A": run}, f"{metric}(if_undefined=zero)", relevance="threshold(4)").facts.leaderboard[0]
    assert counted.value == pytest.approx(values.fill_null(0.0).mean(), abs=1e-12)
    assert counted.users == 2000


def test_settings_and_methods_say_who_was_left_out() -> None:
    test, run = random_scores(80)
    results = ho.evaluate(test, {"A": run}, ["AUC", "Recall@5"], relevance="threshold(4)")
    assert {str(s.metric): s.undefined for s in results.facts.settings} == {"AUC": "skip", "Recall@5": "zero"}
    assert ", except in AUC, where they were left out." in ho.methods(results).to_markdown()


def test_two_systems_are_compared_on_users_with_a_value() -> None:
    a = pl.DataFrame({"user_id": [1, 2, 3, 4], "AUC": [0.9, 0.7, 0.8, None], "RMSE": [1.0, 2.0, 3.0, None]})
    b = pl.DataFrame({"user_id": [1, 2, 3, 4], "AUC": [0.5, 0.5, 0.5, None], "RMSE": [2.0, 2.0, 2.0, None]})
    rows = ho.compare(a.with_columns(own=pl.col("AUC")), b.with_columns(own=pl.col("AUC")), test="t")
    difference = dict(zip(rows["metric"], rows["difference"], strict=True))
    assert difference == pytest.approx({"AUC": 0.3, "RMSE": 0.0, "own": 0.9 / 4})
