"""A run file whose lists end early makes no universe of metrics of the whole order, and each such metric is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import heldout as ho

WHOLE = ["AUC", "UROC", "CROC", "KendallTau", "Spearman", "TauAP", "NDPM"]
CUT = "its lists end before the last candidates, whose order enters the value"


@pytest.fixture
def keys(tmp_path: Path) -> dict[str, Any]:
    """20 users, 12 items; A has the 5 best scores of each user, B and C have all."""
    draw = np.random.default_rng(5)
    user, item = np.divmod(np.arange(20 * 12), 12)
    pairs = pl.DataFrame({"user": user, "item": item})
    ratings = pairs.with_columns(rating=pl.Series(draw.integers(1, 6, len(user))))
    ratings.filter(pl.col("item") == 1).write_csv(tmp_path / "train.csv")
    ratings.filter(pl.col("item") % 2 == 0).write_csv(tmp_path / "test.csv")
    for name in "ABC":
        scores = pairs.with_columns(score=pl.Series(draw.permutation(len(user)) + 0.5)).sort("score", descending=True)
        scores.group_by("user", maintain_order=True).head(5 if name == "A" else 12).write_csv(tmp_path / f"{name}.csv")
    return {
        "split": f'given(train="{tmp_path}/train.csv", test="{tmp_path}/test.csv")',
        "recommend": [{"name": name, "model": f'External("{tmp_path}/{name}.csv")'} for name in "ABC"],
        "metrics": [*WHOLE, "P@3"],
        "relevance": "threshold(4)",
        "compare": "t",
    }


def test_metrics_of_the_whole_order_are_left_out_as_in_a_run(keys: dict[str, Any]) -> None:
    made = ho.multiverse(keys)
    assert set(made.tables["universes"].frame["metric"]) == {"P"}
    reasons = [reason for reason in made.left_out if reason.endswith(CUT)]
    assert reasons == [f"{metric} of A: {CUT}" for metric in WHOLE]
    study = ho.run(keys)
    assert study._source is not None
    assert reasons == [reason for reason in study._source.left_out if reason.endswith(CUT)]


def test_whole_lists_are_measured_by_them(keys: dict[str, Any]) -> None:
    whole = {**keys, "recommend": keys["recommend"][1:]}
    made = ho.multiverse(whole)
    assert set(made.tables["universes"].frame["metric"]) == {*WHOLE, "P"}
    leaders = ho.run(whole).tables["all-leaderboards"].frame
    for metric in WHOLE:
        row = made.tables["universes"].frame.filter(pl.col("metric") == metric).row(0, named=True)
        values = dict(leaders.filter(pl.col("metric") == metric).select("system", "value").iter_rows())
        assert (row["value_a"], row["value_b"]) == pytest.approx((values["B"], values["C"]), rel=1e-12)


def test_a_fallback_that_fills_the_lists_makes_them_whole(keys: dict[str, Any]) -> None:
    made = ho.multiverse({**keys, "fallback": ["none", "random"], "metrics": ["AUC", "P@3"]})
    by_fallback = {text: set(rows["metric"]) for (text,), rows in made.tables["universes"].frame.group_by("fallback")}
    assert by_fallback == {"none": {"P"}, "random": {"AUC", "P"}}
    assert f"AUC of A: {CUT}" in made.left_out


def test_what_was_left_out_is_told_again_where_universes_are_reused(keys: dict[str, Any], tmp_path: Path) -> None:
    first = ho.multiverse(keys, out=tmp_path / "out")
    again = ho.multiverse(keys, out=tmp_path / "out")
    assert again.manifest["reused"] == "universes of 1 of 1 splits reused"
    assert again.left_out == first.left_out
    assert f"AUC of A: {CUT}" in again.left_out
