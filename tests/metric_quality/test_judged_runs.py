"""Runs, judged: values as `evaluate` gives them, and what short lists cannot tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.errors import NotApplicableError
from heldout.experiment.evaluate import evaluation_of
from heldout.metric_quality.judged_runs import judged_runs
from heldout.metric_quality.trial import at_default_depths, metrics_at

TEST = {f"u{u}": {f"i{(u + k) % 9}": 1 + (u + k) % 5 for k in range(4)} for u in range(8)}
METRICS = ["P@2", "nDCG@5"]


def runs_of(length: int) -> dict[str, Any]:
    draw = np.random.default_rng(3)
    return {name: {user: [f"i{k}" for k in draw.permutation(9)[:length]] for user in TEST} for name in "ABC"}


def test_values_are_those_of_evaluate() -> None:
    runs = runs_of(9)
    (judged,) = judged_runs(evaluation_of(TEST, runs, METRICS, relevance="threshold(4)"))
    board = ho.evaluate(TEST, runs, METRICS, relevance="threshold(4)").leaderboard
    for row in board.iter_rows(named=True):
        if row["metric"] in METRICS:
            values = judged.values[METRICS.index(row["metric"]), judged.systems.index(row["system"])]
            assert np.nan_to_num(values).mean() == pytest.approx(row["value"], abs=1e-12)
    assert judged.gaps == ("Popularity is counted over the test ratings alone: no training set was named.",)


def test_lists_that_end_early_are_said() -> None:
    (judged,) = judged_runs(evaluation_of(TEST, runs_of(3), METRICS, relevance="threshold(4)", train={"u0": {"other": 3}}))
    assert judged.gaps == tuple(
        f"{name}: 8 of 8 lists end before rank 5 (the shortest has 3 items); deeper cut-offs measure them as they are."
        for name in "ABC"
    )


def test_cut_offs_that_nobody_named_stay_within_the_lists() -> None:
    """The default depths begin at 5: of lists of 7 items 5 is tried and 10 is not, unless it is named."""
    runs = {**runs_of(9), "A": runs_of(7)["A"]}
    tried = [str(metric) for metric in metrics_at(["P", "nDCG@10"])]
    (judged,) = judged_runs(evaluation_of(TEST, runs, tried, relevance="threshold(4)"), at_default_depths(["P", "nDCG@10"]))
    assert [str(metric) for metric in judged.metrics] == ["P@5", "nDCG@10"]
    (reason,) = judged.left_out
    assert reason.startswith("@10, @20, ") and "end at rank 7" in reason


def test_the_shallowest_default_cut_off_is_tried_by_shorter_lists() -> None:
    tried = metrics_at("P")
    (judged,) = judged_runs(evaluation_of(TEST, runs_of(3), tried, relevance="threshold(4)"), tried)
    assert [str(metric) for metric in judged.metrics] == ["P@5"]


def test_that_relevance_was_guessed_is_said() -> None:
    (judged,) = judged_runs(evaluation_of(TEST, runs_of(9), METRICS, train={"u0": {"other": 3}}))
    assert judged.gaps == (
        "Which ratings are relevant was guessed: no rule is written, and threshold(tau=4) was taken, since ratings run from "
        "1 to 5.",
    )


def test_one_run_is_refused() -> None:
    evaluation = evaluation_of(TEST, {"A": runs_of(9)["A"]}, METRICS, relevance="threshold(4)")
    with pytest.raises(NotApplicableError, match="at least two runs, found 1"):
        list(judged_runs(evaluation))
