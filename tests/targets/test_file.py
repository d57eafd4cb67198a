"""ties=file: of equal scores, the first in the file ranks first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import heldout as ho
from heldout.errors import NotApplicableError

TEST = {"user": ["u", "u", "v"], "item": ["b", "c", "a"], "rating": [5, 1, 5]}
TRAIN = {"user": ["w", "w", "w", "w"], "item": ["a", "b", "c", "d"], "rating": [3] * 4}
RUN = {"user": ["u", "v", "u", "u", "v", "u"], "item": list("dccbba"), "score": [1, 1, 2, 1, 1, 1.0]}
# u: c at 2, then d, b, a at 1 in the file; v: c, b at 1, the tested a lacking


def value(metric: str, run: Any = RUN, **options: Any) -> float:
    found = ho.evaluate(TEST, {"A": run}, metric, relevance="threshold(4)", coverage="zero", **options)
    return float(found.leaderboard["value"][0])


def test_equal_scores_stand_in_the_order_of_the_rows() -> None:
    assert value("RR", ties="file") == pytest.approx((1 / 3 + 0) / 2)  # c, d, b
    assert value("RR", ties="given") == value("RR", ties="file")
    assert value("RR", ties="item") == pytest.approx((1 / 3 + 0) / 2)  # c, a, b
    turned = {name: column[::-1] for name, column in RUN.items()}
    assert value("RR", turned, ties="file") == pytest.approx((1 / 3 + 0) / 2)  # c, a, b
    moved = {"user": ["u"] * 3, "item": list("bad"), "score": [1.0] * 3}
    assert value("RR", moved, ties="file") == pytest.approx((1 + 0) / 2)
    assert value("RR", moved, ties="item") == pytest.approx((1 / 2 + 0) / 2)
    assert value("RR", moved, ties="trec") == pytest.approx((1 / 2 + 0) / 2)  # d, b, a


@pytest.mark.parametrize("target", ["AllItems", "TrainingItems", "TestRatings"])
@pytest.mark.parametrize("metric", ["RR", "AUC", "KendallTau", "nDCG@2", "Tied"])
def test_every_target_has_the_order_of_the_rows(target: str, metric: str, tmp_path: Path) -> None:
    """A study with the run as a system says what evaluating the run says, whatever the order of the rows."""
    rng = np.random.default_rng(4)
    items = [f"i{k:02}" for k in range(12)]
    rows = [(f"u{u}", i, float(rng.integers(0, 3))) for u in range(15) for i in rng.permutation(items)]
    run = pl.DataFrame(rows, schema=["user", "item", "score"], orient="row")
    test = [(f"u{u}", i, int(rng.integers(1, 6))) for u in range(15) for i in rng.choice(items, 5, replace=False)]
    rated = pl.DataFrame(test, schema=["user", "item", "rating"], orient="row")
    train = pl.DataFrame({"user": ["w"] * 12, "item": items, "rating": [3] * 12})
    run.write_csv(tmp_path / "run.csv")
    rated.write_csv(tmp_path / "test.csv")
    train.write_csv(tmp_path / "train.csv")
    options = {"ties": "file", "target": target, "relevance": "threshold(4)"}
    direct = ho.evaluate(rated, {"A": run}, ["P@2", metric], train=train, **options).per_user()
    study = ho.run(
        {
            "split": f'given(train="{tmp_path / "train.csv"}", test="{tmp_path / "test.csv"}")',
            "recommend": [{"name": "A", "model": f'External("{tmp_path / "run.csv"}")'}],
            "metrics": ["P@2", metric],
            **options,
        }
    ).per_user()
    np.testing.assert_allclose(study[metric], direct[metric], rtol=1e-12)
    assert study["ties"][0] == "file"


def test_fitted_models_have_no_such_order() -> None:
    keys = {"data": "simulate(users=20, items=20, ratings=150)", "split": "ratio(train=0.5)", "metrics": "P@3"}
    for systems in (["Popularity"], ["Random", "Popularity"]):
        with pytest.raises(NotApplicableError, match="needs the order of a file") as refused:
            ho.run({**keys, "recommend": systems, "ties": ["item", "file"]})
        assert "ties=item" in refused.value.hint
    with pytest.raises(NotApplicableError, match="needs the order of a file"):
        ho.run({**keys, "recommend": ["Popularity"], "ties": "file"}, models={"mine": lambda train: None})
