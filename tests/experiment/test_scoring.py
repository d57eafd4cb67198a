"""One way from judged lists to scores: a run file has the same values in a study, an evaluation and a multiverse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import heldout as ho

METRICS = ["P@3", "Recall@3", "nDCG@5", "RR", "AP"]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    draw = np.random.default_rng(3)
    user, item = np.divmod(np.arange(30 * 12), 12)
    ratings = pl.DataFrame({"user": user, "item": item, "rating": draw.integers(1, 6, len(user))})
    ratings.filter(pl.col("item") % 3 == 0).write_csv(tmp_path / "train.csv")
    tested = (pl.col("item") % 3 == 1) | ((pl.col("item") % 3 == 2) & (pl.col("user") % 2 == 0))
    ratings.filter(tested).write_csv(tmp_path / "test.csv")
    for name in "AB":
        scores = ratings.select("user", "item", score=pl.Series(draw.permutation(len(user)) + 0.5))
        scores.filter(pl.col("item") % 3 != 0).write_csv(tmp_path / f"{name}.csv")
    return tmp_path


def study(files: Path, **keys: Any) -> dict[str, Any]:
    return {
        "split": f'given(train="{files}/train.csv", test="{files}/test.csv")',
        "recommend": [{"name": name, "model": f'External("{files}/{name}.csv")'} for name in "AB"],
        "metrics": METRICS,
        "relevance": "threshold(4)",
        **keys,
    }


def test_studies_and_evaluations_of_a_run_file_have_the_same_scores(files: Path) -> None:
    runs = {name: str(files / f"{name}.csv") for name in "AB"}
    options: dict[str, Any] = {"relevance": "threshold(4)", "aggregate": ["mean", "pooled"]}
    evaluated = ho.evaluate(str(files / "test.csv"), runs, METRICS, train=str(files / "train.csv"), **options)
    ran = ho.run(study(files, aggregate=["mean", "pooled"]))
    assert evaluated._source is not None and ran._source is not None
    pairs = list(zip(evaluated._source.parts, ran._source.parts, strict=True))
    assert len(pairs) == 2
    for one, other in pairs:
        (left,), (right,) = one.scores, other.scores
        assert left.metrics == right.metrics
        np.testing.assert_array_equal(left.values, right.values)
        np.testing.assert_array_equal(left.length, right.length)
        assert left.counts.keys() == right.counts.keys()
        assert "denominator of Recall@3" in left.counts
        for name, column in left.counts.items():
            np.testing.assert_array_equal(column, right.counts[name])


def test_a_multiverse_has_the_values_of_the_study(files: Path) -> None:
    keys = study(files, aggregate=["mean", "pooled"], undefined=["zero", "skip"])
    leaders = ho.run(keys).tables["all-leaderboards"].frame
    universes = (
        ho.multiverse(keys).tables["universes"].frame.filter(pl.col("metric") == "Recall", pl.col("aggregate") == "pooled")
    )
    values = dict(
        leaders.filter(pl.col("metric") == "Recall@3", pl.col("aggregate") == "pooled").select("system", "value").iter_rows()
    )
    for row in universes.iter_rows(named=True):
        assert (row["value_a"], row["value_b"]) == pytest.approx((values["A"], values["B"]), rel=1e-12)
    assert len(universes) > 0


def test_denominators_are_kept_only_where_sums_are_pooled(files: Path) -> None:
    ran = ho.run(study(files))
    assert ran._source is not None
    assert not any(name.startswith("denominator") for part in ran._source.parts for name in part.scores[0].counts)
