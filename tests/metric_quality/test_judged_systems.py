"""Systems of a study, judged: the same values as a run has, whatever is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.metric_quality.studies import KEYS, small_study
from tests.refusals import refused

import heldout as ho
from heldout.errors import NotApplicableError
from heldout.experiment.evaluate import evaluation_of
from heldout.experiment.kept_stages import KeptRanks
from heldout.experiment.ledger import Ledger
from heldout.metric_quality.judged_systems import judged_runs, judged_systems
from heldout.metric_quality.options import at_default_depths, metrics_at
from heldout.study.file import study_from


def test_values_are_those_of_a_run_whose_ranks_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = (
        ho.run(KEYS | {"metrics": [*KEYS["metrics"], "Novelty@10"]}, out=tmp_path / "run").tables["all-leaderboards"].frame
    )
    fits: list[str] = []
    from heldout.recommenders import UserKNN

    monkeypatch.setattr(UserKNN, "fit", lambda *_, **__: fits.append("fit"))
    (judged,) = judged_systems(small_study(), store=KeptRanks(None, Ledger(tmp_path / "run")))
    assert not fits  # though the kept ranks were made together with lists, which nothing asks for here
    means = {
        (s, str(m)): judged.values[k, j].mean() for k, m in enumerate(judged.metrics) for j, s in enumerate(judged.systems)
    }
    for row in board.filter(~board["descriptive"]).iter_rows(named=True):
        assert means[row["system"], row["metric"]] == pytest.approx(row["value"], abs=1e-12)
    assert np.array_equal(judged.popularity[0].sum(), 1500)


def test_folds_are_joined_and_every_protocol_has_its_own() -> None:
    several = list(judged_systems(small_study(split="folds(3)", target=["AllItems", "TestItems"])))
    assert [judged.protocol.target for judged in several] == ["AllItems", "TestItems"]
    assert all(len(judged.folds) == len(judged.fold_digests) == 3 for judged in several)
    assert several[0].values.shape[:2] == (3, 5)
    assert several[0].digest != several[1].digest


def test_what_fails_or_does_not_apply_is_left_out_by_name() -> None:
    class Failing:
        def fit(self, train: object) -> None:
            raise ValueError("no memory")

    failing = study_from(KEYS | {"metrics": ["P@5", "RMSE"]}, models={"mine": Failing()})
    (judged,) = judged_systems(failing)
    assert judged.systems == ("Popularity", "Random", "UserKNN(k=5)", "UserKNN(k=30)", "ItemKNN(k=10)")
    assert [str(m) for m in judged.metrics] == ["P@5"]
    assert any("mine: " in reason and "no memory" in reason for reason in judged.left_out)
    assert any(reason.startswith("RMSE: ") for reason in judged.left_out)


def test_systems_that_no_metric_has_a_value_of_are_named() -> None:
    with refused(NotApplicableError, where="recommend", found=0, hint="Popularity: no metric has a value of it; Random"):
        next(judged_systems(small_study(metrics=["RMSE"], recommend=["Popularity", "Random"])))
    systems = ["Popularity", "AverageRating", "PearsonUserKNN(k=5)"]
    (judged,) = judged_systems(small_study(metrics=["RMSE"], recommend=systems))
    assert judged.systems == ("AverageRating", "PearsonUserKNN(k=5)")
    assert "Popularity: no metric has a value of it" in judged.left_out


def test_one_system_is_refused() -> None:
    with refused(NotApplicableError, where="recommend", found=1, expected="at least two"):
        next(judged_systems(small_study(recommend=["Popularity"])))


TEST = {f"u{u}": {f"i{(u + k) % 9}": 1 + (u + k) % 5 for k in range(4)} for u in range(8)}
METRICS = ["P@2", "nDCG@5"]


def runs_of(length: int) -> dict[str, Any]:
    draw = np.random.default_rng(3)
    return {name: {user: [f"i{k}" for k in draw.permutation(9)[:length]] for user in TEST} for name in "ABC"}


def test_values_are_those_of_evaluate() -> None:
    runs = runs_of(9)
    (judged,) = judged_runs(evaluation_of(TEST, runs, METRICS, relevance="threshold(4)"))
    board = ho.evaluate(TEST, runs, METRICS, relevance="threshold(4)").tables["all-leaderboards"].frame
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
        "Which ratings are relevant was guessed. No rule is written, and threshold(tau=4) was taken, since ratings run from "
        "1 to 5.",
    )


def test_one_run_is_refused() -> None:
    evaluation = evaluation_of(TEST, {"A": runs_of(9)["A"]}, METRICS, relevance="threshold(4)")
    with refused(NotApplicableError, where="runs", found=1, expected="at least two"):
        list(judged_runs(evaluation))
