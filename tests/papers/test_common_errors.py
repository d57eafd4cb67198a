"""Errors over the ratings that both systems predict, against predictions looked up one by one."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from tests.papers.sample import TINY

import heldout as ho
from heldout.catalogue import make
from heldout.papers.bench import PaperBench
from heldout.papers.common_errors import CommonErrors
from heldout.papers.study_runs import RepeatedStudy

MODELS = {"Pearson": "PearsonUserKNN(k=3)", "Cosine": "UserKNN(k=3, normalise=true)"}
STUDY = RepeatedStudy(
    {
        "split": "ratio(train=0.6)",
        "recommend": [{"name": name, "model": model} for name, model in MODELS.items()],
        "relevance": "threshold(4)",
        "target": "TestRatings",
        "metrics": ["RMSE"],
        "aggregate": "pooled",
        "compare": "none",
    },
    (1, 2),
)


def test_ratings_that_only_one_predicts_are_left_out(tmp_path: Path) -> None:
    bench = PaperBench(data="simulated", out=tmp_path)
    rows = CommonErrors(STUDY).measure(bench, TINY).tables["errors"]
    assert rows["seed"].to_list() == [1, 1, 2, 2]
    [split] = ho.split(TINY.stand_in, "ratio(train=0.6)", seed=1)
    test = split.test
    errors = {}
    for name, text in MODELS.items():
        scores = make("recommender", text).fit(split.train, seed=1).score(np.arange(test.n_users))
        errors[name] = scores[test.user, test.item] - test.value
    both = np.isfinite(errors["Pearson"]) & np.isfinite(errors["Cosine"])
    assert 0 < both.sum() < min(np.isfinite(error).sum() for error in errors.values())
    for row in rows.filter(seed=1).iter_rows(named=True):
        assert row["value"] == pytest.approx(math.sqrt(np.mean(errors[row["system"]][both] ** 2)), rel=1e-5)
        assert (row["common"], row["tested"]) == (both.sum(), len(test))
    again = CommonErrors(STUDY).measure(PaperBench(data="simulated", out=tmp_path), TINY).tables["errors"]
    assert again.equals(rows)
